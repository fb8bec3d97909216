/** An answer that was not taken: what to say on the card, and which fields to look at again. */
import { ClientError } from '../../../client/client-error.ts';
import { failureText } from '../failure.ts';

export interface Refusal {
  readonly text: string;
  /** By the name of the field, where the server said which. */
  readonly fieldErrors: Readonly<Record<string, string>>;
}

export function refusalOf(cause: unknown): Refusal {
  const fieldErrors = cause instanceof ClientError ? fieldErrorsIn(cause.details) : {};
  return { text: wordsFor(cause), fieldErrors };
}

function wordsFor(cause: unknown): string {
  if (!(cause instanceof ClientError)) return failureText(cause);
  switch (cause.code) {
    case 'unreachable':
      return 'Your answer could not be sent. It is kept here; try again.';
    case 'input_changed':
      return 'What is asked has changed since this was drawn. Look at it again before you answer.';
    default:
      return failureText(cause);
  }
}

function fieldErrorsIn(details: Readonly<Record<string, unknown>> | undefined) {
  const errors = details?.fieldErrors;
  if (typeof errors !== 'object' || errors === null) return {};
  return Object.fromEntries(
    Object.entries(errors).map(([field, message]) => [field, String(message)]),
  );
}
