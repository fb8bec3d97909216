/**
 * Answers for several sessions in one request, with sessions of the test. A bug would look like a session that is called
 * twice at once, hundreds of calls that are held at once, or one broken session that takes the others with it.
 */
import { expect, it } from 'vitest';
import { decideInbox } from '../../src/http/decide-inbox.ts';
import type { Command, InboxDecision } from '../../src/protocol/schema/command.ts';
import { person } from '../support/callers.ts';

const AT_ONCE = 8;

/** Sessions that answer one macrotask after they were called. */
function slowSessions() {
  const running = new Map<string, number>();
  const seen = { most: 0, mostOfOne: 0, order: [] as string[] };
  const handle = async (session: string, interactionId: string) => {
    const own = (running.get(session) ?? 0) + 1;
    running.set(session, own);
    const total = [...running.values()].reduce((sum, one) => sum + one, 0);
    seen.most = Math.max(seen.most, total);
    seen.mostOfOne = Math.max(seen.mostOfOne, own);
    seen.order.push(interactionId);
    await new Promise((resolve) => setTimeout(resolve, 0));
    running.set(session, own - 1);
    if (session === 'broken') throw new Error('The object was reset');
    const json = JSON.stringify({ interaction: { interactionId } });
    return { ok: true, json, isNew: false, replayed: false } as const;
  };
  const findSession = async (_workspace: string, id: string) => ({
    ok: true as const,
    session: { handle: (command: Command) => handle(id, interactionOf(command)) },
  });
  return { seen, findSession };
}

function interactionOf(command: Command): string {
  if (command.type === 'interaction.answer' && 'interactionId' in command.target) {
    return command.target.interactionId;
  }
  throw new Error('The inbox names interactions');
}

async function decide(decisions: readonly InboxDecision[]) {
  const { seen, findSession } = slowSessions();
  const warned: string[] = [];
  const call = {
    ports: { findSession, warn: (message: string) => void warned.push(message) },
    identity: { workspace: 'main', caller: person() },
    context: { caller: person(), timeouts: {} },
    requestId: 'request-1',
  };
  const texts = await decideInbox(decisions, call);
  const results = texts.map((text) => JSON.parse(text) as { ok: boolean; interaction?: object });
  return { seen, warned, results };
}

function decision(sessionId: string, interactionId: string): InboxDecision {
  return { sessionId, interactionId, answer: { decision: 'approve' } };
}

it('[BOX-3] 64 answers for 64 sessions call eight sessions at once, and keep their order', async () => {
  const decisions = Array.from({ length: 64 }, (_, n) => decision(`session-${n}`, `call-${n}~1`));
  const { seen, results } = await decide(decisions);
  expect(seen.most).toBe(AT_ONCE);
  expect(results).toEqual(
    decisions.map(({ interactionId }) => ({ ok: true, interaction: { interactionId } })),
  );
});

it('[BOX-3] the answers of one session come one after another', async () => {
  const decisions = Array.from({ length: 30 }, (_, n) =>
    decision(`session-${n % 3}`, `call-${n}~1`),
  );
  const { seen } = await decide(decisions);
  expect(seen.mostOfOne).toBe(1);
  expect(seen.most).toBe(3);
  for (const session of [0, 1, 2]) {
    const own = seen.order.filter((id) => Number(/\d+/.exec(id)?.[0]) % 3 === session);
    expect(own).toEqual(
      own.toSorted((a, b) => Number.parseInt(a.slice(5), 10) - Number.parseInt(b.slice(5), 10)),
    );
  }
});

it('[BOX-3] a session that breaks has its own refusal, and the others their answers', async () => {
  const decisions = [decision('one', 'a~1'), decision('broken', 'b~1'), decision('two', 'c~1')];
  const { results, warned } = await decide(decisions);
  expect(results.map(({ ok }) => ok)).toEqual([true, false, true]);
  expect(warned).toHaveLength(1);
});
