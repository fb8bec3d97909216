import type { Refusal } from '../../model/cards/answer-failure.ts';

interface CardNotesProps {
  readonly notes: readonly (string | false | undefined)[];
  readonly refusal: Refusal | undefined;
  readonly isWaiting: boolean;
  readonly onSendNow: () => void;
  readonly onDismiss: () => void;
}

/** What a person should know before they answer, and why an answer was not taken. */
export function CardNotes({ notes, refusal, isWaiting, onSendNow, onDismiss }: CardNotesProps) {
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
        {refusal !== undefined && (
          <p class="card-failure">
            <span>{refusal.text}</span>
            {isWaiting && (
              <button type="button" class="link" onClick={onSendNow}>
                Try now
              </button>
            )}
            <button type="button" class="link" onClick={onDismiss}>
              {isWaiting ? 'Do not send' : 'Dismiss'}
            </button>
          </p>
        )}
      </div>
    </>
  );
}
