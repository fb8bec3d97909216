import type { RefObject } from 'preact';
import type { JsonObject } from '../../../protocol/types.ts';
import type { CardBodyProps } from '../card-props.ts';
import { InputView } from './input-view.tsx';
import { useKnownFile } from './use-known-file.ts';

interface ApprovalInputProps {
  readonly card: CardBodyProps;
  readonly input: JsonObject;
  readonly label: string;
  readonly root: RefObject<HTMLDivElement | null>;
}

/** The input that is decided on, beside the file that it changes. */
export function ApprovalInput({ card, input, label, root }: ApprovalInputProps) {
  const { isReading, improve } = useKnownFile(card, input);
  const { toolName } = card.answering.record;
  return <InputView {...{ toolName, input, label, root, isReading, improve }} />;
}
