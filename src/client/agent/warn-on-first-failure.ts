/**
 * Warns once, on a terminal, that no request gets through.
 *
 * An agent retries without end, which looks the same as waiting for a person. Without the warning, a wrong address stays
 * unnoticed until somebody gives up.
 */
import { NO_ANSWER } from '../requests/signals.ts';
import type { RetryInfo } from './retry-until.ts';

interface NodeVersions {
  readonly process?: { readonly versions?: { readonly node?: string } };
}

export interface FirstFailureWarning {
  /** The given `fetch`, with a warning at the first failure. */
  readonly fetch: typeof globalThis.fetch;
  /** Warns about replies that are retried too. */
  readonly onRetry: (info: RetryInfo) => void;
}

export function warnOnFirstFailure(address: string, fetch = globalThis.fetch): FirstFailureWarning {
  let hasWarned = false;
  const warn = (reason: string) => {
    if (hasWarned) return;
    hasWarned = true;
    console.warn(
      `holdpoint: no answer from ${address} (${reason}). Trying until there is one. Does the server run there, and is HOLDPOINT_URL its address?`,
    );
  };
  return {
    async fetch(...args) {
      try {
        return await fetch(...args);
      } catch (cause) {
        if (!isCallerAbort(args[1]?.signal)) warn(failureReason(cause));
        throw cause;
      }
    },
    onRetry: ({ error }) => warn(error.message),
  };
}

export function isNode(): boolean {
  return (globalThis as unknown as NodeVersions).process?.versions?.node !== undefined;
}

/** The caller aborted. A timeout of signals.ts also aborts the signal, and counts as a failure. */
function isCallerAbort(signal: AbortSignal | null | undefined): boolean {
  if (signal?.aborted !== true) return false;
  const { message } = signal.reason as { message?: unknown };
  return !String(message).startsWith(NO_ANSWER);
}

/** The message `fetch failed` says nothing; its cause does. */
function failureReason(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const { code, message } = (cause ?? error) as { code?: unknown; message?: unknown };
  return [message, code].find((text) => typeof text === 'string' && text !== '') as string;
}
