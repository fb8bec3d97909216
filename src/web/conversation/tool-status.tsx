import type { ToolBlock } from '../../client/timeline/index.ts';
import type { Interaction } from '../../protocol/types.ts';
import { useRecord } from '../hooks/use-record.ts';
import { undeliveredApproval, statusWords } from '../model/tool-words.ts';
import type { CardContext } from './card-context.ts';
import { Icon } from '../ui/icon.tsx';

interface ToolStatusProps {
  readonly block: ToolBlock;
  readonly world: CardContext;
}

/** How far a tool call is, in color and in words. */
export function ToolStatus({ block, world }: ToolStatusProps) {
  const { status } = block.call;
  const { transport, session, me, hasOwnAgent } = world;
  const record = useRecord({
    transport,
    sessionId: session.id,
    interactionId: undeliveredApproval(block, me),
    firstMs: 0,
    isEnough: isDelivered,
  });
  const hasApproval = record && isDelivered(record);
  const words = statusWords(block, { isBuiltIn: hasOwnAgent, hasApproval });
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

function isDelivered({ deliveredAt }: Interaction): boolean {
  return deliveredAt !== undefined;
}
