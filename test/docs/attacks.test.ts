/** docs/attacks.md names a test for each finding. A bug here looks like a finding that no test holds any more. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';

const PAGE = readFileSync(path.join(ROOT, 'docs/attacks.md'), 'utf8');

const ROWS = PAGE.split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('`test/'))
  .map((line) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return { finding: cells[1] ?? '', tests: cells[4] ?? '' };
  });

/** `test/a.test.ts` LIM-1, LOG-2; `test/b.test.ts` */
function readTests(cell: string) {
  return cell.split('; ').map((part) => {
    const [, file = ''] = /^`(test\/[^`]+)`/.exec(part) ?? [];
    return { file, rules: part.match(/[A-Z]+-\d+/g) ?? [] };
  });
}

describe('docs/attacks.md', () => {
  it('lists R1 to R22 and B1 to B20', () => {
    const findings = ROWS.map(({ finding }) => finding);
    const wanted = [
      ...Array.from({ length: 22 }, (_, index) => `R${index + 1}`),
      ...Array.from({ length: 20 }, (_, index) => `B${index + 1}`),
    ];
    expect(wanted.filter((finding) => !findings.includes(finding))).toEqual([]);
  });

  it.each(ROWS)('names tests of $finding that exist and cite the rules', ({ tests }) => {
    for (const { file, rules } of readTests(tests)) {
      expect(file, tests).not.toBe('');
      expect(existsSync(path.join(ROOT, file)), file).toBe(true);
      const text = readFileSync(path.join(ROOT, file), 'utf8');
      for (const rule of rules) expect(text, `${file} cites ${rule}`).toContain(rule);
    }
  });
});
