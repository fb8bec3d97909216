/** An answer that was not taken: what to say on the card, and which fields to look at again. */
import { ClientError } from '../../../client/errors.ts';
import { failureText } from '../failure.ts';

export interface AnswerFailure {
  readonly text: string;
  /** By the name of the field, where the server said which. */
  readonly fieldErrors: Readonly<Record<string, string>>;
}

export function answerFailureOf(cause: unknown): AnswerFailure {
  const fieldErrors = cause instanceof ClientError ? fieldErrorsIn(cause.details) : {};
  return { text: answerFailureText(cause), fieldErrors };
}

/** It did not get through, as far as is known: sent again with its key, it counts once (TRN-5). */
export function mayResend(cause: unknown): boolean {
  return cause instanceof ClientError && cause.retry === 'now';
}

function answerFailureText(cause: unknown): string {
  if (mayResend(cause)) return 'Couldn’t send. Retrying automatically.';
  return cause instanceof ClientError && cause.code === 'input_changed'
    ? 'What is asked has changed since this was drawn. Look at it again before you answer.'
    : failureText(cause);
}

function fieldErrorsIn(details: Readonly<Record<string, unknown>> | undefined) {
  const errors = details?.fieldErrors;
  if (typeof errors !== 'object' || errors === null) return {};
  return Object.fromEntries(
    Object.entries(errors).map(([field, message]) => [field, String(message)]),
  );
}
