import type { Refusal } from '../../model/cards/refusal.ts';

interface Props {
  readonly notes: readonly (string | false | undefined)[];
  readonly refusal: Refusal | undefined;
  readonly onDismiss: () => void;
}

/** What a person should know before they answer, and why an answer was not taken. */
export function CardNotes({ notes, refusal, onDismiss }: Props) {
  return (
    <>
      {notes.map((note) => note !== false && note !== undefined && <p class="card-note">{note}</p>)}
      <div role="alert">
        {refusal !== undefined && (
          <p class="card-failure">
            <span>{refusal.text}</span>
            <button type="button" class="link" onClick={onDismiss}>
              Dismiss
            </button>
          </p>
        )}
      </div>
    </>
  );
}
