/** Writes the table of conventions and cases into docs/agents.md, between its two marks. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../scripts/lib/paths.ts';
import { type CaseName, CASES, type Convention } from './convention.ts';

const FILE = path.join(ROOT, 'docs/agents.md');
const BEGIN = '<!-- written by npm run e2e:agents -->';
const END = '<!-- end of the table -->';
const NAMES = Object.keys(CASES) as CaseName[];

export type Results = ReadonlyMap<CaseName, readonly string[]>;

/** Every convention has a row, in this order; that of one which did not run stays as it is. */
export function writeTable(
  conventions: readonly Convention[],
  results: ReadonlyMap<Convention, Results>,
): void {
  const page = readFileSync(FILE, 'utf8');
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`${FILE} lacks the marks of the table`);
  const kept = rowsOf(page.slice(begin, end));
  const rows = conventions.map((convention) => {
    const cases = results.get(convention);
    const before = kept.get(convention.title);
    return cases === undefined && before !== undefined
      ? before
      : rowOf(convention, cases ?? new Map());
  });
  const table = [headOf(), ...rows].join('\n');
  writeFileSync(FILE, `${page.slice(0, begin)}${BEGIN}\n\n${table}\n\n${page.slice(end)}`);
}

function headOf(): string {
  const titles = ['convention', ...NAMES.map((name) => CASES[name])];
  return `| ${titles.join(' | ')} |\n|${'---|'.repeat(titles.length)}`;
}

function rowsOf(table: string): Map<string, string> {
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  return new Map(rows.slice(1).map((row) => [row.split(' | ')[0]?.slice(2) ?? '', row]));
}

function rowOf({ title, impossible }: Convention, cases: Results): string {
  const cells = NAMES.map((name) => {
    const problems = cases.get(name);
    const reason = impossible[name];
    if (problems !== undefined && problems.length > 0) return `**failed**: ${problems.join('; ')}`;
    if (reason !== undefined) return `impossible: ${reason}`;
    return problems === undefined ? 'not run' : 'passed';
  });
  return `| ${[title, ...cells].join(' | ')} |`;
}
