/**
 * A disk that is full, under the real runtime.
 *
 * The database fails when the runtime writes the object, after the command has returned: the call fails, and the session
 * does not notice. A bug here looks like a fault of the service (500) where the operator only has to free space, a lost
 * answer, or a server that needs a restart once there is space.
 *
 * A limit on file sizes has the effect of a full disk, without a separate file system. Only Linux can set the limit of a
 * running process.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startWorkerd } from '../../scripts/workerd.ts';
import { ask, send } from '../support/http/call.ts';
import { BINDINGS } from '../support/http/server.ts';
import { CLI, digestOf, entriesOf, entryAt } from '../support/transcripts.ts';

/** Larger than a shared-memory index, smaller than the logs of the sessions below. */
const FULL_BYTES = 40_000;
const UNWRITTEN = { status: 503, text: expect.stringContaining('"code":"write_failed"') };
const approval = { kind: 'approval', toolCallId: 'call', toolName: 'Bash', input: {} };
const post = (path: string, json: object) => ({ method: 'POST', path, json: json as never });
const get = (path: string) => ({ method: 'GET', path });

async function startOnFullDisk() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-full-'));
  const server = await startWorkerd({ dataDir, bindings: BINDINGS });
  onTestFinished(async () => {
    await server.kill();
    rmSync(dataDir, { recursive: true });
  });
  const limitFiles = (bytes: string) =>
    execFileSync('prlimit', ['--pid', String(server.pid), `--fsize=${bytes}:unlimited`]);
  return {
    server,
    fill: (bytes = FULL_BYTES) => limitFiles(String(bytes)),
    makeRoom: () => limitFiles('unlimited'),
  };
}

it.runIf(process.platform === 'linux')(
  '[LOG-8] reports every failed write, also the write of a read, and goes on once there is space',
  async () => {
    const { server, fill, makeRoom } = await startOnFullDisk();
    const text = 'x'.repeat(60_000);
    const long = { events: [{ type: 'assistant_text', payload: { text } }] };
    for (const id of ['late', 'calm']) {
      await ask(server, post('/v1/sessions', { id }));
      await ask(server, post(`/v1/sessions/${id}/events`, long));
      const timeoutSeconds = id === 'late' ? 2 : null;
      const question = { ...approval, timeoutSeconds };
      await ask(server, post(`/v1/sessions/${id}/interactions`, question));
    }
    fill();
    const path = '/v1/sessions/calm/interactions';
    const refused = [
      post(`${path}/call~1/answer`, { decision: 'approve' }),
      post(path, { ...approval, toolCallId: 'another' }),
      post('/v1/sessions/calm/events', long),
      post('/v1/sessions/calm/messages', { text: '/clear' }),
    ];
    for (const request of refused) {
      expect(await send(server, request)).toMatchObject(UNWRITTEN);
    }
    await sleep(2_500);
    // A read must store an expiry before it returns the expiry.
    for (const over of ['/v1/sessions/late', '/v1/sessions/late/interactions/call~1?wait=1']) {
      expect(await send(server, get(over))).toMatchObject(UNWRITTEN);
    }
    expect(await send(server, get('/health'))).toMatchObject({ status: 200 });

    makeRoom();
    expect(await ask(server, get('/v1/sessions/late/interactions/call~1'))).toMatchObject({
      interaction: { outcome: 'expired' },
    });
    const calm = await ask(server, get('/v1/sessions/calm'));
    expect(calm).toMatchObject({ head: 4, open: [{ interactionId: 'call~1' }] });
    await ask(server, post(`${path}/call~1/answer`, { decision: 'approve' }));
  },
);

it.runIf(process.platform === 'linux')(
  '[INT-17, LOG-3, LOG-8] stores no large input that it cannot write whole, and takes it once there is space',
  async () => {
    const { server, fill, makeRoom } = await startOnFullDisk();
    const path = '/v1/sessions/large';
    await ask(server, post('/v1/sessions', { id: 'large' }));
    const input = { content: 'x'.repeat(3_000_000) };
    const opening = (toolCallId: string) =>
      post(`${path}/interactions`, { ...approval, toolCallId, input });
    await ask(server, opening('before'));
    const { head } = await ask(server, get(path));
    // Room for none, for some and for most of it.
    for (const bytes of [40_000, 1_000_000, 2_900_000]) {
      fill(bytes);
      const refused = await send(server, opening('half'));
      expect([refused.status, refused.text.slice(0, 200)]).toEqual([
        UNWRITTEN.status,
        UNWRITTEN.text,
      ]);
      makeRoom();
      expect(await ask(server, get(path))).toMatchObject({ head });
      for (const gone of ['', '/input']) {
        const missing = await send(server, get(`${path}/interactions/half~1${gone}`));
        expect(missing.status).toBe(404);
      }
    }
    makeRoom();
    await ask(server, opening('half'));
    for (const iid of ['before~1', 'half~1']) {
      const file = await send(server, get(`${path}/interactions/${iid}/input`));
      expect(JSON.parse(file.text)).toEqual(input);
    }
  },
);

it.runIf(process.platform === 'linux')(
  '[LOG-8] refuses a session whose file cannot be made, and makes it once there is space',
  async () => {
    const { server, fill, makeRoom } = await startOnFullDisk();
    await ask(server, post('/v1/sessions', { id: 'before' }));
    fill(0);
    const opening = post('/v1/sessions', { id: 'new' });
    expect(await send(server, opening)).toMatchObject({
      status: 503,
      text: expect.stringContaining('"code":"unavailable"') as string,
    });
    expect(server.output()).toMatch(/SQLITE_(FULL|IOERR)/);
    makeRoom();
    await ask(server, opening);
  },
);

it.runIf(process.platform === 'linux')(
  '[ALN-1, LOG-8] stores no page of history it cannot write whole, and takes it once there is space',
  async () => {
    const { server, fill, makeRoom } = await startOnFullDisk();
    const path = '/v1/sessions/imported';
    await ask(server, post('/v1/sessions', { id: 'imported' }));
    await ask(server, { method: 'PUT', path: `${path}/cli`, json: CLI });
    const all = entriesOf(40, 'x'.repeat(2_000));
    const page = (from: number, to: number) => ({
      ...CLI,
      from,
      prefixDigest: digestOf(all.slice(0, from)),
      entries: all.slice(from, to),
    });
    const first = await ask(server, post(`${path}/history`, page(0, 20)));
    fill();
    expect(await send(server, post(`${path}/history`, page(20, 40)))).toMatchObject(UNWRITTEN);
    const rewritten = { ...page(0, 1), entries: [entryAt(0, 'y'.repeat(60_000))] };
    expect(await send(server, post(`${path}/history`, rewritten))).toMatchObject(UNWRITTEN);

    makeRoom();
    const kept = { session: { cliSessions: [{ ...CLI, entries: 20, rev: 1 }] } };
    expect(await ask(server, get(path))).toMatchObject(kept);
    expect(await ask(server, get(`${path}/history?limit=100`))).toMatchObject({
      entries: all.slice(0, 20),
    });
    expect(await ask(server, post(`${path}/history`, page(0, 20)))).toEqual(first);
    const digest = digestOf(all);
    expect(await ask(server, post(`${path}/history`, page(20, 40)))).toEqual({
      entries: 40,
      digest,
      rev: 1,
    });
  },
);
