import { useMemo, useState } from 'preact/hooks';
import { type DiffHunk, type FileDiff, hunkWords } from '../../../display/display.ts';
import {
  type DiffLine,
  pairLines,
  foldContext,
  type LineRun,
  patchText,
} from '../../../display/diff-lines.ts';
import { t, tn } from '../../model/language.ts';
import { Literal } from '../../ui/literal.tsx';
import { CodeText } from './code-lines.tsx';
import { FileHead } from './file-head.tsx';
import { languageOf } from './code-language.ts';
import { type CodeToken, type TokenizeLines, useTokenizer } from './highlight.ts';
import { markWords, type TextRange } from './mark-words.ts';
import { RowPieces } from './row-pieces.tsx';

interface DiffViewProps {
  readonly part: FileDiff;
  /** Two columns. */
  readonly isSplit: boolean;
  /** Nothing is folded. */
  readonly isWhole: boolean;
  /** The head of the card has the path already. */
  readonly isNamed: boolean;
  /** Begins a comment on a line, or on one that is still to be chosen. */
  readonly onComment?: OnComment | undefined;
}

export type OnComment = (part: FileDiff, line?: DiffLine) => void;

/** The changes of one file. A press on the number of a line comments on it; with keys the line is chosen from a list. */
export function DiffView({ part, isSplit, isWhole, isNamed, onComment }: DiffViewProps) {
  const onLine = onComment && ((line: DiffLine) => onComment(part, line));
  return (
    <section class={onComment ? 'file-part commented' : 'file-part'}>
      <FileHead {...{ part, isNamed }} copied={() => patchText(part)} />
      {part.hunks.map((hunk, at) => (
        <HunkView key={at} {...{ hunk, isSplit, isWhole, onLine }} path={part.path} />
      ))}
      {onComment && (
        <button type="button" class="link comment-line" onClick={() => onComment(part)}>
          {t('Comment on a line…')}
        </button>
      )}
    </section>
  );
}

type OnLine = ((line: DiffLine) => void) | undefined;

interface HunkViewProps extends Pick<DiffViewProps, 'isSplit' | 'isWhole'> {
  readonly hunk: DiffHunk;
  readonly path: string | undefined;
  readonly onLine?: OnLine;
}

function HunkView({ hunk, path, isSplit, isWhole, onLine }: HunkViewProps) {
  const { lines, isWholeFile = false } = hunk;
  const tokenize = useTokenizer(languageOf(path));
  const drawn = useMemo(() => drawnLines(lines, tokenize), [lines, tokenize]);
  const runs = useMemo(() => {
    // The unchanged lines of the file are not in the input: they stay folded until they are opened.
    const isFoldable = isWholeFile || (!isWhole && lines.length > FOLDED_DIFF_LINES);
    return isFoldable ? foldContext(lines) : [{ isFolded: false, lines }];
  }, [lines, isWhole, isWholeFile]);
  const words = hunkWords(hunk);
  const digits = String(Math.max(0, ...lines.map(({ old = 0, now = 0 }) => Math.max(old, now))));
  return (
    <div class={`diff${isSplit ? ' split' : ''}`} style={{ '--digits': digits.length }}>
      {words !== '' && (
        <p class="diff-words">
          <Literal text={words} />
        </p>
      )}
      {runs.map((run, at) => (
        <RunView key={at} {...{ run, drawn, isSplit, onLine }} isInput={!isWholeFile} />
      ))}
    </div>
  );
}

/** The lines of a text that is no file. */
export function LinesView({ lines }: { readonly lines: readonly DiffLine[] }) {
  const hunk = useMemo(() => ({ lines, isNumbered: true, isWholeFile: true }), [lines]);
  return <HunkView hunk={hunk} path={undefined} isSplit={false} isWhole />;
}

/** Diffs of a few lines are shown whole. */
const FOLDED_DIFF_LINES = 40;

interface DrawnLine {
  readonly tokens: readonly CodeToken[] | undefined;
  /** The line in its place on the other side. */
  readonly partner: DiffLine | undefined;
}

type DrawnLines = ReadonlyMap<DiffLine, DrawnLine>;

function drawnLines(lines: readonly DiffLine[], tokenize: TokenizeLines | undefined): DrawnLines {
  const drawn = new Map<DiffLine, DrawnLine>();
  const sideOf = (other: 'gone' | 'new') =>
    lines.filter(({ mark }) => mark !== other && mark !== 'note');
  const tokensOf = (side: readonly DiffLine[]) => tokenize?.(side.map(({ text }) => text));
  for (const other of ['gone', 'new'] as const) {
    const side = sideOf(other);
    const tokens = tokensOf(side);
    for (const [at, line] of side.entries())
      drawn.set(line, { tokens: tokens?.[at], partner: undefined });
  }
  for (const { left, right } of pairLines(lines)) {
    if (left === undefined || right === undefined || left === right) continue;
    drawn.set(left, { tokens: drawn.get(left)?.tokens, partner: right });
    drawn.set(right, { tokens: drawn.get(right)?.tokens, partner: left });
  }
  return drawn;
}

interface RunViewProps {
  readonly run: LineRun;
  readonly drawn: DrawnLines;
  readonly isSplit: boolean;
  /** The lines are in the input: they are read before it is approved. */
  readonly isInput: boolean;
  readonly onLine: OnLine;
}

function RunView({ run, drawn, isSplit, isInput, onLine }: RunViewProps) {
  const { isFolded, lines } = run;
  const [isOpen, setOpen] = useState(false);
  const pairs = useMemo(() => (isSplit ? pairLines(lines) : []), [lines, isSplit]);
  if (isFolded && !isOpen)
    return (
      <button
        type="button"
        class="fold"
        {...(isInput && { 'data-unfold': '', 'data-folded': '' })}
        onClick={() => setOpen(true)}
      >
        {tn(lines.length, 'Show 1 unchanged line', 'Show {count} unchanged lines')}
      </button>
    );
  if (!isSplit)
    return (
      <RowPieces
        count={lines.length}
        draw={(from, to) =>
          lines
            .slice(from, to)
            .map((line, at) => <UnifiedRow key={from + at} {...{ line, drawn, onLine }} />)
        }
      />
    );
  return (
    <RowPieces
      count={pairs.length}
      draw={(from, to) =>
        pairs.slice(from, to).map(({ left, right }, at) =>
          left?.mark === 'note' ? (
            <UnifiedRow key={from + at} line={left} {...{ drawn, onLine }} />
          ) : (
            <div key={from + at} class="line">
              <Side line={left} number={left?.old} {...{ drawn, onLine }} />
              <Side line={right} number={right?.now} {...{ drawn, onLine }} />
            </div>
          ),
        )
      }
    />
  );
}

interface DiffRowProps {
  readonly line: DiffLine;
  readonly drawn: DrawnLines;
  readonly onLine: OnLine;
}

const SHOWN_SIGNS = { same: ' ', gone: '−', new: '+', note: '' } as const;
function signWords(mark: DiffLine['mark']): string {
  if (mark === 'gone') return `${t('removed:')} `;
  return mark === 'new' ? `${t('added:')} ` : '';
}

function UnifiedRow({ line, drawn, onLine }: DiffRowProps) {
  const { mark, old, now } = line;
  const onClick = onLine && (() => onLine(line));
  return (
    <div class={`line ${mark}`}>
      {mark !== 'note' && (
        <>
          <span class="number old" onClick={onClick}>
            {old}
          </span>
          <span class="number now" onClick={onClick}>
            {now}
          </span>
        </>
      )}
      <Sign mark={mark} />
      <LineText line={line} drawn={drawn} />
    </div>
  );
}

interface SideProps {
  readonly line: DiffLine | undefined;
  readonly number: number | undefined;
  readonly drawn: DrawnLines;
  readonly onLine: OnLine;
}

function Side({ line, number, drawn, onLine }: SideProps) {
  if (line === undefined) return <div class="side none" />;
  return (
    <div class={`side ${line.mark}`}>
      <span class="number" onClick={onLine && (() => onLine(line))}>
        {number}
      </span>
      <Sign mark={line.mark} />
      <LineText line={line} drawn={drawn} />
    </div>
  );
}

function Sign({ mark }: Pick<DiffLine, 'mark'>) {
  return (
    <>
      <span class="sign" aria-hidden="true">
        {SHOWN_SIGNS[mark]}
      </span>
      {signWords(mark) !== '' && <span class="unseen">{signWords(mark)}</span>}
    </>
  );
}

const NO_MARKS: readonly TextRange[] = [];

function LineText({ line, drawn }: Pick<DiffRowProps, 'line' | 'drawn'>) {
  const { tokens, partner } = drawn.get(line) ?? { tokens: undefined, partner: undefined };
  const marks =
    partner === undefined
      ? NO_MARKS
      : line.mark === 'gone'
        ? markWords(line.text, partner.text).gone
        : markWords(partner.text, line.text).fresh;
  return <CodeText text={line.text} tokens={tokens} marks={marks} />;
}
