/** What can be imported of the published package: `holdpoint/<name>`, and the module it is made from. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../paths.ts';

export interface Entry {
  readonly name: string;
  readonly source: string;
  /** The first Node that can import it; the package itself says 20. */
  readonly node: number;
}

const ENTRIES: readonly Entry[] = [
  { name: 'client', source: 'src/client/index.ts', node: 20 },
  { name: 'direct', source: 'src/direct/index.ts', node: 20 },
  // It stands on node:sqlite.
  { name: 'direct/sqlite', source: 'src/direct/sqlite.ts', node: 24 },
  { name: 'claude', source: 'src/bridges/claude/index.ts', node: 20 },
];

export function entries(): Entry[] {
  return ENTRIES.filter(({ source }) => existsSync(path.join(ROOT, source)));
}
