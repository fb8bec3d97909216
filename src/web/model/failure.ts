/** The message for a failed action, and whether a retry can help. */
import { ClientError } from '../../client/errors.ts';
import { serverText, t } from './language.ts';

export function failureText(cause: unknown): string {
  if (!(cause instanceof ClientError)) return t('Something went wrong here. Try again.');
  switch (cause.code) {
    case 'unreachable':
      return t('The server cannot be reached. Try again when you are connected.');
    case 'unauthenticated':
      return t('You are not signed in any more.');
    case 'forbidden':
      return t('You may not do this with the link you signed in with.');
    case 'rate_limited':
      return t('Too much at once. Wait a moment and try again.');
    default:
      return serverText(cause.message, cause.code);
  }
}
