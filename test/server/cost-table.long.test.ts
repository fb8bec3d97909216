/**
 * Drives the table of costs: the largest legal input of each route and frame, two at once unless the row says
 * otherwise, while `/health` is polled.
 *
 * A bug here looks like a request within every limit that takes hundreds of megabytes, or seconds in which the server
 * answers no other client.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it, vi } from 'vitest';
import { LIMITS } from '../../src/protocol/limits.ts';
import { peakBytes, resetPeak, residentBytes } from '../fuzz/resident-memory.ts';
import { ask, send } from '../support/http/call.ts';
import { type Target, TARGETS, validRequest } from '../support/http/examples.ts';
import { fillWorkspace, openAll, startScriptedModel } from '../support/http/full-workspace.ts';
import { type SampleSession, openSampleSession } from '../support/http/sample-session.ts';
import { ADMIN_KEY, startServer } from '../support/http/server.ts';
import { openSocket } from '../support/http/web-socket.ts';
import { FRAME_COSTS, ROUTE_COSTS, type RouteCost } from './cost-table.ts';

const AT_ONCE = 2;
const MIB = 2 ** 20;
const ROWS = LIMITS.pageMax;
const HEALTH_PAUSE_MS = 20;
/** The rows have the limits; this timeout ends a test of a server that does not answer at all. */
const PATIENCE_MS = 60_000;

// Preparing and measuring are slow on a busy machine; the rows have the limits.
vi.setConfig({ testTimeout: 120_000 });

const { api, replies } = await startScriptedModel();
afterAll(() => api.stop());
const server = await startServer(
  { ANTHROPIC_API_KEY: 'a-key', ANTHROPIC_BASE_URL: api.url },
  { allowPrivateNetwork: true },
);
const full = await fillWorkspace(server, replies, ROWS);

interface Measured<Result> {
  readonly results: Result[];
  /** Undefined on systems that do not report memory. */
  readonly grownBytes: number | undefined;
  readonly slowestHealthMs: number;
}

/** Does the work once per sample session, all at the same time, and polls `/health` until all have ended. */
async function measure<Result>(
  samples: readonly SampleSession[],
  work: (sample: SampleSession) => Promise<Result>,
): Promise<Measured<Result>> {
  const pid = server.pid();
  const before = resetPeak(pid) ? residentBytes(pid) : undefined;
  const state = { isDone: false };
  const health = (async () => {
    let slowest = 0;
    while (!state.isDone) {
      const began = performance.now();
      await send(server, { method: 'GET', path: '/health', token: null, patienceMs: PATIENCE_MS });
      slowest = Math.max(slowest, performance.now() - began);
      await sleep(HEALTH_PAUSE_MS);
    }
    return slowest;
  })();
  const results = await Promise.all(samples.map(work)).finally(() => (state.isDone = true));
  const slowestHealthMs = await health;
  const peak = peakBytes(pid);
  const grownBytes = before === undefined || peak === undefined ? undefined : peak - before;
  return { results, grownBytes, slowestHealthMs };
}

function expectWithin(
  { mebibytes, seconds }: Pick<RouteCost, 'mebibytes' | 'seconds'>,
  { grownBytes = 0, slowestHealthMs }: Measured<unknown>,
): void {
  expect(grownBytes / MIB, 'MiB that the process grew by').toBeLessThan(mebibytes);
  expect(slowestHealthMs / 1_000, 'seconds until /health answered').toBeLessThan(seconds);
}

async function freshPlaces({
  opens,
  settings,
}: Pick<RouteCost, 'opens' | 'settings'>): Promise<SampleSession[]> {
  return Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const sample = await openSampleSession(server);
      const path = `/v1/sessions/${sample.session}`;
      if (opens !== undefined) await openAll(server, path, opens());
      if (settings !== undefined) await ask(server, { method: 'PATCH', path, json: settings });
      return sample;
    }),
  );
}

async function request(target: Target, row: RouteCost, sample: SampleSession): Promise<number> {
  const { method, path, json } = validRequest(target, sample);
  const content = row.json?.(sample) ?? json;
  const body = content && JSON.stringify(content).padEnd(LIMITS.bodyBytes);
  const { status } = await send(server, {
    method,
    patienceMs: PATIENCE_MS,
    path: row.path?.(sample, full) ?? path,
    ...(body !== undefined && { body }),
    headers: { ...(row.accept && { Accept: row.accept }), ...row.headers?.(sample) },
  });
  return status;
}

/** The last or first frame of a reader of the socket. */
async function read(
  target: Target,
  expected: NonNullable<RouteCost['socket']>,
  sample: SampleSession,
) {
  const session = target.pattern.includes(':id') ? { session: sample.session } : {};
  const socket = await openSocket(server, { ...session, token: ADMIN_KEY, after: 0 });
  if ('closed' in expected) return { closed: await socket.closed };
  await socket.until((frame) => frame['type'] === expected.first);
  socket.close();
  return { first: expected.first };
}

const rows = TARGETS.flatMap((target) =>
  (ROUTE_COSTS[target.key] ?? []).map((row) => [target.key, row.largest, target, row] as const),
);

it.each(rows)('[LIM-5] %s costs no more than its row allows: %s', async (_key, _, target, row) => {
  const isRead = target.method === 'GET';
  const samples = isRead
    ? Array.from({ length: row.atOnce ?? AT_ONCE }, () => full.sample)
    : await freshPlaces(row);
  const { socket } = row;
  if (socket !== undefined) {
    const measured = await measure(samples, (sample) => read(target, socket, sample));
    for (const result of measured.results) expect(result).toEqual(socket);
    return expectWithin(row, measured);
  }
  const measured = await measure(samples, (sample) => request(target, row, sample));
  const statuses = row.statuses ?? [target.example.status];
  for (const status of measured.results) expect(statuses).toContain(status);
  expectWithin(row, measured);
});

it.each(Object.entries(FRAME_COSTS))(
  '[LIM-5] a frame "%s" costs no more than its row allows',
  async (_type, row) => {
    const samples = await freshPlaces(row);
    const measured = await measure(samples, async (sample) => {
      const socket = await openSocket(server, { session: sample.session, token: ADMIN_KEY });
      socket.send(row.frame(sample));
      const result = await socket.until((frame) => frame['type'] === 'result');
      socket.close();
      return result;
    });
    for (const result of measured.results) expect(result).toMatchObject({ ok: true });
    expectWithin(row, measured);
  },
);

it('[LIM-5] leaves the server unharmed', async () => {
  await server.expectUnharmed();
});
