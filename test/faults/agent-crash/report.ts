/** The figures of the agent's crash test, and their table. */
import type { Finding } from '../../support/findings.ts';
import { type FaultReport, findingLines } from '../report.ts';

export interface BoundaryFigures {
  readonly name: string;
  /** Trials in which the server was killed at the boundary. */
  kills: number;
  /** Trials in which the turn ended before the boundary. */
  missed: number;
  /** Turns that ended after the kill. */
  resumed: number;
  /** Of these, turns that no client touched: the alarm resumed them. */
  alone: number;
  /** How often a person was asked whether a tool may run again. */
  askedAgain: number;
  effects: number;
  /** Effects of requests that declared themselves repeats. */
  repeats: number;
  /** Effects of the tool that is not idempotent, beyond the approved ones. */
  duplicates: number;
  requests: number;
  invalid: number;
  slowestMs: number;
  readonly findings: Finding[];
}

export interface AgentCrashReport extends FaultReport {
  readonly seconds: number;
  readonly boundaries: readonly BoundaryFigures[];
  readonly kills: number;
}

export function reportOf(
  seed: string,
  ms: number,
  boundaries: readonly BoundaryFigures[],
): AgentCrashReport {
  const sum = (of: (boundary: BoundaryFigures) => number) =>
    boundaries.reduce((all, boundary) => all + of(boundary), 0);
  return {
    seed,
    seconds: Math.round(ms / 1_000),
    boundaries,
    kills: sum(({ kills }) => kills),
    findings: boundaries.flatMap(({ findings }) => findings),
  };
}

type Counted = Exclude<keyof BoundaryFigures, 'name' | 'findings'>;

const COLUMNS: readonly (readonly [string, Counted])[] = [
  ['kills', 'kills'],
  ['resumed', 'resumed'],
  ['alone', 'alone'],
  ['asked again', 'askedAgain'],
  ['effects', 'effects'],
  ['repeats', 'repeats'],
  ['duplicates', 'duplicates'],
  ['requests', 'requests'],
  ['invalid', 'invalid'],
  ['slowest ms', 'slowestMs'],
  ['missed', 'missed'],
];

export function agentCrashText(report: AgentCrashReport): string {
  const { seed, seconds, boundaries, kills, findings } = report;
  const rows = boundaries.map(
    (boundary) => `| ${boundary.name} | ${COLUMNS.map(([, key]) => boundary[key]).join(' | ')} |`,
  );
  return [
    `| killed | ${COLUMNS.map(([title]) => title).join(' | ')} |`,
    `|---|${COLUMNS.map(() => '--:').join('|')}|`,
    ...rows,
    '',
    `${kills} kills at ${boundaries.length} boundaries, ${findings.length} violations, seed ${seed}, ${seconds} seconds`,
    ...findingLines(seed, findings),
  ].join('\n');
}
