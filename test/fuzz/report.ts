/** The figures of a run, as text. */
import { percentiles } from '../support/percentiles.ts';
import type { Tally } from './tally.ts';

export interface Failure {
  readonly number: number;
  readonly problem: string;
  /** What sends it again. */
  readonly command: string;
}

export interface FuzzReport {
  readonly seed: string;
  readonly cases: number;
  readonly seconds: number;
  readonly failures: readonly Failure[];
  /** Of the server, every 500 cases. */
  readonly rss: readonly number[];
  readonly tally: Tally;
}

export function reportText({ seed, cases, seconds, failures, rss, tally }: FuzzReport): string {
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
    `${cases} cases in ${seconds.toFixed(1)} s (${rate} a second), seed ${seed}: ${failures.length} failures`,
  ].join('\n');
}

function counts(record: Readonly<Record<string, number>>): string {
  return Object.entries(record)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ');
}
