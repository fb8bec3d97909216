import { useState } from 'preact/hooks';
import { escapeInvisible } from '../../model/escapes.ts';
import { startOfText, isLong } from '../../model/input-lines.ts';
import { sizeOfText } from '../../model/sizes.ts';

interface AgentExplanationProps {
  readonly text: string;
  readonly onWhole?: () => void;
}

/** What the agent says of it, apart from what will happen and under its name: it may be wrong, or lie. */
export function AgentExplanation({ text, onWhole }: AgentExplanationProps) {
  const [isWhole, setWhole] = useState(false);
  const isFolded = !isWhole && isLong(text);
  const unfold = () => {
    setWhole(true);
    onWhole?.();
  };
  return (
    <figure class="agent-words">
      <figcaption>Agent’s explanation (not verified)</figcaption>
      <blockquote dir="auto">
        {escapeInvisible(isFolded ? `${startOfText(text)}…` : text)}
      </blockquote>
      {isFolded && (
        <button type="button" class="link" data-unfold onClick={unfold}>
          Show all {sizeOfText(text)}
        </button>
      )}
    </figure>
  );
}
