/**
 * The built workspace object under workerd, driven with nothing but reports until it is saturated. The data lie in
 * memory, so that the processor is what runs out: on Cloudflare the object goes on while a commit is replicated.
 */
import { existsSync } from 'node:fs';
import { HttpConnection } from '../client/http-connection.ts';
import { type BenchServer, type Bundles, withServer } from '../lib/bench-server.ts';
import { processUsage } from '../lib/process-usage.ts';
import { costsBundle } from '../product/costs-bundle.ts';
import { liveOnce } from './sample-session.ts';
import { renamed } from './simulate.ts';

const MEMORY = '/dev/shm';
const CONNECTIONS = 4;
const REPORTS_A_REQUEST = 25;

/** While reports arrive as fast as the object takes them. */
export interface Saturated {
  readonly approvals: number;
  /** Question and answer in a report each, as with a person. */
  readonly apart: Speed;
  /** Both in one report, as with a program that answers at once. */
  readonly batched: Speed;
}

interface Speed {
  readonly reportsPerSecond: number;
  /** Worker, call and object together; undefined on systems without /proc. */
  readonly cpuMsPerReport: number | undefined;
}

export function saturateWorkspace(bundles: Bundles, approvals: number): Promise<Saturated> {
  const dataRoot = existsSync(MEMORY) ? MEMORY : bundles.dataRoot;
  const counting = { ...bundles, product: costsBundle(bundles.product), dataRoot };
  return withServer('product', counting, async (server) => {
    const now = Date.now();
    const life = await liveOnce(now, now + 30_000);
    const atOnce = await liveOnce(now, now + 10, true);
    const warmUp = Math.ceil(approvals / 4);
    await send(server, life.created, 'warm-up', warmUp);
    await send(server, life.opened, 'warm-up', warmUp);
    await send(server, life.answered, 'warm-up', warmUp);
    await send(server, life.created, 'apart', approvals);
    await send(server, atOnce.created, 'batched', approvals);
    const apart = await speedOf(server, 2 * approvals, async () => {
      await send(server, life.opened, 'apart', approvals);
      await send(server, life.answered, 'apart', approvals);
    });
    const batched = await speedOf(server, approvals, () =>
      send(server, atOnce.answered, 'batched', approvals),
    );
    return { approvals, apart, batched };
  });
}

async function speedOf(
  server: BenchServer,
  reports: number,
  work: () => Promise<void>,
): Promise<Speed> {
  const before = processUsage(server.pid)?.cpuMs;
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1_000;
  const after = processUsage(server.pid)?.cpuMs;
  const hasCpu = before !== undefined && after !== undefined;
  return {
    reportsPerSecond: reports / seconds,
    cpuMsPerReport: hasCpu ? (after - before) / reports : undefined,
  };
}

async function send(
  server: BenchServer,
  report: string,
  name: string,
  count: number,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const connection = await HttpConnection.open(server.port, server.tokens.admin);
      while (next < count) {
        const from = next;
        next = Math.min(count, next + REPORTS_A_REQUEST);
        const body = Array.from({ length: next - from }, (_, n) =>
          renamed(report, `${name}-${from + n}`),
        );
        const { heads } = await connection.json<{ heads: unknown[] }>(
          'POST',
          '/bench/reports',
          200,
          { body },
        );
        const wrong = heads.findIndex((head, n) => head !== body[n]?.head);
        if (wrong >= 0) throw new Error(`Report ${from + wrong} was not applied`);
      }
      connection.close();
    }),
  );
}
