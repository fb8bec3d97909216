/**
 * A turn with a model that is slow, busy, broken or down, through the built bundle and over real connections.
 *
 * A bug here looks like a turn that hangs, half an answer in the log, an answer that is paid for twice because the
 * object was put to sleep in the middle of it, or a model that goes on answering after an interrupt.
 */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { type AgentSession, agentSession } from '../support/http/agent-session.ts';
import { startServer } from '../support/http/server.ts';
import { type MessagesApi, startMessagesApi } from '../support/messages-api/messages-api.ts';
import { isLongRun } from '../support/run-length.ts';
import { type Reply, answer, refusal, upTo } from '../support/messages-api/reply.ts';

/** The replies for each session, one per request; its system prompt names the script. */
const scripts = new Map<string, Reply[]>();
const api: MessagesApi = await startMessagesApi((body) => scripts.get(scriptOf(body))?.shift());
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

const WORDS = 'Here I am, with all of it.';
const GOOD = answer([
  { type: 'thinking', thinking: 'Who is it?', signature: 'signed' },
  { type: 'text', text: WORDS },
]);
const raw = (data: string) => ({ raw: `event: content_block_delta\ndata: ${data}\n\n` });

const AGAIN: readonly (readonly [string, Reply, string])[] = [
  ['429', refusal(429, 'rate_limit_error', 'slow down', { 'retry-after': '1' }), 'limit'],
  ['529', refusal(529, 'overloaded_error'), 'busy'],
  ['500', refusal(500, 'api_error'), 'service failed'],
  ['502-page', { status: 502, body: '<h1>Bad gateway</h1>' }, 'service failed'],
  ['dropped', upTo(GOOD, 'content_block_delta', [{ drop: true }], 2), 'connection'],
  ['unfinished', upTo(GOOD, 'content_block_delta', [], 2), 'broke off'],
  ['no-json', upTo(GOOD, 'content_block_start', [raw('{"type":"content_bl')]), 'made no sense'],
  [
    'error-event',
    upTo(GOOD, 'content_block_delta', [
      { event: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } },
    ]),
    'busy',
  ],
];

/** The short run plays a refusal and a broken connection. */
const PLAYED = AGAIN.filter(([name]) => isLongRun || name === '429' || name === 'dropped');

describe('[RUN-7] retries a model that may succeed the next time', () => {
  it.concurrent.each(PLAYED)('%s', async (name, fault, words) => {
    const session = await begin(name, fault, GOOD);
    await session.until('turn_ended');
    const [status] = await session.ofType('session_status');
    expect(status?.payload).toMatchObject({ status: 'retrying' });
    expect(status?.payload.message).toContain(words);
    expect(status?.payload.message).toContain('Trying again in 1 second.');
    const texts = await session.ofType('assistant_text');
    expect(texts.map(({ payload }) => payload.text)).toEqual([WORDS]);
    expect((await session.ofType('turn_ended'))[0]?.payload.reason).toBe('completed');
    expect(requestsOf(name)).toHaveLength(2);
  });
});

const NEVER: readonly (readonly [string, Reply, string, string])[] = [
  ['401', refusal(401, 'authentication_error'), 'model_not_authorized', 'ANTHROPIC_API_KEY'],
  ['404', refusal(404, 'not_found_error', 'model: sonet'), 'model_not_found', 'sonet'],
  ['400', refusal(400, 'invalid_request_error', 'no'), 'model_invalid_request', 'refused'],
];

describe('[RUN-7, RUN-10] ends the turn after a permanent failure, and a person retries the turn', () => {
  it.concurrent.each(NEVER)('%s', async (name, fault, code, words) => {
    const session = await begin(`never-${name}`, fault, GOOD);
    await session.until('turn_ended');
    const [error] = await session.ofType('error');
    expect(error?.payload.code).toBe(code);
    expect(error?.payload.message).toContain(words);
    expect((await session.ofType('turn_ended'))[0]?.payload.reason).toBe('error');
    await session.post('/retry', {});
    await session.until('turn_ended', 2);
    expect(await session.ofType('assistant_text')).toHaveLength(1);
  });
});

describe('an answer with unknown parts', () => {
  it('[RUN-7] an unknown stop reason: the turn ends with this reason', async () => {
    const strange = answer([{ type: 'text', text: WORDS }], { stopReason: 'tea_time' });
    const session = await begin('tea-time', strange);
    await session.until('turn_ended');
    const [ended] = await session.ofType('turn_ended');
    expect(ended?.payload).toMatchObject({ reason: 'completed' });
    expect(ended?.payload.message).toContain('tea_time');
  });

  it('[RUN-7] an unknown block: the turn leaves it out and says so', async () => {
    const strange = answer([
      { type: 'hologram', light: 1 },
      { type: 'text', text: WORDS },
    ]);
    const session = await begin('hologram', strange, GOOD);
    await session.until('turn_ended');
    expect((await session.ofType('error'))[0]?.payload.message).toContain('hologram');
    expect(await session.ofType('assistant_text')).toHaveLength(1);
    await session.send('And now?');
    await session.until('turn_ended', 2);
    expect(requestsOf('hologram').map(({ problem }) => problem)).toEqual([undefined, undefined]);
  });
});

it('[RUN-6] an interrupt disconnects from a model that is answering', async () => {
  const endless = upTo(GOOD, 'content_block_delta', [{ stall: true }], 3);
  const session = await begin('talking', endless, GOOD);
  await vi.waitFor(() => expect(requestsOf('talking')).toHaveLength(1), 30_000);
  const before = api.hungUp;
  await session.post('/interrupt', {});
  await vi.waitFor(() => expect(api.hungUp).toBe(before + 1), { timeout: 30_000 });
  expect((await session.ofType('turn_ended'))[0]?.payload.reason).toBe('interrupted');
  expect(await session.ofType('assistant_text')).toEqual([]);
  await session.send('Still there?');
  await session.until('turn_ended', 2);
  expect(await session.ofType('assistant_text')).toHaveLength(1);
});

it('[RUN-1] sends the API nothing that it would refuse, and sends the key to the API alone', async () => {
  expect(api.received.filter(({ problem }) => problem !== undefined)).toEqual([]);
  expect(api.received.every(({ headers }) => headers.authorization === 'Bearer a-key')).toBe(true);
  expect(server.output()).not.toContain('a-key');
  await server.expectUnharmed();
});
