import type { ToolBlock } from '../../client/timeline/index.ts';
import type { Interaction } from '../../protocol/types.ts';
import { useRecord } from '../hooks/use-record.ts';
import { approvalToTake, statusWords } from '../model/tool-words.ts';
import type { CardWorld } from './card-context.ts';
import { Icon } from '../ui/icon.tsx';

interface Props {
  readonly block: ToolBlock;
  readonly world: CardWorld;
}

/** How far a tool call is, in color and in words. */
export function ToolStatus({ block, world }: Props) {
  const { status } = block.call;
  const { transport, session, me, hasOwnAgent } = world;
  const record = useRecord({
    transport,
    sessionId: session.id,
    interactionId: approvalToTake(block, me),
    firstMs: 0,
    isEnough: isTaken,
  });
  const isTold = record && isTaken(record);
  const words = statusWords(block, { isBuiltIn: hasOwnAgent, isTold });
  return (
    <span class={`status ${status}`}>
      {words === 'Running' && <span class="dot" aria-hidden="true" />}
      {status === 'pending' && <Icon name="hand" />}
      {status === 'complete' && <Icon name="check" />}
      {status === 'error' && <Icon name="cross" />}
      {words}
    </span>
  );
}

function isTaken({ deliveredAt }: Interaction): boolean {
  return deliveredAt !== undefined;
}
