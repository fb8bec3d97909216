/** The figures of a fuzz run, and their table. */
import { type FaultReport, findingLines } from '../faults/report.ts';
import { percentiles } from '../support/percentiles.ts';
import type { Tally } from './tally.ts';

export interface FuzzReport extends FaultReport {
  readonly cases: number;
  readonly seconds: number;
  /** The memory of the server, every 500 cases. */
  readonly rss: readonly number[];
  readonly tally: Tally;
}

export function fuzzText(report: FuzzReport): string {
  const { seed, cases, seconds, findings, rss, tally } = report;
  const { p50, p99, max } = percentiles(tally.ms.map(Math.round));
  const rate = Math.round(cases / seconds);
  const routes = [...tally.routes].map(
    ([key, { asked, served, refused }]) =>
      `  ${key.padEnd(54)}${String(asked).padStart(6)}${String(served).padStart(7)}${String(refused).padStart(8)}`,
  );
  return [
    `${'  route'.padEnd(56)} asked served refused`,
    ...routes,
    `statuses   ${counts(tally.statuses)}, closed ${tally.closed}`,
    `codes      ${counts(tally.codes)}`,
    `raw bytes  ${counts(tally.raws)}`,
    `sockets    ${counts(tally.socketEnds)}; ${tally.socketFrames} frames heard`,
    `never served: ${tally.neverServed.join(', ') || 'none'}`,
    `answers    p50 ${p50} ms, p99 ${p99} ms, max ${max} ms`,
    `memory     ${rss.map((bytes) => Math.round(bytes / 2 ** 20)).join(', ')} MiB`,
    `${cases} cases in ${seconds.toFixed(1)} s (${rate} a second), seed ${seed}: ${findings.length} failures`,
    ...findingLines(seed, findings),
  ].join('\n');
}

function counts(record: Readonly<Record<string, number>>): string {
  return Object.entries(record)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ');
}
