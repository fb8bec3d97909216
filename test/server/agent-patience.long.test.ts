/**
 * Answers of a model that take longer than a client stays connected: no client is connected while the model answers.
 *
 * A bug here looks like an answer that is paid for twice because the object was put to sleep in the middle of it, or a
 * turn that waits for a silent model without end. Both tests wait in real time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { type AgentSession, agentSession } from '../support/http/agent-session.ts';
import { startServer } from '../support/http/server.ts';
import { startMessagesApi } from '../support/messages-api/messages-api.ts';
import { type Reply, answer, between, upTo } from '../support/messages-api/reply.ts';

/** The replies for each session, one per request; its system prompt names the script. */
const scripts = new Map<string, Reply[]>();
const api = await startMessagesApi((body) => scripts.get(scriptOf(body))?.shift());
afterAll(() => api.stop());
const server = await startServer(
  { ANTHROPIC_API_KEY: 'a-key', ANTHROPIC_BASE_URL: api.url },
  { allowPrivateNetwork: true },
);

function scriptOf(body: unknown): string {
  return (
    /script=([a-z0-9-]+)/.exec(JSON.stringify((body as { system: unknown }).system))?.[1] ?? ''
  );
}

const requestsOf = (name: string) => api.received.filter(({ body }) => scriptOf(body) === name);

async function begin(name: string, ...replies: readonly Reply[]): Promise<AgentSession> {
  scripts.set(name, [...replies]);
  const session = await agentSession(server, { agent: { system: `script=${name}` } });
  await session.send('Hello');
  return session;
}

const GOOD = answer([{ type: 'text', text: 'Here I am, with all of it.' }]);

/** Plain workerd puts an object to sleep after ten seconds without a request, and Cloudflare does the same. */
describe.concurrent('without a connected client', () => {
  it('[RUN-3, INT-9] an answer of half a minute is read to its end, and requested once', async () => {
    const slowly = between(answer([{ type: 'text', text: 'x'.repeat(50) }]), { waitMs: 1_800 });
    const session = await begin('slowly', slowly, GOOD);
    await sleep(30_000);
    await session.until('turn_ended', 1, 10_000);
    expect(await session.ofType('assistant_text')).toHaveLength(1);
    expect(await session.ofType('session_status')).toEqual([]);
    expect(requestsOf('slowly')).toHaveLength(1);
  }, 60_000);

  it('[RUN-7] retries a model that is silent for a minute', async () => {
    const silent = upTo(GOOD, 'content_block_delta', [{ stall: true }], 2);
    const session = await begin('silent', silent, GOOD);
    await sleep(61_000);
    await session.until('turn_ended', 1, 20_000);
    const [status] = await session.ofType('session_status');
    expect(status?.payload.message).toContain('fell silent');
    expect(await session.ofType('assistant_text')).toHaveLength(1);
    expect(requestsOf('silent')).toHaveLength(2);
  }, 100_000);
});
