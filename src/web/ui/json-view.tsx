import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { inputPairs, isLong, rawJson, sizeOfText, startOfText } from '../model/folding.ts';
import { t } from '../model/language.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import jsonStyle from '../styles/json-view.css?inline';
import { Literal } from './literal.tsx';

adoptStyle(jsonStyle);

interface JsonViewProps {
  readonly value: unknown;
  /** The accessible name: "Input of Bash". */
  readonly label: string;
  /** Called when nothing is folded any more; see `hidesPart`. */
  readonly onWhole?: () => void;
  readonly root?: RefObject<HTMLDivElement | null>;
}

/** The input or result of a tool: names and values, raw JSON on demand, long text folded. */
export function JsonView({ value, label, onWhole, root }: JsonViewProps) {
  const [isRaw, setRaw] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const pairs = inputPairs(value);
  const raw = rawJson(value);
  const shown = isRaw || pairs === undefined ? [{ name: '', text: raw }] : pairs;
  const isFolded = !isWhole && shown.some(({ text }) => isLong(text));
  const showAll = () => {
    setWhole(true);
    onWhole?.();
  };
  return (
    <div class="literal" role="group" aria-label={label} {...(root && { ref: root })}>
      {isRaw || pairs === undefined ? (
        <pre class={`raw${isFolded ? ' clipped' : ''}`} {...(isFolded && { 'data-folded': '' })}>
          <Literal text={isFolded ? startOfText(raw) : raw} />
        </pre>
      ) : (
        <dl class="pairs">
          {pairs.map(({ name, text }) => {
            const isCut = !isWhole && isLong(text);
            return (
              <div class="pair" key={name}>
                <dt>
                  <Literal text={name} />
                </dt>
                <dd>
                  <pre class={isCut ? 'clipped' : ''} {...(isCut && { 'data-folded': '' })}>
                    <Literal text={isCut ? startOfText(text) : text} />
                  </pre>
                </dd>
              </div>
            );
          })}
        </dl>
      )}
      <div class="bar">
        {isFolded && (
          <button type="button" class="link" data-unfold onClick={showAll}>
            {t('Show all {size}', { size: sizeOfText(shown.map(({ text }) => text).join('\n')) })}
          </button>
        )}
        {pairs !== undefined && (
          <button type="button" class="link" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
            {isRaw ? t('Show as fields') : t('Show raw JSON')}
          </button>
        )}
      </div>
    </div>
  );
}
