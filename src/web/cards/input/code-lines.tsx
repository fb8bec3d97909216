import { useMemo } from 'preact/hooks';
import { t } from '../../model/language.ts';
import { Literal } from '../../ui/literal.tsx';
import { type CodeToken, useTokenizer } from './highlight.ts';
import { RowPieces } from './row-pieces.tsx';
import type { TextRange } from './mark-words.ts';

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
  const tokens = useMemo(() => tokenize?.(lines), [lines, tokenize]);
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

/** Too long to be shown unfolded. */
export function isLongCode(text: string): boolean {
  return (
    text.length > FIRST_CHARS ||
    text.split('\n', FIRST_CODE_LINES + 2).length > FIRST_CODE_LINES + 1
  );
}

function beginningOf(text: string): string {
  const lines = text.split('\n', FIRST_CODE_LINES).join('\n');
  return lines.slice(0, FIRST_CHARS).replace(/[\uD800-\uDBFF]$/, '');
}

interface CodeTextProps {
  readonly text: string;
  readonly tokens?: readonly CodeToken[] | undefined;
  readonly marks?: readonly TextRange[];
}

/** One line of code: its colors and marks are around the text, which stays letter for letter. */
export function CodeText({ text, tokens, marks = [] }: CodeTextProps) {
  if (tokens === undefined && marks.length === 0)
    return (
      <code class="code">
        <Literal text={text} />
      </code>
    );
  return (
    <code class="code">
      {lineSegments(text, tokens, marks).map(({ text: piece, kind, isMarked }, at) => {
        if (kind === '' && !isMarked) return <Literal key={at} text={piece} />;
        const Tag = isMarked ? 'mark' : 'span';
        return (
          <Tag key={at} class={kind === '' ? undefined : `of-${kind}`}>
            <Literal text={piece} />
          </Tag>
        );
      })}
    </code>
  );
}

/** A line of code as pieces that look alike: the colors of its tokens, and the words that differ. */
export interface LineSegment {
  readonly text: string;
  readonly kind: string;
  readonly isMarked: boolean;
}

function lineSegments(
  text: string,
  tokens: readonly CodeToken[] | undefined,
  marks: readonly TextRange[],
): readonly LineSegment[] {
  const segments: LineSegment[] = [];
  let from = 0;
  let mark = 0;
  const add = (end: number, kind: string) => {
    while (from < end) {
      while ((marks[mark]?.[1] ?? Infinity) <= from) mark += 1;
      const [start, stop] = marks[mark] ?? [Infinity, Infinity];
      const isMarked = start <= from;
      const to = wholeCharacters(text, Math.min(end, isMarked ? stop : start));
      segments.push({ text: text.slice(from, to), kind, isMarked });
      from = to;
    }
  };
  let at = 0;
  for (const token of tokens ?? []) {
    at += token.text.length;
    add(at, token.kind);
  }
  add(text.length, '');
  return segments;
}

/** Never in the middle of a surrogate pair, whose halves would be shown as two escapes. */
function wholeCharacters(text: string, end: number): number {
  const isHalf =
    /[\uDC00-\uDFFF]/.test(text.charAt(end)) && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return isHalf ? end + 1 : end;
}
