/**
 * Gives the answers of one request to the sessions of their interactions, each as if it had come by itself.
 *
 * A session that refuses or cannot be reached has no effect on the others. The answers of one session go one after the
 * other, in their order; only so many sessions are called at once, because each call holds memory here until it
 * returns.
 */
import { hashText } from '../core/digest.ts';
import { batchCommand } from '../core/tool-call-answers.ts';
import type { Rejection } from '../protocol/errors.ts';
import type { Context, InboxDecision } from '../protocol/schema/command.ts';
import { failureRejection } from './rejection-response.ts';
import type { SessionStub } from './stubs.ts';

const SESSIONS_AT_ONCE = 8;

interface DecideCall {
  readonly ports: {
    readonly findSession: (
      workspace: string,
      id: string,
    ) => Promise<{ readonly ok: true; readonly session: Pick<SessionStub, 'handle'> } | Rejection>;
    readonly warn: (message: string, evidence: unknown) => void;
  };
  readonly identity: { readonly workspace: string };
  readonly context: Context;
  readonly requestId: string;
}

interface IndexedDecision {
  readonly index: number;
  readonly decision: InboxDecision;
}

/** Returns one JSON text for each decision, in their order. */
export async function decideInbox(
  decisions: readonly InboxDecision[],
  call: DecideCall,
): Promise<string[]> {
  const bySession = new Map<string, IndexedDecision[]>();
  for (const [index, decision] of decisions.entries()) {
    const { sessionId } = decision;
    bySession.set(sessionId, [...(bySession.get(sessionId) ?? []), { index, decision }]);
  }
  const results: string[] = [];
  const waiting = [...bySession.values()].values();
  const work = async () => {
    // The workers share the iterator: each takes the next session that none has.
    for (const session of waiting) {
      for (const { index, decision } of session)
        results[index] = await giveAnswer(decision, index, call);
    }
  };
  await Promise.all(Array.from({ length: SESSIONS_AT_ONCE }, work));
  return results;
}

async function giveAnswer(
  decision: InboxDecision,
  index: number,
  call: DecideCall,
): Promise<string> {
  const { sessionId, idempotencyKey: _key, ...answer } = decision;
  const { ports, identity, requestId } = call;
  try {
    const found = await ports.findSession(identity.workspace, sessionId);
    if (!found.ok) return refusedText(found);
    const result = await found.session.handle(
      batchCommand(answer),
      contextOf(decision, index, call),
    );
    return result.ok ? `{"ok":true,${result.json.slice(1)}` : refusedText(result);
  } catch (cause) {
    ports.warn(`A decision of request ${requestId} failed`, cause);
    return refusedText(failureRejection(cause));
  }
}

/** The key of the answer counts before that of the request, which covers each answer by its place. */
function contextOf(
  { idempotencyKey, ...decision }: InboxDecision,
  index: number,
  { context }: DecideCall,
): Context {
  const { idempotency, ...rest } = context;
  if (idempotencyKey !== undefined) {
    const bodyHash = hashText(JSON.stringify(decision));
    return { ...rest, idempotency: { key: `POST /v1/inbox/decide ${idempotencyKey}`, bodyHash } };
  }
  if (idempotency === undefined) return rest;
  return { ...rest, idempotency: { ...idempotency, key: `${idempotency.key} ${index}` } };
}

function refusedText({ code, message, details }: Rejection): string {
  const error = { code, message, ...(details !== undefined && { details }) };
  return JSON.stringify({ ok: false, error });
}
