/**
 * Says once that nothing comes through, where there is a terminal to say it on.
 *
 * An agent waits for its server as long as it must, which looks the same as waiting for a person. Without a word, a wrong
 * address is found by whoever gives up first.
 */
import type { RetryInfo } from './retry-until.ts';

interface Around {
  readonly process?: { readonly versions?: { readonly node?: string } };
}

export interface FirstTrouble {
  /** The same, but the first try that fails is said. */
  readonly fetch: typeof globalThis.fetch;
  /** For what comes back as an answer and is tried again all the same. */
  readonly onRetry: (trouble: RetryInfo) => void;
}

export function firstTrouble(address: string, fetch = globalThis.fetch): FirstTrouble {
  let isSaid = false;
  const say = (reason: string) => {
    if (isSaid) return;
    isSaid = true;
    console.warn(
      `holdpoint: no answer from ${address} (${reason}). Trying until there is one. Does the server run there, and is HOLDPOINT_URL its address?`,
    );
  };
  return {
    async fetch(...ask) {
      try {
        return await fetch(...ask);
      } catch (cause) {
        if (!isGivenUp(ask[1]?.signal)) say(reasonOf(cause));
        throw cause;
      }
    },
    onRetry: ({ error }) => say(error.message),
  };
}

export function isNode(): boolean {
  return (globalThis as unknown as Around).process?.versions?.node !== undefined;
}

/** The caller no longer wants it. That the time was up (linked-signal.ts says so in words) is trouble like any other. */
function isGivenUp(signal: AbortSignal | null | undefined): boolean {
  if (signal?.aborted !== true) return false;
  const { message } = signal.reason as { message?: unknown };
  return !String(message).startsWith('No answer within');
}

/** `fetch failed` says nothing; what it was caused by does. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const { code, message } = (cause ?? error) as { code?: unknown; message?: unknown };
  return [message, code].find((one) => typeof one === 'string' && one !== '') as string;
}
