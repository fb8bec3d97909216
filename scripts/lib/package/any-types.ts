/**
 * Finds every `any` in the published declarations.
 *
 * TypeScript checks no use of such a value and reports nothing, so a caller would not notice.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Visitor, parseSync } from 'vite';
import { sourceFiles } from '../paths.ts';

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
