interface ReviewHintProps {
  readonly id: string;
  /** For example "input" or "plan". */
  readonly what: string;
  readonly action?: string;
  readonly onShow: () => void;
}

/** Explains why Approve or Accept is blocked, and leads to the part that the person has not seen. */
export function ReviewHint({ id, what, action = 'approving', onShow }: ReviewHintProps) {
  return (
    <button type="button" id={id} class="link review" onClick={onShow}>
      Review the full {what} before {action}
    </button>
  );
}
