import { t } from '../../model/language.ts';

interface CommentFieldProps {
  readonly id: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Ctrl or ⌘ with Enter, as the button below the field. */
  readonly onSave: () => void;
  readonly maxLength?: number;
  /** The id of what is said about a problem, and whether there is one. */
  readonly problem?: { readonly id: string; readonly isThere: boolean };
}

/** The field of a comment on a plan or on a line of a diff, in a dialog of its own. */
export function CommentField(props: CommentFieldProps) {
  const { id, text, onText, onSave, maxLength, problem } = props;
  return (
    <>
      <label for={id}>{t('Your comment')}</label>
      <textarea
        id={id}
        // The dialog gives it the focus when it opens.
        autofocus
        rows={4}
        dir="auto"
        maxLength={maxLength}
        value={text}
        aria-describedby={problem?.id}
        aria-invalid={problem?.isThere}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSave();
        }}
      />
    </>
  );
}
