/** A failed answer: the message for the card, and the fields to correct. */
import { ClientError } from '../../../client/errors.ts';
import { failureText } from '../failure.ts';

export interface AnswerFailure {
  readonly text: string;
  /** By field name, where the server names one. */
  readonly fieldErrors: Readonly<Record<string, string>>;
}

export function answerFailureOf(cause: unknown): AnswerFailure {
  const fieldErrors = cause instanceof ClientError ? fieldErrorsIn(cause.details) : {};
  return { text: answerFailureText(cause), fieldErrors };
}

/** As far as the client knows, the answer did not arrive: with its key it counts once (TRN-5). */
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
