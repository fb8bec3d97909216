/**
 * [AGUI-1, AGUI-2] `GET` and `POST …/agui` over HTTP. A bug here looks like an answer without the right to give it, an
 * answer that counts twice, or a stream that hangs or loses events while its reader is away.
 * The file is long because its tests share one server and one reader of runs.
 */
import { expect, it } from 'vitest';
import type { AguiEvent } from '../../src/http/agui/agui-event.ts';
import type { ErrorCode } from '../../src/protocol/errors.ts';
import type { Json, JsonObject } from '../../src/protocol/json.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { readRuns } from '../support/agui-runs.ts';
import { ask, expectRefused, send } from '../support/http/call.ts';
import { keyWith, personToken, sessionToken, sign } from '../support/http/credentials.ts';
import { startRoutes } from '../support/http/local-app.ts';
import { inLongRun } from '../support/run-length.ts';

const server = await startRoutes();
const agent = await keyWith('agent', 'read');
const person = await personToken('read', 'answer', 'send');
const STREAM = { Accept: 'text/event-stream' };
let sessions = 0;

const APPROVAL = { kind: 'approval', toolName: 'Bash', input: { command: 'ls' }, allowEdit: true };
const YES = { approved: true };

class Thread {
  readonly id: string;
  readonly path: string;
  #runs = 0;

  constructor(id: string) {
    this.id = id;
    this.path = `/v1/sessions/${id}`;
  }

  post(path: string, json: Json, token = agent): Promise<JsonObject> {
    return ask(server, { method: 'POST', path: `${this.path}${path}`, json, token });
  }

  /** Returns the id of the interaction. */
  async asked(toolCallId: string, request: JsonObject = APPROVAL): Promise<string> {
    await this.post('/interactions', { ...request, toolCallId });
    return `${toolCallId}~1`;
  }

  append(...events: JsonObject[]): Promise<JsonObject> {
    return this.post('/events', { events });
  }

  run(input: JsonObject, token: string | null = person) {
    this.#runs += 1;
    const json = { threadId: this.id, runId: `run-${this.#runs}`, messages: [], ...input };
    return send(server, { method: 'POST', path: `${this.path}/agui`, json, token });
  }

  async ran(input: JsonObject, token = person): Promise<AguiEvent[]> {
    const reply = await this.run(input, token);
    const isStream = reply.headers.get('content-type')?.includes('text/event-stream') === true;
    if (reply.status !== 200 || !isStream) throw new Error(reply.text);
    return dataOf(reply.text);
  }

  /** A run that has begun; it follows everything from here on. */
  async begun(input: JsonObject): Promise<{ end(): Promise<AguiEvent[]> }> {
    this.#runs += 1;
    const { fetch = globalThis.fetch } = server;
    const response = await fetch(`${server.url}${this.path}/agui`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${person}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        threadId: this.id,
        runId: `run-${this.#runs}`,
        messages: [],
        ...input,
      }),
    });
    if (!response.ok) throw new Error(await response.text());
    return { end: async () => dataOf(await response.text()) };
  }

  answer(interruptId: string, payload: Json = YES, status = 'resolved') {
    return this.run({ resume: [{ interruptId, status, payload }] });
  }

  async record(interactionId: string): Promise<JsonObject> {
    const path = `${this.path}/interactions/${interactionId}`;
    return (await ask(server, { method: 'GET', path })).interaction as JsonObject;
  }

  async log(): Promise<JsonObject[]> {
    const path = `${this.path}/events?limit=1000`;
    return (await ask(server, { method: 'GET', path })).events as JsonObject[];
  }

  /** Every event of the log as pages of so many. */
  async pages(limit: number): Promise<AguiEvent[]> {
    const events: AguiEvent[] = [];
    for (let after = 0; ; ) {
      const path = `${this.path}/agui?after=${after}&limit=${limit}`;
      const page = await ask(server, { method: 'GET', path });
      events.push(...(page.events as unknown as AguiEvent[]));
      after = page.next as number;
      if (page.more === false) return events;
    }
  }

  /** Follows the log until `isEnough`, and leaves. */
  async follow(
    isEnough: (events: readonly AguiEvent[]) => boolean,
    { after, opened }: { after?: string; opened?: () => Promise<unknown> } = {},
  ): Promise<{ events: AguiEvent[]; lastId: string }> {
    const leave = new AbortController();
    const { fetch = globalThis.fetch } = server;
    const headers = {
      Authorization: `Bearer ${person}`,
      ...STREAM,
      ...(after !== undefined && { 'Last-Event-ID': after }),
    };
    const response = await fetch(`${server.url}${this.path}/agui`, {
      headers,
      signal: leave.signal,
    });
    if (!response.ok) throw new Error(await response.text());
    await opened?.();
    const events: AguiEvent[] = [];
    let rest = '';
    let lastId = '0';
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      rest += decoder.decode(bytes as Uint8Array, { stream: true });
      const end = rest.lastIndexOf('\n\n') + 2;
      events.push(...dataOf(rest.slice(0, end)));
      lastId = [...rest.slice(0, end).matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? lastId;
      rest = rest.slice(end);
      if (isEnough(events)) break;
    }
    leave.abort();
    return { events, lastId };
  }
}

function dataOf(text: string): AguiEvent[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as AguiEvent);
}

async function openThread(): Promise<Thread> {
  sessions += 1;
  const id = `agui-${sessions}`;
  await ask(server, { method: 'POST', path: '/v1/sessions', json: { id }, token: agent });
  return new Thread(id);
}

const endOf = (events: readonly AguiEvent[]) => readRuns(events).at(-1)?.ended;
const runsOf = (events: readonly AguiEvent[]) => readRuns(events).map(({ ended }) => ended);
const TURN: JsonObject = { type: 'turn_started', turnId: 't', payload: {} };
const END: JsonObject = { type: 'turn_ended', turnId: 't', payload: { reason: 'completed' } };

it('[AGUI-1] pages of any size and a stream give the same events', async () => {
  const thread = await openThread();
  await thread.append(TURN, { type: 'assistant_text', turnId: 't', payload: { text: 'I ask' } });
  const id = await thread.asked('call');
  await thread.post(`/interactions/${id}/answer`, { decision: 'approve' }, person);
  await thread.append(END);
  const whole = await thread.pages(100);
  expect(runsOf(whole)).toEqual([[id], 'success']);
  for (const limit of [1, 2, 3]) expect(await thread.pages(limit)).toEqual(whole);
  const streamed = await thread.follow((events) => endOf(events) === 'success');
  expect(streamed.events).toEqual(whole);
});

it('[AGUI-1] a stream goes on after the last id, and follows what happens', async () => {
  const thread = await openThread();
  const id = await thread.asked('call');
  const first = await thread.follow((events) => endOf(events) !== undefined);
  expect(endOf(first.events)).toEqual([id]);
  await thread.post(`/interactions/${id}/answer`, { decision: 'approve' }, person);
  const { events } = await thread.follow(
    (seen) => seen.some(({ type }) => type === 'TEXT_MESSAGE_END'),
    {
      after: first.lastId,
      opened: () => thread.append({ type: 'assistant_text', payload: { text: 'Thanks' } }),
    },
  );
  expect(readRuns([...first.events, ...events]).map(({ ended }) => ended)).toEqual([
    [id],
    'success',
    'success',
  ]);
});

it('[AGUI-1] a stream of five thousand events resumes in the middle', async () => {
  const thread = await openThread();
  const text = { type: 'assistant_text', turnId: 't', payload: { text: 'x' } };
  for (let batch = 0; batch < 5; batch += 1) {
    await thread.append(TURN, ...Array.from({ length: 998 }, () => text), END);
  }
  const isLast = (event?: AguiEvent) => event?.type === 'RUN_FINISHED';
  const whole = await thread.follow(
    (events) => isLast(events.at(-1)) && runsOf(events).length === 5,
  );
  expect(whole.events.filter(({ type }) => type === 'TEXT_MESSAGE_END')).toHaveLength(4_990);
  const cut = await thread.follow((events) => events.length > 0, { after: '2500' });
  const from = whole.events.findIndex(
    (event) => 'messageId' in event && event.messageId === 'holdpoint-2501',
  );
  expect(cut.events[0]).toEqual(whole.events[from]);
});

it('[AGUI-1] a stream ends with its session', async () => {
  const thread = await openThread();
  await thread.asked('call');
  const opened = () => ask(server, { method: 'DELETE', path: thread.path });
  const { events } = await thread.follow(() => false, { opened });
  expect(runsOf(events).at(-1)).toBe('cancelled');
  expectRefused(await send(server, { method: 'GET', path: `${thread.path}/agui` }), 'not_found');
});

it('[AGUI-1] pages and streams refuse a cursor beyond the head, before anything is read', async () => {
  const thread = await openThread();
  for (const headers of [{}, STREAM]) {
    const path = `${thread.path}/agui?after=99`;
    expectRefused(await send(server, { method: 'GET', path, headers }), 'cursor_ahead');
  }
});

it('[AGUI-2] answers as the answer route does, once, and streams what follows', async () => {
  const thread = await openThread();
  await thread.append(TURN);
  const id = await thread.asked('call');
  const payload = { approved: true, editedArgs: { command: 'pwd' } };
  const run = await thread.begun({ resume: [{ interruptId: id, status: 'resolved', payload }] });
  await thread.append({ type: 'assistant_text', turnId: 't', payload: { text: 'Ran' } }, END);
  const events = await run.end();
  expect(readRuns(events)).toMatchObject([{ runId: 'run-1', ended: 'success' }]);
  expect(events).toContainEqual(expect.objectContaining({ delta: 'Ran' }));
  expect(await thread.record(id)).toMatchObject({
    outcome: 'approved',
    updatedInput: { command: 'pwd' },
    settledBy: { subject: 'tester' },
  });
});

it('[AGUI-2] an answer counts once, in any number of runs; a later answer learns who was faster', async () => {
  const thread = await openThread();
  await thread.append(TURN);
  const id = await thread.asked('call');
  const other = await thread.asked('other');
  const entry = { interruptId: id, status: 'resolved', payload: YES };
  expect(endOf(await thread.ran({ resume: [entry] }))).toEqual([other]);
  expect(endOf(await thread.ran({ resume: [entry] }))).toEqual([other]);
  const responses = (await thread.log()).filter(({ type }) => type === 'interaction_response');
  expect(responses).toHaveLength(1);
  const late = await thread.answer(id, { approved: false });
  expectRefused(late, 'already_settled');
  const bob = await personToken('read', 'answer');
  expectRefused(await thread.run({ resume: [entry] }, bob), 'already_settled');
  // A client may only abandon what it believes expired.
  expect(endOf(await thread.ran({ resume: [{ interruptId: id, status: 'cancelled' }] }))).toEqual([
    other,
  ]);
});

it('[AGUI-2] a refused answer stops no other answer and loses nothing', async () => {
  const thread = await openThread();
  await thread.append(TURN);
  const good = await thread.asked('good');
  const bad = await thread.asked('bad', {
    kind: 'question',
    toolName: 'Ask',
    questions: [{ question: 'Why?' }],
  });
  const events = await thread.ran({
    resume: [
      { interruptId: good, status: 'resolved', payload: { approved: false, reason: 'no' } },
      { interruptId: bad, status: 'resolved', payload: { answers: {} } },
      { interruptId: 'nobody~1', status: 'resolved', payload: YES },
    ],
  });
  expect(events.filter(({ type }) => type === 'CUSTOM')).toMatchObject([
    { name: 'holdpoint.refused', value: { of: bad, code: 'invalid_answer' } },
    { name: 'holdpoint.refused', value: { of: 'nobody~1', code: 'not_found' } },
  ]);
  expect(endOf(events)).toEqual([bad]);
  expect(await thread.record(good)).toMatchObject({ outcome: 'denied', reason: 'no' });
  expect(await thread.record(bad)).toMatchObject({ status: 'open' });
  const last = await thread.begun({ resume: [{ interruptId: bad, status: 'cancelled' }] });
  await thread.append(END);
  expect(endOf(await last.end())).toBe('success');
  expect(await thread.record(bad)).toMatchObject({ outcome: 'cancelled' });
}, 60_000);

it.each<[string, Json, ErrorCode]>([
  ['an answer of another kind', { answers: { '0': 'Red' } }, 'wrong_kind'],
  ['an edit of another digest', { ...YES, inputDigest: 'sha256:0' }, 'input_changed'],
  ['an unknown choice', { ...YES, choice: 'always' }, 'not_offered'],
  ['words', 'yes', 'invalid_request'],
  ['two words for it', { ...YES, decision: 'deny' }, 'invalid_request'],
  ['an unknown field', { ...YES, sudo: true }, 'invalid_answer'],
])(
  '[AGUI-2] %s is refused before a run begins, and the question stays open',
  async (_name, payload, code) => {
    const thread = await openThread();
    const id = await thread.asked('call');
    expectRefused(await thread.answer(id, payload), code);
    expect(await thread.record(id)).toMatchObject({ status: 'open' });
  },
);

it('[AGUI-2] answers nothing that the path does not name', async () => {
  const thread = await openThread();
  const other = await openThread();
  const id = await thread.asked('call');
  expectRefused(await other.answer(id), 'not_found');
  expectRefused(await thread.answer('call~2'), 'not_found');
  expectRefused(
    await other.run({
      threadId: thread.id,
      resume: [{ interruptId: id, status: 'resolved', payload: YES }],
    }),
    'invalid_request',
  );
  expect(await thread.record(id)).toMatchObject({ status: 'open' });
});

it.each<[string, (session: string) => Promise<string> | null, number]>([
  ['no credential', () => null, 401],
  ['a reader', () => personToken('read'), 403],
  ['a writer of messages', () => personToken('read', 'send'), 403],
  ['a person who may only answer', () => personToken('answer'), 403],
  ['the agent that asked', () => Promise.resolve(agent), 403],
  ['the token of another session', () => sessionToken('agui-elsewhere', 'read', 'answer'), 404],
  [
    'a person of another workspace',
    () => sign({ workspace: 'other', scopes: ['read', 'answer'] }),
    404,
  ],
])('[AGUI-2, AUTH-2] %s answers nothing', async (_name, tokenOf, status) => {
  const thread = await openThread();
  const id = await thread.asked('call');
  const token = await tokenOf(thread.id);
  for (const verdict of ['resolved', 'cancelled']) {
    const reply = await thread.run(
      { resume: [{ interruptId: id, status: verdict, payload: YES }] },
      token,
    );
    expect(reply.status).toBe(status);
  }
  expect(await thread.record(id)).toMatchObject({ status: 'open' });
});

it('[AGUI-2] a caller without the scope to send neither sends nor answers', async () => {
  const thread = await openThread();
  const id = await thread.asked('call');
  const reply = await thread.run(
    {
      resume: [{ interruptId: id, status: 'resolved', payload: YES }],
      messages: [{ id: 'm-1', role: 'user', content: 'Go' }],
    },
    await personToken('read', 'answer'),
  );
  expectRefused(reply, 'forbidden');
  expect(await thread.record(id)).toMatchObject({ status: 'open' });
});

it('[AGUI-2] a message that the log does not have is sent once, never as an answer', async () => {
  const thread = await openThread();
  await thread.append(TURN);
  const id = await thread.asked('call');
  const messages = [{ id: 'm-1', role: 'user', content: 'yes' }];
  // “yes” approves what is open where it is sent as a message.
  expect(endOf(await thread.ran({ messages }))).toEqual([id]);
  expect(await thread.record(id)).toMatchObject({ status: 'open' });
  const texts = async () => (await thread.log()).filter(({ type }) => type === 'user_message');
  expect(await texts()).toHaveLength(0);
  const resume = [{ interruptId: id, status: 'resolved', payload: YES }];
  const first = await thread.begun({ messages, resume });
  const [said] = await texts();
  expect(said).toMatchObject({ payload: { text: 'yes', subject: 'tester' } });
  const again = await thread.begun({ messages });
  const ofLog = { id: `holdpoint-${said?.seq as number}`, role: 'user', content: 'yes' };
  const third = await thread.begun({ messages: [ofLog] });
  await thread.append(END);
  for (const run of [first, again, third]) expect(endOf(await run.end())).toBe('success');
  expect(await texts()).toHaveLength(1);
}, 60_000);

inLongRun(() => {
  it('[AGUI-2] a run that only reads, outside a turn, ends after a while without events', async () => {
    const thread = await openThread();
    const from = Date.now();
    expect(endOf(await thread.ran({}))).toBe('success');
    expect(Date.now() - from).toBeGreaterThan(LIMITS.aguiIdleSeconds * 1_000 - 500);
  }, 60_000);
});

it(
  '[AGUI-2] a run ends with its answer where the agent reports no turns, and the next finds what it asks',
  async () => {
    const thread = await openThread();
    const id = await thread.asked('first');
    const resume = [{ interruptId: id, status: 'resolved', payload: YES }];
    // It waits for no time: the idle time is longer than the patience of this test.
    expect(endOf(await thread.ran({ resume }))).toBe('success');
    const next = await thread.asked('second');
    expect(endOf(await thread.ran({}))).toEqual([next]);
  },
  (LIMITS.aguiIdleSeconds - 1) * 1_000,
);

it('[AGUI-2] a run ends when its session is deleted', async () => {
  const thread = await openThread();
  await thread.append(TURN);
  const run = await thread.begun({});
  await ask(server, { method: 'DELETE', path: thread.path });
  expect(endOf(await run.end())).toBe('cancelled');
});
