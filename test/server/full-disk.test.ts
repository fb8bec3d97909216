/**
 * A disk that is full, under the real runtime.
 *
 * The database refuses when the object is written out, after the command has returned: the call breaks
 * and nothing in the session sees it. A bug here looks like a fault of the service (500) where the
 * operator only has to make room, a question that was answered in vain, or a server that has to be
 * started again once there is room.
 *
 * A limit on the size of files does what a full disk does, in a test that need not own a file system.
 * The limit of a process that runs can be set on Linux alone.
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

/** More than a shared-memory index has, less than the logs of the sessions below. */
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
    fill: () => limitFiles(String(FULL_BYTES)),
    makeRoom: () => limitFiles('unlimited'),
  };
}

it.runIf(process.platform === 'linux')(
  '[LOG-8] says of every write that it failed, also of one that a read makes, and goes on once there is room',
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
    // What is over must be written before anything is said about it.
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
