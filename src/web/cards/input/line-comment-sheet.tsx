import { useId, useState } from 'preact/hooks';
import type { FileDiff } from '../../../display/display.ts';
import type { DiffLine } from '../../../display/diff-lines.ts';
import { REASON_CHARS } from '../../../protocol/limits.ts';
import { escapeInvisible } from '../../../protocol/escapes.ts';
import { lineCommentOf, shortQuote } from '../../model/cards/plan-comments.ts';
import { t } from '../../model/language.ts';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import type { ReasonDraft } from '../use-draft.ts';

/** Where comments on the lines of a diff go: into the reason of a denial. */
export interface LineComments {
  readonly reason: ReasonDraft;
  /** Opens the denial. */
  readonly onAdded: () => void;
}

/** More would be a list in which nobody finds a line. */
const MAX_LISTED = 1_000;

interface ListedLine {
  readonly line: DiffLine;
  /** Undefined where lines are counted from the beginning of a part: the number says nothing of the file. */
  readonly number: number | undefined;
}

/** Those that change, in a diff of many lines. */
function listLines({ hunks }: FileDiff): readonly ListedLine[] {
  const all = hunks.flatMap(({ lines, isNumbered }) =>
    lines
      .filter(({ mark }) => mark !== 'note')
      .map((line) => ({ line, number: isNumbered ? (line.now ?? line.old) : undefined })),
  );
  const few = all.length > MAX_LISTED ? all.filter(({ line }) => line.mark !== 'same') : all;
  return few.slice(0, MAX_LISTED);
}

interface LineCommentSheetProps {
  readonly part: FileDiff;
  /** The line whose number was pressed; without one the first that is added. */
  readonly begins: DiffLine | undefined;
  readonly comments: LineComments;
  readonly onClose: () => void;
}

/** A line, and what is wrong with it. */
export function LineCommentSheet({ part, begins, comments, onClose }: LineCommentSheetProps) {
  const id = useId();
  const [listed] = useState(() => listLines(part));
  const [at, setAt] = useState(() => {
    const places = [
      listed.findIndex(({ line }) => line === begins),
      listed.findIndex(({ line }) => line.mark === 'new'),
      listed.findIndex(({ line }) => line.mark === 'gone'),
    ];
    return places.find((place) => place >= 0) ?? 0;
  });
  const [written, setWritten] = useState('');
  const chosen = listed[at];
  if (chosen === undefined) return null;
  const { line, number } = chosen;
  const words = lineCommentOf({
    path: part.path,
    number,
    isRemoved: line.mark === 'gone',
    quote: line.text,
    text: written,
  });
  const { reason, onAdded } = comments;
  const whole = reason.text + (reason.text === '' ? '' : '\n\n') + words;
  const isTooLong = whole.length > REASON_CHARS;
  const save = () => {
    if (written.trim() === '' || isTooLong) return;
    onClose();
    reason.write(whole);
    reason.begins.current = 'at its end';
    onAdded();
  };
  return (
    <Sheet title={t('Comment on a line')} side="middle" onClose={onClose}>
      <div class="comment-form">
        <label for={`${id}-line`}>{t('Line')}</label>
        <select
          id={`${id}-line`}
          value={at}
          onChange={({ currentTarget }) => setAt(Number(currentTarget.value))}
        >
          {listed.map((one, index) => (
            <option key={index} value={index}>
              {optionWords(one)}
            </option>
          ))}
        </select>
        <label for={id}>{t('Your comment')}</label>
        <textarea
          id={id}
          // The dialog gives it the focus when it opens.
          autofocus
          rows={4}
          dir="auto"
          value={written}
          aria-describedby={`${id}-problem`}
          aria-invalid={isTooLong}
          onInput={({ currentTarget }) => setWritten(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
          }}
        />
        <p id={`${id}-problem`} class="field-error" role="alert">
          {isTooLong && t('The reason of a denial has no room for this.')}
        </p>
        <div class="card-actions">
          <Button kind="primary" disabled={written.trim() === '' || isTooLong} onClick={save}>
            {t('Add to the reason')}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {t('Cancel')}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}

const SIGNS = { same: ' ', gone: '−', new: '+', note: '' } as const;

function optionWords({ line, number }: ListedLine): string {
  return escapeInvisible(`${number ?? ''} ${SIGNS[line.mark]} ${shortQuote(line.text)}`.trim());
}
