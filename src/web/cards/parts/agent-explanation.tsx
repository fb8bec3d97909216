import { useState } from 'preact/hooks';
import { escapeInvisible } from '../../../protocol/escapes.ts';
import { isLong, sizeOfText, startOfText } from '../../model/folding.ts';
import { t } from '../../model/language.ts';
import { withoutBold } from '../../model/without-bold.ts';

interface AgentExplanationProps {
  readonly text: string;
  readonly onWhole?: () => void;
}

/**
 * The agent's explanation, kept apart from the input and labeled as the agent's: it may be wrong or false on purpose.
 */
export function AgentExplanation({ text, onWhole }: AgentExplanationProps) {
  const [isWhole, setWhole] = useState(false);
  const isFolded = !isWhole && isLong(text);
  const unfold = () => {
    setWhole(true);
    onWhole?.();
  };
  return (
    <figure class="agent-words">
      <figcaption>{t('Agent’s explanation (not verified)')}</figcaption>
      <blockquote dir="auto">
        {escapeInvisible(withoutBold(isFolded ? `${startOfText(text)}…` : text))}
      </blockquote>
      {isFolded && (
        <button type="button" class="link" data-unfold onClick={unfold}>
          {t('Show all {size}', { size: sizeOfText(text) })}
        </button>
      )}
    </figure>
  );
}
