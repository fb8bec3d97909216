import type { AnswerFailure } from '../../model/cards/answer-failure.ts';

interface CardNotesProps {
  readonly notes: readonly (string | false | undefined)[];
  readonly failure: AnswerFailure | undefined;
  readonly isUnsent: boolean;
  readonly onSendNow: () => void;
  readonly onDismiss: () => void;
}

/** Notes to read before answering, and the reason why an answer failed. */
export function CardNotes({ notes, failure, isUnsent, onSendNow, onDismiss }: CardNotesProps) {
  return (
    <>
      {notes.map(
        (note) =>
          note !== false &&
          note !== undefined && (
            <p class="card-note" dir="auto">
              {note}
            </p>
          ),
      )}
      <div role="alert">
        {failure !== undefined && (
          <p class="card-failure">
            <span>{failure.text}</span>
            {isUnsent && (
              <button type="button" class="link" onClick={onSendNow}>
                Retry now
              </button>
            )}
            <button type="button" class="link" onClick={onDismiss}>
              {isUnsent ? 'Don’t send' : 'Dismiss'}
            </button>
          </p>
        )}
      </div>
    </>
  );
}
