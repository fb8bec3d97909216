/**
 * Every `any` that a caller of the package could meet in its declarations.
 *
 * What a value of that type is used for is checked by nobody, and the checker says nothing about it.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Visitor, parseSync } from 'vite';
import { sourceFiles } from '../source-files.ts';

export function anyTypes(folder: string): string[] {
  const found: string[] = [];
  for (const file of sourceFiles(folder, '.')) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    const { program, errors } = parseSync(file, text);
    const [error] = errors;
    if (error !== undefined) throw new Error(`${file} does not parse: ${error.message}`);
    new Visitor({
      TSAnyKeyword: ({ start }) => {
        found.push(`${file}:${text.slice(0, start).split('\n').length}  any`);
      },
    }).visit(program);
  }
  return found;
}
