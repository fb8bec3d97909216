/**
 * Ids of sessions that were never created.
 *
 * A bug here looks like a disk full of empty files and a process without free descriptors, because a caller with the
 * scope `read` requests one id after the other; or, conversely, like a 404 right after the creation of a session.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { ROUTES } from '../../src/http/routes/index.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { ask, send } from '../support/http/call.ts';
import { startServer } from '../support/http/server.ts';
import { openSocket } from '../support/http/web-socket.ts';

const server = await startServer();
const folder = path.join(server.dataDir, 'storage/session');

/** Files of sessions, each with the two that SQLite keeps next to it while it is open. */
function filesOfSessions(): string[] {
  return readdirSync(folder).filter((name) => /^[0-9a-f]{64}/.test(name));
}

function alarmsSet(): number {
  const sqlite = new DatabaseSync(path.join(folder, 'metadata.sqlite'), { readOnly: true });
  const count = sqlite.prepare('SELECT count(*) AS count FROM _cf_ALARM').get()?.['count'];
  sqlite.close();
  return Number(count);
}

const BODIES: Readonly<Record<string, JsonObject>> = {
  messages: { text: 'Hello' },
  events: { events: [{ type: 'assistant_text', payload: { text: 'Hello' } }] },
  interactions: { kind: 'approval', toolName: 'Bash', toolCallId: 'call', input: {} },
  batch: { requests: [{ kind: 'approval', toolName: 'Bash', toolCallId: 'call', input: {} }] },
  restore: { seq: 1 },
  decide: { decisions: [{ toolCallId: 'call', answer: { decision: 'approve' } }] },
  answer: { decision: 'approve' },
  acknowledge: { toolCallId: 'call' },
  result: { output: 'done' },
  links: { subject: 'mia' },
  tokens: { scopes: ['read'] },
  'submit-answers': { toolCallId: 'call', answers: { '0': 'Red' } },
  approve: { toolCallId: 'call' },
  deny: { toolCallId: 'call' },
  'tool-calls': { toolCallId: 'call', toolName: 'Bash', input: {} },
  attachments: { a: 'file' },
  cli: { provider: 'codex', cliSessionId: 'one' },
  rules: { effect: 'deny', toolName: 'Launch' },
  handover: { audience: { subjects: ['mia'] } },
  history: {
    provider: 'codex',
    cliSessionId: 'one',
    from: 0,
    prefixDigest: '',
    entries: [{ id: '1', at: 1, type: 'user_message', payload: { text: 'Hello' } }],
  },
};
const QUERIES: Readonly<Record<string, string>> = { search: '?q=word', attachments: '?name=a.txt' };
const WAYS: Readonly<Record<string, string>> = { Prefer: 'wait=1', Accept: 'text/event-stream' };

function requestsFor(id: string) {
  const bodies: typeof BODIES = { ...BODIES, agui: { threadId: id, runId: 'run-1' } };
  return ROUTES.filter((route) => route.path.includes('/sessions/:id')).map((route) => {
    const at = route.path
      .replace(':id', id)
      .replace(':iid', 'call~1')
      .replace(':attachmentId', `att_${'0'.repeat(32)}`)
      .replace(/:(\w+)/g, 'name');
    const json =
      bodies[at.split('/').at(-1) ?? ''] ?? (route.method === 'PATCH' ? { title: 'x' } : undefined);
    const query = QUERIES[at.split('/').at(-1) ?? ''] ?? '';
    return {
      method: route.method,
      path: at + query,
      ...(json && route.method !== 'GET' && { json }),
    };
  });
}

it('[LOG-12] leave no file and no alarm after any request of any caller', async () => {
  await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: 'one' } });
  const { secret: reader } = (await ask(server, {
    method: 'POST',
    path: '/v1/keys',
    json: { name: 'reader', scopes: ['read', 'answer', 'send'] },
  })) as { secret: string };
  const [files, alarms] = [filesOfSessions(), alarmsSet()];
  const statuses = new Set<number>();
  let asked = 0;
  for (let round = 0; asked < 200; round += 1) {
    for (const request of requestsFor(`nobody-${round}`)) {
      for (const headers of [{}, WAYS]) {
        const token = round % 2 === 0 ? reader : undefined;
        const reply = await send(server, { ...request, headers, ...(token && { token }) });
        statuses.add(reply.status);
        asked += 1;
      }
    }
    const socket = await openSocket(server, { session: `socket-${round}`, token: reader });
    expect(await socket.closed).toBe(4404);
  }
  // A refused creation is no session either.
  for (const id of ['agents', 'own']) {
    const json = { id, permissionMode: 'acceptEdits' };
    const refused = await send(server, {
      method: 'POST',
      path: '/v1/sessions',
      json,
      token: reader,
    });
    expect(refused.status).toBe(403);
  }
  expect([...statuses].toSorted((a, b) => a - b)).toEqual([403, 404, 426]);
  // The log of a database is gone once its session has left memory, and comes back with it.
  expect(filesOfSessions().filter((name) => !files.includes(name))).toEqual([]);
  expect(alarmsSet()).toBe(alarms);
});

it('[LOG-12] are known right after their creation, and after a crash', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => `fresh-${index}`);
  const seen = await Promise.all(
    ids.map(async (id) => {
      await ask(server, { method: 'POST', path: '/v1/sessions', json: { id } });
      return (await send(server, { method: 'GET', path: `/v1/sessions/${id}` })).status;
    }),
  );
  expect(seen).toEqual(ids.map(() => 200));
  await server.restart('kill');
  for (const id of ids) {
    const reply = await send(server, { method: 'GET', path: `/v1/sessions/${id}` });
    expect(reply.status).toBe(200);
  }
});
