/** A Worker as workerd is to run it. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

interface WorkerModule {
  /** What an `import` of another module calls it. */
  name: string;
  kind: 'esModule' | 'text';
  file: string;
}

export interface DurableObjectClass {
  binding: string;
  className: string;
  /** Names the folder of the stored objects: changing it loses their data. */
  uniqueKey: string;
  /** A binding to look into that folder with, where the Worker does. */
  filesBinding?: string;
}

export interface WorkerBundle {
  /** workerd runs the first one; the others are only found by name. */
  modules: readonly WorkerModule[];
  durableObjects: readonly DurableObjectClass[];
}

const DURABLE_OBJECTS: readonly DurableObjectClass[] = [
  {
    binding: 'SESSION',
    className: 'SessionObject',
    uniqueKey: 'session',
    filesBinding: 'SESSION_FILES',
  },
  { binding: 'WORKSPACE', className: 'WorkspaceObject', uniqueKey: 'workspace' },
];

/** What `npm run build` left in a folder. */
export function builtBundle(distDir: string): WorkerBundle {
  const entry = path.join(distDir, 'worker.js');
  if (!existsSync(entry)) throw new Error(`${entry} is missing: run \`npm run build\` first.`);
  const texts = readdirSync(distDir).filter((name) => /\.(sql|bundle)$/.test(name));
  return {
    modules: [
      { name: 'worker.js', kind: 'esModule', file: entry },
      ...texts
        .toSorted()
        .map((name) => ({ name, kind: 'text' as const, file: path.join(distDir, name) })),
    ],
    durableObjects: DURABLE_OBJECTS,
  };
}
