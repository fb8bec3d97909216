/** Writes the result as a Markdown table. */
import { type Finding, isReached } from './finding.ts';
import type { Spread } from './statistics.ts';

export interface Circumstances {
  readonly startedAt: string;
  readonly minutes: number;
  readonly quick: boolean;
  readonly commit: string;
  readonly workerd: string;
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  readonly dataRoot: string;
  readonly spinBeforeMs: number;
  readonly spinAfterMs: number;
  readonly discarded: number;
}

const HEADINGS = ['What', 'Product', 'Floor', 'Ratio', 'Goal', 'Reached'] as const;

export function report(findings: readonly Finding[], about: Circumstances): string {
  return `# Measured

${about.quick ? '**A quick run: it shows that everything works; its figures are not to be believed.**\n\n' : ''}${circumstances(about)}

Medians, with the range over rounds or blocks. The ratio is of each round to the floor in the same round, or of each block
to the two floor blocks beside it, so it is not the quotient of the two medians before it. Where a row names something
else to compare with, that stands in the place of the floor. [README.md](../README.md) says how to read this.

![Ratios to the floor](latest.svg)

${findingTable(findings)}
`;
}

export function findingTable(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => [
    finding.note === undefined ? finding.what : `${finding.what} (${finding.note})`,
    shown(finding.product, finding.unit),
    shown(finding.floor, finding.unit),
    finding.ratio === undefined ? '' : `**${range(finding.ratio, 2)}**`,
    finding.goals.map(goal).join(', '),
    reached(finding),
  ]);
  return [HEADINGS, HEADINGS.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function circumstances(about: Circumstances): string {
  const { spinBeforeMs, spinAfterMs, discarded } = about;
  const moved = Math.abs(spinAfterMs / spinBeforeMs - 1) > 0.15;
  return `${about.startedAt}, ${about.minutes.toFixed(1)} minutes; commit ${about.commit}; workerd ${about.workerd},
Node ${about.node}; ${about.cores} × ${about.cpu}; data in ${about.dataRoot}. Processor check ${spinBeforeMs.toFixed(0)} ms
before and ${spinAfterMs.toFixed(0)} ms after${moved ? ': **the machine was not steady**' : ''}. Blocks discarded because the floor
beside them moved by more than 30 %: ${discarded}.`;
}

function shown(spread: Spread | undefined, unit: string): string {
  if (spread === undefined) return '';
  return `${range(spread, undefined)} ${unit}`.trim();
}

function range({ median, min, max, count }: Spread, decimals: number | undefined): string {
  const text = (value: number) =>
    decimals === undefined ? significant(value) : value.toFixed(decimals);
  return count === 1 ? text(median) : `${text(median)} (${text(min)}–${text(max)})`;
}

export function significant(value: number): string {
  if (Number.isInteger(value) || value >= 1_000) return value.toFixed(0);
  return Number(value.toPrecision(3)).toString();
}

function goal({ of, atMost }: Finding['goals'][number]): string {
  return of === 'ratio' ? `≤ ${atMost}` : `product ≤ ${atMost}`;
}

function reached(finding: Finding): string {
  if (finding.goals.length === 0) return '';
  const is = isReached(finding);
  if (is === undefined) return 'not measured';
  return is ? 'yes' : '**no**';
}
