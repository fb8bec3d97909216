/**
 * `POST /messages` as a stream of the turn (STR-1), for clients without the library.
 *
 * A bug here looks like a stream that never ends, a turn that stops with its reader, or a refusal sent as a stream.
 */
import { expect, it } from 'vitest';
import { type AgentSession, agentSession } from '../support/http/agent-session.ts';
import { expectRefused, send } from '../support/http/call.ts';
import { keyWith } from '../support/http/credentials.ts';
import { ADMIN_KEY, sharedServer } from '../support/http/server.ts';
import { inLongRun } from '../support/run-length.ts';

const server = await sharedServer({ HOLDPOINT_DEMO: '1' });
const STREAM = { Accept: 'text/event-stream' };

interface StreamEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
}

function request(session: AgentSession, text: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.url}${session.path}/messages`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ADMIN_KEY}`, ...STREAM },
    body: JSON.stringify({ text }),
    ...(signal && { signal }),
  });
}

/** The events until `isEnough`, or to the end of the stream. */
async function read(
  { body }: Response,
  isEnough: (events: StreamEvent) => boolean | Promise<boolean> = () => false,
): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body ?? []) {
    rest += decoder.decode(bytes as Uint8Array, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks.filter((text) => !text.startsWith(':'))) {
      const [, type = '', data = '{}'] = /^event: (.*)\ndata: (.*)$/m.exec(block) ?? [];
      events.push({ type, data: JSON.parse(data) as StreamEvent['data'] });
      const last = events.at(-1);
      if (last !== undefined && (await isEnough(last))) return events;
    }
  }
  return events;
}

it('[STR-1] streams a turn from the first piece of text to its end, with the requests to a person', async () => {
  const session = await agentSession(server);
  const response = await request(session, 'write');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const events = await read(response, async ({ type, data }) => {
    if (type !== 'approval_required') return false;
    expect(JSON.parse(data['input'] ?? '')).toMatchObject({ path: 'hello.md' });
    const path = `/interactions/${data['interactionId']}/answer`;
    await session.post(path, { decision: 'approve' });
    return false;
  });
  const types = events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]);
  const order = ['text_delta', 'tool_call_start', 'approval_required', 'interaction_resolved'];
  const positions = [...order, 'tool_result', 'done'].map((type) => types.indexOf(type));
  expect(positions).not.toContain(-1);
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  expect(events.filter(({ type }) => type === 'text_delta').length).toBeGreaterThan(4);
  expect(events.at(-1)).toEqual({ type: 'done', data: { reason: 'completed' } });
});

inLongRun(() => {
  it('[STR-3] loses nothing when its reader disconnects early: the turn goes on', async () => {
    const session = await agentSession(server);
    const leaving = new AbortController();
    const response = await request(session, 'long', leaving.signal);
    await read(response, ({ type }) => type === 'text_delta');
    leaving.abort();
    const events = await session.until('turn_ended');
    expect(events.at(-1)).toMatchObject({ payload: { reason: 'completed' } });
    const [text] = await session.ofType('assistant_text');
    expect(text?.payload.text).toContain('That is the end of the long answer.');
    await server.expectUnharmed();
  });
});

it('[STR-1] a refusal is plain JSON: unknown session, missing scope, empty text', async () => {
  const { path } = await agentSession(server);
  const ask = { method: 'POST', headers: STREAM };
  const nowhere = { ...ask, path: '/v1/sessions/nowhere/messages', json: { text: 'Hello' } };
  expectRefused(await send(server, nowhere), 'not_found');
  const mine = { ...ask, path: `${path}/messages` };
  expectRefused(await send(server, { ...mine, json: { text: ' ' } }), 'invalid_request');
  const token = await keyWith('send');
  expectRefused(await send(server, { ...mine, json: { text: 'Hello' }, token }), 'forbidden');
});
