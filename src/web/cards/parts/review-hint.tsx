interface Props {
  readonly id: string;
  /** "input" or "plan". */
  readonly what: string;
  readonly onShow: () => void;
}

/** Why Approve does not work yet, and the way to what is missing. */
export function ReviewHint({ id, what, onShow }: Props) {
  return (
    <button type="button" id={id} class="link review" onClick={onShow}>
      Review the full {what} before approving
    </button>
  );
}
