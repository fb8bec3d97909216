import { useState } from 'preact/hooks';
import { escapeInvisible } from '../../../protocol/escapes.ts';
import type { Interaction, JsonObject } from '../../../protocol/types.ts';
import { wasEdited } from '../../model/cards/was-edited.ts';
import { t } from '../../model/language.ts';
import { SettledInput } from './settled-input.tsx';

interface SettledApprovalProps {
  readonly record: Interaction;
  readonly input: JsonObject;
  readonly words: string | undefined;
  readonly isInRow: boolean;
}

/** The reason, and the input one press away, in the views in which it was decided on. */
export function SettledApproval({ record, input, words, isInRow }: SettledApprovalProps) {
  const [isOpen, setOpen] = useState(false);
  if (isInRow) return <SettledInput {...{ record, input, words }} />;
  return (
    <>
      <GivenReason record={record} />
      <details class="card-more" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{wasEdited(record) ? t('Approved with edits') : t('Show the input')}</summary>
        {isOpen && <SettledInput {...{ record, input, words }} />}
      </details>
    </>
  );
}

export function GivenReason({ record: { reason } }: Pick<SettledApprovalProps, 'record'>) {
  return reason === undefined ? null : (
    <p class="given-reason" dir="auto">
      {escapeInvisible(reason)}
    </p>
  );
}
