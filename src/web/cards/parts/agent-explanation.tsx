import { useState } from 'preact/hooks';
import { honestProse } from '../../model/escapes.ts';
import { beginning, isLong } from '../../model/input-lines.ts';
import { byteCount, byteLength } from '../../model/sizes.ts';

interface Props {
  readonly text: string;
  readonly onWhole?: () => void;
}

/** What the agent says of it, apart from what will happen and under its name: it may be wrong, or lie. */
export function AgentWords({ text, onWhole }: Props) {
  const [isWhole, setWhole] = useState(false);
  const isFolded = !isWhole && isLong(text);
  const unfold = () => {
    setWhole(true);
    onWhole?.();
  };
  return (
    <figure class="agent-words">
      <figcaption>The agent says</figcaption>
      <blockquote dir="auto">{honestProse(isFolded ? `${beginning(text)}…` : text)}</blockquote>
      {isFolded && (
        <button type="button" class="link" data-unfold onClick={unfold}>
          Show all {byteCount(byteLength(text))}
        </button>
      )}
    </figure>
  );
}
