/**
 * Counts the lines of files and of their import statements, and holds src/ to a share. A share that grows says that files
 * were cut which cannot stand without each other. Reads no disk, so that tests can pass any text.
 */
import { parseSync } from 'vite';
import type { ReadFile } from './file-length.ts';

/** Of all lines, in thousandths: a little above what src/ has reached. Shared vocabularies of other projects stand at 25 to 67. */
const MOST_IMPORTS = 65;

export interface LineCounts {
  readonly lines: number;
  /** Neither blank nor a comment. */
  readonly code: number;
  readonly imports: number;
}

export function countLines({ file, text }: ReadFile): LineCounts {
  const { program, comments } = parseSync(file, text);
  const lines = text.trimEnd().split('\n');
  const commentLines = new Set(
    comments
      .filter(({ start }) => text.slice(text.lastIndexOf('\n', start) + 1, start).trim() === '')
      .flatMap(({ start, end }) => {
        const first = lineAt(text, start);
        return Array.from({ length: lineAt(text, end) - first + 1 }, (_, index) => first + index);
      }),
  );
  const code = lines.filter(
    (line, index) => line.trim() !== '' && !commentLines.has(index + 1),
  ).length;
  const imports = program.body
    .filter(({ type }) => type === 'ImportDeclaration')
    .map(({ start, end }) => lineAt(text, end) - lineAt(text, start) + 1);
  return { lines: lines.length, code, imports: sum(imports) };
}

/** A sentence, if more lines of all are imports than `most` thousandths. */
export function findImportShareFault(
  counts: readonly Pick<LineCounts, 'lines' | 'imports'>[],
  most = MOST_IMPORTS,
): string | undefined {
  const lines = sum(counts.map((one) => one.lines));
  const imports = sum(counts.map((one) => one.imports));
  if (imports * 1_000 <= lines * most) return undefined;
  return `${imports} of ${lines} lines are imports, more than ${most / 10} %: join the files that cannot stand without each other`;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
