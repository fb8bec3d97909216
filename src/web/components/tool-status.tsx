import type { ToolBlock } from '../../client/timeline/index.ts';
import { statusWords } from '../model/tool-words.ts';
import { Icon } from './icon.tsx';

/** How far a tool call is, in color and in words. */
export function ToolStatus({ block }: { readonly block: ToolBlock }) {
  const { status } = block.call;
  return (
    <span class={`status ${status}`}>
      {status === 'running' ? <span class="dot" aria-hidden="true" /> : null}
      {status === 'pending' && <Icon name="hand" />}
      {status === 'complete' && <Icon name="check" />}
      {status === 'error' && <Icon name="cross" />}
      {statusWords(block)}
    </span>
  );
}
