/** The check of lengths: a bug here lets a file grow until no sentence says what is inside. */
import { describe, expect, it } from 'vitest';
import { findLongFiles, MOST_LINES } from '../../scripts/lib/file-length.ts';

const line = (at: number) => `export const value${at} = ${at};`;
const linesOf = (count: number) =>
  `${Array.from({ length: count }, (_, at) => line(at)).join('\n')}\n`;

function faultsIn(text: string): string[] {
  return findLongFiles([{ file: 'src/a.ts', text }]);
}

describe('check imports, of lengths', () => {
  it('names a file of one line too many, with its lines', () => {
    expect(faultsIn(linesOf(MOST_LINES))).toEqual([]);
    expect(faultsIn(linesOf(MOST_LINES + 1))).toEqual([
      expect.stringContaining(`src/a.ts  ${MOST_LINES + 1} lines`),
    ]);
  });

  it.each([
    '/** Every limit. The file is long because each has its reason here. */\n',
    '/**\n * Every limit. The file is\n * long because each has its reason here.\n */\n',
    '/* Cards. The file is long because each kind has its rules here. */\n',
  ])('takes the reason of a header, wherever its lines break: %j', (header) => {
    expect(faultsIn(header + linesOf(MOST_LINES))).toEqual([]);
  });

  it.each([
    ['a header without a reason', '/** Every limit. */\n'],
    ['a header that breaks off', '/** Every limit. The file is long because */\n'],
    ['a line comment', '// The file is long because it is.\n'],
    [
      'a comment behind code',
      "import './b.ts';\n/** The file is long because each has its reason. */\n",
    ],
  ])('takes no reason from %s', (_, beginning) => {
    expect(faultsIn(beginning + linesOf(MOST_LINES))).toHaveLength(1);
  });
});
