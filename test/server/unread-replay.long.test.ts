/**
 * Connections over the network that never read, and the memory that the server holds for them.
 *
 * A bug here looks like forty sockets of one reader that cost the process more than a gigabyte, or a refused reader
 * that had read everything.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { LIMITS } from '../../src/protocol/limits.ts';
import { peakBytes, resetPeak, residentBytes } from '../fuzz/resident-memory.ts';
import { ask } from '../support/http/call.ts';
import { keyWith } from '../support/http/credentials.ts';
import { fillLog } from '../support/http/full-workspace.ts';
import { startServer } from '../support/http/server.ts';
import { openSocket, type TestSocket } from '../support/http/web-socket.ts';

vi.setConfig({ testTimeout: 120_000 });

const SESSION = 'unread';
const MIB = 2 ** 20;
/** The bytes of an event, its frame and the close. */
const SPARE_BYTES = 2 * LIMITS.eventFrameBytes;
/** More than the limit of one root. */
const STUCK = Math.ceil((LIMITS.rootReplayBytes * 1.25) / LIMITS.replayBytes);
/** Memory of the process besides the held frames: garbage of the replays. */
const SPARE_MIB = 128;
const POLL_MS = 100;
const PATIENCE_MS = 60_000;

const server = await startServer();
await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: SESSION } });
await fillLog(server, `/v1/sessions/${SESSION}`, 3 * LIMITS.replayBytes);
const { head } = (await ask(server, { method: 'GET', path: `/v1/sessions/${SESSION}` })) as {
  head: number;
};

/** The first frame of a reader that needs no replay. */
async function firstFrame(token: string) {
  const socket = await openSocket(server, { session: SESSION, token, after: head });
  const frame = await socket.until(() => true);
  socket.close();
  return frame;
}

async function untilFirstFrame(token: string, type: string) {
  for (const began = Date.now(); ; await sleep(POLL_MS)) {
    const frame = await firstFrame(token);
    if (frame['type'] === type) return frame;
    if (Date.now() - began > PATIENCE_MS) throw new Error(`No "${type}" came`);
  }
}

it('[WS-6] a socket that does not read is sent 8 MiB and closed with 1012', async () => {
  const token = await keyWith('read');
  const socket = await openSocket(server, { session: SESSION, token, after: 0, isStuck: true });
  // Far longer than a replay that does not wait for its reader.
  await sleep(3_000);
  socket.read();
  expect(await socket.closed).toBe(1012);
  const bytes = Buffer.byteLength(JSON.stringify(socket.frames));
  expect(bytes).toBeGreaterThan(LIMITS.replayBytes - SPARE_BYTES);
  expect(bytes).toBeLessThan(LIMITS.replayBytes + SPARE_BYTES);
});

it('[WS-6, LIM-2] sockets of one root that do not read hold 256 MiB at most, and no other root waits for them', async () => {
  const [token, other] = [await keyWith('read'), await keyWith('read')];
  const pid = server.pid();
  const before = resetPeak(pid) ? residentBytes(pid) : undefined;
  const stuck: TestSocket[] = [];
  for (let count = 0; count < STUCK; count += 1)
    stuck.push(await openSocket(server, { session: SESSION, token, after: 0, isStuck: true }));
  const refusal = await untilFirstFrame(token, 'error');
  expect(refusal).toMatchObject({
    error: { code: 'limit_reached', details: { limit: 'rootReplayBytes' } },
  });
  expect(await firstFrame(other)).toMatchObject({ type: 'welcome' });
  const peak = peakBytes(pid);
  const grown = before === undefined || peak === undefined ? 0 : peak - before;
  expect(grown / MIB).toBeLessThan(LIMITS.rootReplayBytes / MIB + SPARE_MIB);
  for (const socket of stuck) socket.close();
  await untilFirstFrame(token, 'welcome');
  await server.expectUnharmed();
});
