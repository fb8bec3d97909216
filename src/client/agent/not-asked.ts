/** The sentence for a model whose call reached no person; the same on every way in. */
import { ClientError } from '../errors.ts';

const NOT_ASKED = 'Nobody could be asked, so this was not run';

/** @param reason Without a period at its end. */
export function notAskedSentence(reason?: string): string {
  return reason === undefined ? `${NOT_ASKED}.` : `${NOT_ASKED}: ${reason}`;
}

export function describeNotAsked(cause: unknown): string {
  if (!(cause instanceof ClientError)) return notAskedSentence();
  if (cause.code === 'aborted') return 'This was cancelled before anybody decided; it was not run.';
  return notAskedSentence(
    cause.code === 'unreachable' ? describeUnreachable(cause) : cause.message,
  );
}

/** What did not answer, why, and what to look at. */
export function describeUnreachable({ message, cause }: ClientError): string {
  const reason = cause === undefined ? '' : ` (${failureReason(cause)})`;
  return `${message}${reason}. Does the server run, and is this its address?`;
}

/** The message `fetch failed` says nothing; its cause does. */
export function failureReason(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const { code, message } = (cause ?? error) as { code?: unknown; message?: unknown };
  return [message, code].find((text) => typeof text === 'string' && text !== '') as string;
}
