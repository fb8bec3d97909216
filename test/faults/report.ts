/** The common part of the reports of all fault harnesses, as JSON and as text. */
import type { Finding } from '../support/findings.ts';
import type { Percentiles } from '../support/percentiles.ts';

export interface FaultReport {
  readonly seed: string;
  /** Empty when nothing is broken. */
  readonly findings: readonly Finding[];
}

type Figure = string | number | Percentiles | Readonly<Record<string, number>>;

/** One line for each figure, then the findings. */
export function reportText(
  seed: string,
  figures: Readonly<Record<string, Figure>>,
  findings: readonly Finding[],
): string {
  const rows = Object.entries(figures).map(
    ([name, value]) => `${name.padEnd(24)}${figureText(value)}`,
  );
  return [...rows, ...findingLines(seed, findings)].join('\n');
}

export function findingLines(seed: string, findings: readonly Finding[]): string[] {
  return findings.map(
    ({ rule, session, when, evidence }) =>
      `VIOLATION ${rule}  session ${session || '-'}  seed ${seed}  ${when}\n  ${evidence}`,
  );
}

function figureText(value: Figure): string {
  if (typeof value !== 'object') return String(value);
  if (isPercentiles(value)) {
    const { count, p50, p99, max } = value;
    return `p50 ${p50}, p99 ${p99}, max ${max} (${count})`;
  }
  return Object.entries(value)
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ');
}

function isPercentiles(value: object): value is Percentiles {
  return 'p50' in value;
}
