import type { ToolBlock } from '../../client/timeline/index.ts';
import { useTaken } from '../hooks/use-taken.ts';
import { approvalToTake, statusWords } from '../model/tool-words.ts';
import type { CardWorld } from './card-world.ts';
import { Icon } from './icon.tsx';

interface Props {
  readonly block: ToolBlock;
  readonly world: CardWorld;
}

/** How far a tool call is, in color and in words. */
export function ToolStatus({ block, world }: Props) {
  const { status } = block.call;
  const { transport, session, me, hasOwnAgent } = world;
  const isTold = useTaken(transport, session, approvalToTake(block, me));
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
