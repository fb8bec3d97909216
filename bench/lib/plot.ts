/** Draws the ratios: the median of each, the range of its blocks, and the goal. */
import type { Finding } from './finding.ts';
import type { Spread } from './statistics.ts';

const LABELS = 430;
const SCALE = 430;
const ROW = 22;
const TOP = 34;
/** Larger ratios are drawn at this position; the table has their figure. */
const MOST = 2.5;

type Drawn = Finding & { readonly ratio: Spread };

export function plot(findings: readonly Finding[]): string {
  const drawn = findings.filter(
    (one): one is Drawn => one.ratio !== undefined && one.goals.length > 0,
  );
  const height = TOP + drawn.length * ROW + 12;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LABELS + SCALE + 30} ${height}" font-family="system-ui, sans-serif" font-size="12">
<style>
  text { fill: #333 } .line { stroke: #bbb } .floor { stroke: #777 }
  .yes { fill: #1f7a4d; stroke: #1f7a4d } .no { fill: #b4541a; stroke: #b4541a } .goal { stroke: #333 }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd } .line { stroke: #444 } .floor { stroke: #999 } .goal { stroke: #eee }
    .yes { fill: #5cc08f; stroke: #5cc08f } .no { fill: #e08a4f; stroke: #e08a4f }
  }
</style>
${axis(height)}
${drawn.map(row).join('\n')}
</svg>
`;
}

function x(ratio: number): number {
  return Math.round(LABELS + (Math.min(ratio, MOST) / MOST) * SCALE);
}

function axis(height: number): string {
  const marks = [0, 0.5, 1, 1.5, 2, 2.5].map((ratio) => {
    const label = ratio === 1 ? 'floor = 1' : String(ratio);
    return `<line class="${ratio === 1 ? 'floor' : 'line'}" x1="${x(ratio)}" x2="${x(ratio)}" y1="${TOP - 8}" y2="${height - 8}"/>
<text x="${x(ratio)}" y="${TOP - 14}" text-anchor="middle">${label}</text>`;
  });
  return marks.join('\n');
}

function row(finding: Drawn, index: number): string {
  const { ratio, goals, what } = finding;
  const y = TOP + index * ROW + ROW / 2;
  const goal = goals.find(({ of }) => of === 'ratio')?.atMost;
  const mark = goal === undefined || ratio.median <= goal ? 'yes' : 'no';
  const tick =
    goal === undefined
      ? ''
      : `<line class="goal" stroke-width="2" x1="${x(goal)}" x2="${x(goal)}" y1="${y - 7}" y2="${y + 7}"/>`;
  return `<text x="${LABELS - 10}" y="${y + 4}" text-anchor="end">${escaped(what)}</text>
<line class="${mark}" stroke-width="3" x1="${x(ratio.min)}" x2="${x(ratio.max)}" y1="${y}" y2="${y}"/>
<circle class="${mark}" cx="${x(ratio.median)}" cy="${y}" r="5"/>${tick}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
