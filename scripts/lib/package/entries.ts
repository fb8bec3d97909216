/** What can be imported of the published package: `holdpoint/<name>`, and the module it is made from; one also as `holdpoint`. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../paths.ts';

export interface Entry {
  readonly name: string;
  readonly source: string;
  /** It is also what the name of the package alone stands for. */
  readonly isMain?: true;
  /** The first Node that can import it; the package itself says 20. */
  readonly node: number;
}

const ENTRIES: readonly Entry[] = [
  { name: 'client', source: 'src/client/index.ts', isMain: true, node: 20 },
  { name: 'direct', source: 'src/direct/index.ts', node: 20 },
  // It stands on node:sqlite.
  { name: 'direct/sqlite', source: 'src/direct/sqlite.ts', node: 24 },
  { name: 'claude', source: 'src/integrations/claude/index.ts', node: 20 },
];

/** As they stand behind `import … from`. */
export function specifiersOf({ name, isMain }: Entry): string[] {
  return [...(isMain === true ? ['holdpoint'] : []), `holdpoint/${name}`];
}

export function entries(): Entry[] {
  return ENTRIES.filter(({ source }) => existsSync(path.join(ROOT, source)));
}
