import { useId, useState } from 'preact/hooks';
import type { FileDiff } from '../../../display/display.ts';
import type { DiffLine } from '../../../display/diff-lines.ts';
import { REASON_CHARS } from '../../../protocol/limits.ts';
import { escapeInvisible } from '../../../protocol/escapes.ts';
import { lineCommentOf, shortQuote } from '../../model/cards/plan-comments.ts';
import { t } from '../../model/language.ts';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { CommentField } from '../parts/comment-field.tsx';
import type { ReasonDraft } from '../use-draft.ts';

/** Where comments on the lines of a diff go: into the reason of a denial. */
export interface LineComments {
  readonly reason: ReasonDraft;
  /** Opens the denial. */
  readonly onAdded: () => void;
}

/** A list of more takes the browser a moment to draw. */
export const MAX_LISTED_LINES = 1_000;

interface ListedLine {
  readonly line: DiffLine;
  /** Undefined where lines are counted from the beginning of a part: the number says nothing of the file. */
  readonly number: number | undefined;
}

interface ListedLines {
  readonly listed: readonly ListedLine[];
  /** A press on the number of a line that is left out brings that one and those around it. */
  readonly isPart: boolean;
}

/** In a diff of many lines those that change, and of too many of them a stretch around the line that was pressed. */
export function listLines({ hunks }: Pick<FileDiff, 'hunks'>, pressed?: DiffLine): ListedLines {
  const all = hunks.flatMap(({ lines, isNumbered }) =>
    lines
      .filter(({ mark }) => mark !== 'note')
      .map((line) => ({ line, number: isNumbered ? (line.now ?? line.old) : undefined })),
  );
  if (all.length <= MAX_LISTED_LINES) return { listed: all, isPart: false };
  const changed = all.filter(({ line }) => line.mark !== 'same' || line === pressed);
  const place = changed.findIndex(({ line }) => line === pressed);
  const latest = changed.length - MAX_LISTED_LINES;
  const from = Math.max(0, Math.min(place - MAX_LISTED_LINES / 2, latest));
  return { listed: changed.slice(from, from + MAX_LISTED_LINES), isPart: true };
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
  const [{ listed, isPart }] = useState(() => listLines(part, begins));
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
        {isPart && (
          <p class="card-note">
            {t('The list leaves lines out. Press the number of a line to comment on that one.')}
          </p>
        )}
        <CommentField
          {...{ id, text: written, onText: setWritten, onSave: save }}
          problem={{ id: `${id}-problem`, isThere: isTooLong }}
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
