/** The pages of a workspace with many sessions against those of a workspace with a hundred, read in turns. */
import type { HttpConnection } from '../client/http-connection.ts';
import type { BenchServer } from '../lib/bench-server.ts';
import type { Finding } from '../lib/finding.ts';
import type { Comparison, Metrics } from '../lib/interleave.ts';
import { median, spreadOf } from '../lib/statistics.ts';

export const SMALL_WORKSPACE = 100;
const ROUNDS = 30;
const PAGES = {
  inbox: { what: 'First page of the inbox', path: '/v1/inbox?limit=100' },
  sessions: { what: 'First page of the sessions', path: '/v1/sessions?limit=100' },
} as const;

type Page = keyof typeof PAGES;

/** Metrics such as `inboxLarge` and `inboxSmall`, in milliseconds. */
export async function readWorkspacePages(large: BenchServer, small: BenchServer): Promise<Metrics> {
  const readers = { Large: await large.connect('person'), Small: await small.connect('person') };
  const metrics: Record<string, number> = {};
  for (const page of Object.keys(PAGES) as Page[]) {
    const times: Record<keyof typeof readers, number[]> = { Large: [], Small: [] };
    for (let round = -3; round < ROUNDS; round += 1) {
      for (const size of ['Large', 'Small'] as const) {
        const ms = await timeOf(readers[size], PAGES[page].path);
        // The first ones compile code.
        if (round >= 0) times[size].push(ms);
      }
    }
    for (const size of ['Large', 'Small'] as const) metrics[`${page}${size}`] = median(times[size]);
  }
  readers.Large.close();
  readers.Small.close();
  return metrics;
}

async function timeOf(reader: HttpConnection, path: string): Promise<number> {
  const start = performance.now();
  await reader.json('GET', path, 200);
  return performance.now() - start;
}

export function workspaceFindings({ others }: Comparison, sessions: string): Finding[] {
  const blocks = others['product']?.blocks ?? [];
  return (Object.keys(PAGES) as Page[]).map((page) => {
    const of = (size: 'Large' | 'Small') =>
      blocks.map((block) => block[`${page}${size}`]).filter((ms) => ms !== undefined);
    const [large, small] = [of('Large'), of('Small')];
    return {
      what: `${PAGES[page].what}: ${sessions} sessions, against ${SMALL_WORKSPACE}`,
      unit: 'ms',
      product: spreadOf(large),
      floor: spreadOf(small),
      ratio: spreadOf(large.map((ms, block) => ms / (small[block] ?? Number.NaN))),
      goals: [],
    };
  });
}
