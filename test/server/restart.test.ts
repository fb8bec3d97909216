/**
 * kill -9, a clean stop, and the state afterwards.
 *
 * A bug here looks like an acknowledged answer that is lost, a question that hangs because its deadline passed while no
 * process ran, or a client that resumes at a log with a gap.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { ask, expectRefused, send } from '../support/http/call.ts';
import { readVisibleState, openSampleSession } from '../support/http/sample-session.ts';
import { startServer } from '../support/http/server.ts';
import { openSocket } from '../support/http/web-socket.ts';
import { until } from '../support/until.ts';

const server = await startServer();
const post = (path: string, json: JsonObject) => ask(server, { method: 'POST', path, json });
const get = (path: string) => ask(server, { method: 'GET', path });

interface Opened {
  readonly interaction: { readonly interactionId: string; readonly expiresAt: number };
}

async function openApproval(session: string, more: JsonObject = {}) {
  const body = { kind: 'approval', toolCallId: 'call-1', toolName: 'Bash', input: {}, ...more };
  const opened = await post(`/v1/sessions/${session}/interactions`, body);
  return (opened as unknown as Opened).interaction;
}

interface Event {
  readonly seq: number;
  readonly type: string;
  readonly at: number;
}

async function logOf(session: string): Promise<Event[]> {
  const page = await get(`/v1/sessions/${session}/events?limit=1000`);
  return (page as unknown as { events: Event[] }).events;
}

it('[INT-8, OUT-2] expires by itself the interactions that became overdue while it was down', async () => {
  const sessions = Array.from({ length: 8 }, (_, index) => `overdue-${index}`);
  let last = 0;
  for (const id of sessions) {
    await post('/v1/sessions', { id });
    // Some were reported to the workspace before the kill, the last ones were not.
    const { expiresAt } = await openApproval(id, { timeoutSeconds: 1 });
    last = Math.max(last, expiresAt);
  }
  await server.restart('kill', () => sleep(Math.max(0, last - Date.now()) + 50));

  // Only the workspace is asked, so the request wakes no session.
  const expired = await until(async () => {
    const { entries } = (await get('/v1/audit?limit=1000')) as unknown as {
      entries: { sessionId?: string; outcome?: string }[];
    };
    const found = entries.filter(({ sessionId = '' }) => sessionId.startsWith('overdue-'));
    return found.length >= sessions.length ? found : undefined;
  });
  expect(new Set(expired.map(({ sessionId }) => sessionId))).toEqual(new Set(sessions));
  expect(expired.every(({ outcome }) => outcome === 'expired')).toBe(true);
  expect(await get('/v1/inbox')).toMatchObject({ interactions: [], total: 0 });

  for (const id of sessions) {
    const events = await logOf(id);
    expect(events.map(({ type }) => type)).toEqual([
      'session_started',
      'interaction_pending',
      'interaction_request',
      'interaction_response',
      'interaction_pending',
    ]);
    const { interaction } = (await get(`/v1/sessions/${id}/interactions/call-1~1`)) as unknown as {
      interaction: { settledAt: number; expiresAt: number; outcome: string };
    };
    expect(interaction.outcome).toBe('expired');
    expect(interaction.settledAt).toBeGreaterThanOrEqual(interaction.expiresAt);
  }
});

it('[INT-6] refuses a late answer after the restart, though no process ran the deadline', async () => {
  await post('/v1/sessions', { id: 'late' });
  const { expiresAt } = await openApproval('late', { timeoutSeconds: 1 });
  await server.restart('kill', () => sleep(Math.max(0, expiresAt - Date.now()) + 50));
  const reply = await send(server, {
    method: 'POST',
    path: '/v1/sessions/late/interactions/call-1~1/answer',
    json: { decision: 'approve' },
  });
  expectRefused(reply, 'already_settled');
  expect(JSON.parse(reply.text)).toMatchObject({ error: { details: { outcome: 'expired' } } });
});

it('[LOG-3] has everything it acknowledged, after a kill in the middle of the next command', async () => {
  const acknowledged = new Set<string>();
  const work = { isOver: false };
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    const session = `busy-${writer % 4}`;
    await send(server, { method: 'POST', path: '/v1/sessions', json: { id: session } });
    for (let count = 0; !work.isOver; count += 1) {
      const toolCallId = `call-${writer}-${count}`;
      const id = `${toolCallId}~1`;
      try {
        await openApproval(session, { toolCallId });
        acknowledged.add(`${session} ${id} open`);
        await post(`/v1/sessions/${session}/interactions/${id}/answer`, { decision: 'approve' });
        acknowledged.add(`${session} ${id} settled`);
      } catch {
        return;
      }
    }
  });
  for (let round = 0; acknowledged.size < 200 && round < 500; round += 1) await sleep(10);
  await server.restart('kill', async () => {
    work.isOver = true;
    await Promise.all(writers);
  });
  expect(acknowledged.size).toBeGreaterThanOrEqual(200);
  for (const line of acknowledged) {
    const [session, id, status] = line.split(' ');
    const { interaction } = (await get(
      `/v1/sessions/${session}/interactions/${id}`,
    )) as unknown as {
      interaction: { status: string; outcome: string | null };
    };
    if (status === 'settled') expect(interaction.outcome).toBe('approved');
  }
  for (const session of ['busy-0', 'busy-1', 'busy-2', 'busy-3']) {
    const events = await logOf(session);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  }
});

it('[API-2] answers a repeated request as before the crash', async () => {
  await post('/v1/sessions', { id: 'repeated' });
  const request = {
    method: 'POST',
    path: '/v1/sessions/repeated/interactions',
    json: { kind: 'approval', toolName: 'Bash', input: { command: 'ls' } },
    headers: { 'Idempotency-Key': 'the-same-key' },
  };
  const first = await ask(server, request);
  await server.restart('kill');
  const again = await send(server, request);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(JSON.parse(again.text)).toEqual(first);
  const other = { ...request, json: { ...request.json, toolName: 'Read' } };
  expectRefused(await send(server, other), 'idempotency_key_reused');
  expect(await logOf('repeated')).toHaveLength(3);
});

it('[TRN-4, WS-1] lets a client resume without a gap or a duplicate', async () => {
  await post('/v1/sessions', { id: 'watched' });
  const token = (
    (await post('/v1/sessions/watched/tokens', { scopes: ['read'] })) as { token: string }
  ).token;
  const seen: Event[] = [];
  let cursor = 0;
  for (const [round, how] of (['kill', 'kill', 'stop'] as const).entries()) {
    const socket = await openSocket(server, { session: 'watched', token, after: cursor });
    await openApproval('watched', { toolCallId: `call-${round}` });
    const wanted = cursor + (round === 0 ? 3 : 2);
    const eventsIn = () =>
      socket.frames.flatMap((frame) =>
        frame.type === 'events' ? frame.events : [],
      ) as unknown as Event[];
    await socket.until(() => eventsIn().some(({ seq }) => seq >= wanted));
    seen.push(...eventsIn());
    cursor = seen.at(-1)?.seq ?? 0;
    await server.restart(how);
    expect([1000, 1001, 1005, 1006, 1011, 1012]).toContain(await socket.closed);
  }
  expect(seen).toEqual(await logOf('watched'));
  const back = await openSocket(server, { session: 'watched', token, after: cursor });
  const welcome = await back.until((frame) => frame.type === 'welcome');
  expect(welcome).toMatchObject({ head: cursor, open: [{}, {}, {}] });
  back.close();
  const ahead = await openSocket(server, { session: 'watched', token, after: cursor + 1 });
  expect(await ahead.closed).toBe(4409);
});

it('[INT-8] sends the outcome to an agent that waited before the crash and again after it', async () => {
  await post('/v1/sessions', { id: 'waiting' });
  const body = { kind: 'approval', toolCallId: 'call-1', toolName: 'Bash', input: {} };
  const path = '/v1/sessions/waiting/interactions';
  const wait = { headers: { Prefer: 'wait=8' } };
  const lost = send(server, { method: 'POST', path, json: body, ...wait }).catch(() => 'lost');
  await until(async () => {
    const { open } = (await get('/v1/sessions/waiting')) as unknown as {
      open: { agentWaiting: boolean }[];
    };
    return open[0]?.agentWaiting === true ? true : undefined;
  });
  await server.restart('kill');
  expect(await lost).toBe('lost');
  const again = ask(server, { method: 'POST', path, json: body, ...wait });
  await post(`${path}/call-1~1/answer`, { decision: 'approve' });
  expect(await again).toMatchObject({ settled: true, interaction: { outcome: 'approved' } });
});

it('[AUTH-7, LOG-9] remembers revoked credentials and deleted sessions', async () => {
  const { key, secret } = (await post('/v1/keys', {
    name: 'gone',
    scopes: ['read'],
  })) as unknown as {
    key: { id: string };
    secret: string;
  };
  const kept = (await post('/v1/keys', { name: 'kept', scopes: ['read'] })) as { secret: string };
  await ask(server, { method: 'DELETE', path: `/v1/keys/${key.id}` });
  await post('/v1/sessions', { id: 'deleted' });
  await ask(server, { method: 'DELETE', path: '/v1/sessions/deleted' });
  await server.restart('kill');
  const list = { method: 'GET', path: '/v1/sessions' };
  expectRefused(await send(server, { ...list, token: secret }), 'unauthenticated');
  expect((await send(server, { ...list, token: kept.secret })).status).toBe(200);
  const again = { method: 'POST', path: '/v1/sessions', json: { id: 'deleted' } };
  expectRefused(await send(server, again), 'session_deleted');
});

it('[LOG-4] shows the same after a clean stop and after a crash', async () => {
  const sample = await openSampleSession(server);
  const before = await readVisibleState(server, sample);
  await server.restart('stop');
  const [session, ...rest] = await readVisibleState(server, sample);
  expect(session).toEqual(before[0]);
  expect(rest.slice(0, 2)).toEqual(before.slice(1, 3));
  await server.restart('kill');
  expect((await readVisibleState(server, sample))[0]).toEqual(before[0]);
});

it('[LIM-4] has logged no error in any of its processes', async () => {
  await server.expectRunning();
  expect(server.output()).not.toMatch(/"level":"warn"|Uncaught exception/);
});
