interface ReviewHintProps {
  readonly id: string;
  /** "input" or "plan". */
  readonly what: string;
  readonly action?: string;
  readonly onShow: () => void;
}

/** Why Approve, or Accept, does not work yet, and the way to what is missing. */
export function ReviewHint({ id, what, action = 'approving', onShow }: ReviewHintProps) {
  return (
    <button type="button" id={id} class="link review" onClick={onShow}>
      Review the full {what} before {action}
    </button>
  );
}
