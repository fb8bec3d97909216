import { useMemo } from 'preact/hooks';
import { CodeText } from './code-text.tsx';
import { tokenLines, useTokenizer } from './highlight.ts';
import { RowPieces } from './row-pieces.tsx';
import { t } from '../../model/language.ts';

interface CodeLinesProps {
  readonly text: string;
  readonly language: string | undefined;
  readonly hasNumbers: boolean;
  /** Not all lines are drawn; the content below them says so. */
  readonly isWhole: boolean;
}

const FIRST_CODE_LINES = 30;
const FIRST_CHARS = 4_000;

/** A text line by line; of a long one the first lines until all of it is asked for. */
export function CodeLines({ text, language, hasNumbers, isWhole }: CodeLinesProps) {
  const isFolded = !isWhole && isLongCode(text);
  const tokenize = useTokenizer(language);
  const lines = useMemo(() => {
    const all = (isFolded ? beginningOf(text) : text).split('\n');
    // The line after the last line break is empty, and said to be missing where it is.
    return all.length > 1 && all.at(-1) === '' ? all.slice(0, -1) : all;
  }, [text, isFolded]);
  const tokens = useMemo(() => tokenLines(lines, tokenize), [lines, tokenize]);
  return (
    <div
      class={`diff${hasNumbers ? ' numbered' : ' plain'}`}
      style={{ '--digits': String(lines.length).length }}
      {...(isFolded && { 'data-folded': '' })}
    >
      <RowPieces
        count={lines.length}
        draw={(from, to) =>
          lines.slice(from, to).map((line, at) => (
            <div key={from + at} class="line">
              {hasNumbers && <span class="number">{from + at + 1}</span>}
              <CodeText text={line} tokens={tokens?.[from + at]} />
            </div>
          ))
        }
      />
      {hasNumbers && !isFolded && text !== '' && !text.endsWith('\n') && (
        <p class="diff-words">{t('No line break at the end of the file')}</p>
      )}
    </div>
  );
}

function isLongCode(text: string): boolean {
  return (
    text.length > FIRST_CHARS ||
    text.split('\n', FIRST_CODE_LINES + 2).length > FIRST_CODE_LINES + 1
  );
}

function beginningOf(text: string): string {
  const lines = text.split('\n', FIRST_CODE_LINES).join('\n');
  return lines.slice(0, FIRST_CHARS).replace(/[\uD800-\uDBFF]$/, '');
}
