import { describe, expect, it } from 'vitest';
import { countLines, findImportShareFault } from '../../scripts/lib/import-share.ts';

describe('the lines of a file', () => {
  it('counts every line of an import statement, and no line of an export', () => {
    const text = [
      "import { one } from './one.ts';",
      'import {',
      '  type Two,',
      '  three,',
      "} from './two.ts';",
      '',
      '/** A comment. */',
      "export { four } from './four.ts';",
      'export const five: Two = three(one); // beside code',
    ].join('\n');
    expect(countLines({ file: 'a.ts', text })).toEqual({ lines: 9, code: 7, imports: 5 });
  });
});

describe('the share of imports', () => {
  const counts = (imports: number) => [
    { lines: 400, imports },
    { lines: 600, imports: 0 },
  ];

  it('is of all lines together, not of each file', () => {
    expect(findImportShareFault(counts(63), 63)).toBeUndefined();
  });

  it('fails one line above the limit, and says what to do', () => {
    expect(findImportShareFault(counts(64), 63)).toBe(
      '64 of 1000 lines are imports, more than 6.3 %: join the files that cannot stand without each other',
    );
  });
});
