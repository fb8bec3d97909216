import { useState } from 'preact/hooks';
import { honestProse } from '../../model/escapes.ts';
import { beginning, isLong } from '../../model/input-lines.ts';
import { byteCount, byteLength } from '../../model/sizes.ts';

/** What the agent says of it, apart from what will happen and under its name: it may be wrong, or lie. */
export function AgentWords({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isFolded = !isWhole && isLong(text);
  return (
    <figure class="agent-words">
      <figcaption>The agent says</figcaption>
      <blockquote>{honestProse(isFolded ? `${beginning(text)}…` : text)}</blockquote>
      {isFolded && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          Show all {byteCount(byteLength(text))}
        </button>
      )}
    </figure>
  );
}
