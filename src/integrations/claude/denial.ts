/**
 * When nobody could be asked: the tool is denied and the model told why (GATE-4).
 *
 * Never an exception, which the SDK turns into words of its own, and never null, which blocks it for
 * ever.
 */
import { ClientError } from '../../client/errors.ts';
import type { PermissionResult } from './sdk-types.ts';

export function denial(message: string): PermissionResult {
  return { behavior: 'deny', message };
}

export function whyDenied(cause: unknown): string {
  if (!(cause instanceof ClientError)) return 'Nobody could be asked, so this was not run.';
  if (cause.code === 'aborted') return 'This was cancelled before anybody decided; it was not run.';
  return `Nobody could be asked, so this was not run: ${cause.message}`;
}
