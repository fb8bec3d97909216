/**
 * Where the difference between product and floor goes: the floor with one part of the product's work at a time, driven in
 * turns with both.
 */
import type { Side } from '../lib/bench-server.ts';
import { type Finding, findingFrom } from '../lib/finding.ts';
import type { Comparison } from '../lib/interleave.ts';
import { comparisonOf } from '../lib/paired.ts';
import type { Bench, Workload } from '../lib/workload.ts';
import { drive, LOADS, quick } from './trip.ts';

const PARTS: readonly { readonly side: Side; readonly what: string }[] = [
  { side: 'reading floor', what: 'whose Worker reads and answers each request' },
  { side: 'reporting floor', what: 'that reports to a second object' },
  { side: 'reading and reporting floor', what: 'that does both' },
];

async function compare(bench: Bench, load: (typeof LOADS)[number]): Promise<Comparison> {
  const sides: readonly Side[] = ['floor', ...PARTS.map(({ side }) => side), 'product'];
  const contestants = sides.map((side) => ({ name: side, side, travel: 'requests' as const }));
  return comparisonOf(await drive(bench, contestants, bench.quick ? quick(load) : load));
}

export const tripParts: Workload = {
  name: 'trip-parts',
  async run(bench) {
    const findings: Finding[] = [];
    const comparisons: Record<string, Comparison> = {};
    for (const load of LOADS.filter(({ sessions }) => sessions < 64)) {
      const who = load.sessions === 1 ? '1 session' : `${load.sessions} sessions`;
      bench.log(`  Parts of a trip of three requests, ${who}`);
      const compared = await compare(bench, load);
      comparisons[who] = compared;
      for (const { side, what } of PARTS) {
        const row = (metric: string, of: string) =>
          findingFrom(compared, {
            what: `The floor ${what}, against the floor, ${who}, ${of}`,
            unit: 'ms',
            metric,
            of: side,
            isDetail: true,
          });
        findings.push(row('p50', 'p50'), row('cpuMs', 'server CPU a trip'));
      }
    }
    return { findings, comparisons };
  },
};
