/**
 * Several questions that are opened in one request, and from there on are questions of their own.
 *
 * 1. The batch is tried once. What it did not open, because it was lost, too large or refused as a whole, each question
 *    opens by itself, under the call id that it had in the batch: the session finds the same question.
 * 2. A question that describes its call may have to wait for that call, and is not part of the batch.
 */
import { abortedError, ClientError } from '../errors.ts';
import { freshKey } from '../requests/http-calls.ts';
import { orAbort } from '../requests/signals.ts';
import type { BatchOpened, Opened, WriteOptions } from '../transport.ts';
import { ERRORS } from '../../protocol/errors.ts';
import { OPENINGS_PER_BATCH } from '../../protocol/limits.ts';
import type { InteractionRequest } from '../../protocol/types.ts';
import type { EnsuredSession, PendingAsk } from './ask-until-settled.ts';

type AskSession = PendingAsk['session'];

interface JointAsk {
  readonly body: InteractionRequest;
  readonly how: { readonly signal?: AbortSignal | undefined };
}

/** For each request of the batch, the session as its question sees it. What is given up by now is not opened. */
export function openJointly(
  session: EnsuredSession,
  asks: readonly JointAsk[],
): ReadonlyMap<InteractionRequest, AskSession> {
  const together = asks.flatMap(({ body, how }) =>
    body.correlate === undefined && how.signal?.aborted !== true ? [body] : [],
  );
  const sessions = new Map<InteractionRequest, AskSession>();
  for (let first = 0; first < together.length; first += OPENINGS_PER_BATCH) {
    const part = together.slice(first, first + OPENINGS_PER_BATCH);
    const opened = session.openAll(part, { idempotencyKey: freshKey() });
    for (const [at, request] of part.entries()) {
      const own = opened.then((results) => results[at] as BatchOpened);
      // A question that is aborted first does not look at it.
      own.catch(() => undefined);
      sessions.set(request, jointSession(session, own));
    }
  }
  return sessions;
}

function jointSession(
  session: EnsuredSession,
  batch: Promise<BatchOpened> | undefined,
): AskSession {
  let first = batch;
  return {
    id: () => session.id(),
    async open(request: InteractionRequest, options: WriteOptions): Promise<Opened> {
      const opened = first;
      first = undefined;
      if (opened === undefined) return session.open(request, options);
      const { signal = new AbortController().signal } = options;
      const result = await orAbort(opened, signal, abortedError).catch((cause: unknown) => {
        if (signal.aborted) throw cause;
        return undefined;
      });
      if (result === undefined) return session.open(request, options);
      if (result.ok) return result;
      const { code, message, details } = result;
      const known = Object.hasOwn(ERRORS, code) ? ERRORS[code] : ERRORS.invalid_request;
      const { status, retry } = known;
      throw new ClientError({ code, message, status, retry, details });
    },
  };
}
