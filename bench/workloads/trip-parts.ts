/**
 * Where the difference between product and floor goes: the floor with one part of the product's work at a time, and the
 * floor that keeps all that the product keeps, driven in turns with both.
 */
import { type Finding, findingFrom } from '../lib/finding.ts';
import type { Comparison } from '../lib/interleave.ts';
import { comparisonOf } from '../lib/paired.ts';
import type { Workload } from '../lib/workload.ts';
import type { Travel } from './trip-actor.ts';
import { type Contestant, drive, LOADS, quick } from './trip.ts';

interface Compared {
  readonly by: string;
  readonly product: Travel;
  readonly floor: Travel;
  /** Floors with parts, by the words of their rows. */
  readonly parts: Readonly<Record<string, Exclude<Contestant['side'], 'floor' | 'product'>>>;
}

const KEEPING = { 'that keeps what the product keeps': 'keeping floor' } as const;

const COMPARED: readonly Compared[] = [
  {
    by: 'by three requests',
    product: 'requests',
    floor: 'requests',
    parts: {
      'whose Worker reads and answers each request': 'reading floor',
      'that reports to a second object': 'reporting floor',
      'that does both': 'reading and reporting floor',
      ...KEEPING,
    },
  },
  { by: 'with open and wait in one request', product: 'wait', floor: 'wait', parts: KEEPING },
  {
    by: 'on sockets, against three requests',
    product: 'sockets',
    floor: 'requests',
    parts: KEEPING,
  },
];

function contestantsOf({ product, floor, parts }: Compared): Contestant[] {
  return [
    { name: 'floor', side: 'floor', travel: floor },
    ...Object.values(parts).map((side) => ({ name: side, side, travel: product })),
    { name: 'product', side: 'product', travel: product },
  ];
}

export const tripParts: Workload = {
  name: 'trip-parts',
  async run(bench) {
    const findings: Finding[] = [];
    const comparisons: Record<string, Comparison> = {};
    for (const load of LOADS.filter(({ sessions }) => sessions < 64)) {
      const who = load.sessions === 1 ? '1 session' : `${load.sessions} sessions`;
      for (const one of COMPARED) {
        const what = `${one.by}, ${who}`;
        bench.log(`  Parts of a trip ${what}`);
        const rounds = await drive(bench, contestantsOf(one), bench.quick ? quick(load) : load);
        const compared = comparisonOf(rounds);
        comparisons[what] = compared;
        const row = (which: string, name: string, metric: string, of: string) =>
          findingFrom(compared, {
            what: `The floor ${which}, ${what}, ${of}`,
            unit: 'ms',
            metric,
            of: name,
            isDetail: true,
          });
        for (const [which, side] of Object.entries(one.parts)) {
          findings.push(row(which, side, 'p50', 'p50'));
          findings.push(row(which, side, 'cpuMs', 'server CPU a trip'));
        }
      }
    }
    return { findings, comparisons };
  },
};
