/** Writes what a run found into docs/mcp.md, each table between its two marks. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../scripts/lib/paths.ts';
import { CASES, type CaseName } from './cases.ts';
import { type Check, type Revision, REVISIONS } from './conformance.ts';
import { GROUPS } from './reasons.ts';

const FILE = path.join(ROOT, 'docs/mcp.md');
const NAMES = Object.keys(CASES) as CaseName[];
const VERDICTS = ['passed', 'failed', 'not applicable'] as const;

export type Played = ReadonlyMap<CaseName, readonly string[]>;

export function writeClients(played: ReadonlyMap<string, Played>): void {
  const rows = NAMES.map((name) => [
    CASES[name],
    ...[...played.values()].map((cases) => {
      const problems = cases.get(name) ?? ['not run'];
      return problems.length === 0 ? 'passed' : `**failed**: ${problems.join('; ')}`;
    }),
  ]);
  writeBetween('clients', tableOf(['case', ...played.keys()], rows));
}

export function writeConformance(found: ReadonlyMap<Revision, readonly Check[]>): void {
  const all = [...found.values()].flat();
  const rows = GROUPS.filter(({ scenarios }) => all.some((check) => scenarios.test(check.scenario)))
    .map(({ title, scenarios }) => [
      title,
      ...REVISIONS.map((revision) =>
        counted((found.get(revision) ?? []).filter((check) => scenarios.test(check.scenario))),
      ),
    ])
    .concat([['**all**', ...REVISIONS.map((revision) => counted(found.get(revision) ?? []))]]);
  const why = new Map<string, Set<string>>();
  for (const { verdict, scenario, reason, message } of all) {
    if (verdict === 'passed') continue;
    const text =
      reason?.why ??
      (verdict === 'failed' ? `**failed**: ${message}` : 'the suite had nothing to check');
    why.set(text, (why.get(text) ?? new Set()).add(`\`${scenario}\``));
  }
  const reasons = [...why].map(([text, scenarios]) => [text, [...scenarios].join(', ')]);
  writeBetween(
    'conformance',
    `${tableOf(['scenarios', ...REVISIONS], rows)}\n\n${tableOf(['not applicable, because', 'scenarios'], reasons)}`,
  );
}

function counted(checks: readonly Check[]): string {
  const parts = VERDICTS.map((verdict) => {
    const count = checks.filter((check) => check.verdict === verdict).length;
    return count === 0 ? '' : `${count} ${verdict}`;
  });
  return parts.filter((part) => part !== '').join(', ') || '–';
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...lines].join('\n');
}

function writeBetween(name: string, text: string): void {
  const [begin, end] = [`<!-- ${name}, written by npm run e2e:mcp -->`, `<!-- end of ${name} -->`];
  const page = readFileSync(FILE, 'utf8');
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${FILE} lacks the marks of ${name}`);
  writeFileSync(FILE, `${page.slice(0, from)}${begin}\n\n${text}\n\n${page.slice(to)}`);
}
