/** The blocks of docs/performance.md. A bug here lets the page say what no run has measured. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { plot } from '../../bench/lib/plot.ts';
import {
  findingsOf,
  performanceBlocks,
  type PublishedRun,
  writeBlocks,
} from '../../bench/lib/published.ts';
import { report } from '../../bench/lib/report.ts';
import { spreadOf } from '../../bench/lib/statistics.ts';
import { ROOT } from '../../scripts/lib/paths.ts';

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

function render(page: string, run: PublishedRun): string {
  return writeBlocks(page, performanceBlocks(run));
}

const latest = JSON.parse(read('bench/results/latest.json')) as PublishedRun;

describe('the published run', () => {
  it('is what the table and the first paragraph of docs/performance.md say', () => {
    const page = read('docs/performance.md');
    expect(page).toBe(render(page, latest));
  });

  it('is what bench/results/ shows', () => {
    const findings = findingsOf(latest);
    expect(read('bench/results/latest.md')).toBe(report(findings, latest.circumstances));
    expect(read('bench/results/latest.svg')).toBe(plot(findings));
  });

  it('is a whole run', () => {
    expect(latest.circumstances.quick).toBe(false);
  });
});

const PAGE = `# Performance

<!-- bench: summary -->
old
<!-- bench: end of summary -->
Text.
<!-- bench: table -->
<!-- bench: end of table -->
`;

function run(findings: ReturnType<typeof findingsOf>): PublishedRun {
  return { circumstances: latest.circumstances, measured: { some: { findings } } };
}

describe('the blocks of the page', () => {
  it('writes figures of the run, and again the same', () => {
    const measured = run([
      {
        key: 'trip-cpu',
        what: 'A trip',
        unit: 'ms',
        product: spreadOf([1.3]),
        floor: spreadOf([1]),
        ratio: spreadOf([1.3]),
        goals: [],
      },
      { what: 'A detail', unit: 'ms', product: spreadOf([7]), goals: [], isDetail: true },
      { key: 'wakes', what: 'Wakes', unit: '', product: spreadOf([0]), goals: [] },
    ]);
    const page = render(PAGE, measured);
    expect(page).toContain('An approval takes 1.3 ms');
    expect(page).toContain('**Waiting costs nothing**');
    expect(page).toContain('| A trip | 1.3 ms | 1 ms | **1.30** |');
    expect(page).not.toContain('A detail');
    expect(page).not.toContain('old');
    expect(page).toContain('Text.');
    expect(render(page, measured)).toBe(page);
  });

  it('makes no claim without a figure, and does not call a wake-up nothing', () => {
    const wakes = { key: 'wakes', what: 'Wakes', unit: '', goals: [] } as const;
    expect(render(PAGE, run([wakes]))).not.toContain('Waiting costs');
    const page = render(PAGE, run([{ ...wakes, product: spreadOf([3]) }]));
    expect(page).toContain('it woke 3 times');
  });

  it('refuses a page whose block is gone', () => {
    expect(() => render('# Performance\n', run([]))).toThrow('no block "summary"');
  });
});
