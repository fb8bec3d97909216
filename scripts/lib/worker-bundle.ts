/** A Worker bundle for workerd. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

interface WorkerModule {
  /** The specifier under which other modules import it. */
  name: string;
  kind: 'esModule' | 'text' | 'data';
  file: string;
}

export interface DurableObjectClass {
  binding: string;
  className: string;
  /** Names the folder of the stored objects: a changed key loses their data. */
  uniqueKey: string;
  /** A binding that lets the Worker read that folder, if it needs one. */
  filesBinding?: string;
}

export interface WorkerBundle {
  /** workerd runs the first module; the others are only imported by name. */
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
  {
    binding: 'TARGET',
    className: 'TargetObject',
    uniqueKey: 'target',
    filesBinding: 'TARGET_FILES',
  },
];

/** Reads the output of `npm run build` from a folder. */
export function builtBundle(distDir: string): WorkerBundle {
  const entry = path.join(distDir, 'worker.js');
  if (!existsSync(entry)) throw new Error(`${entry} is missing: run \`npm run build\` first.`);
  const others = readdirSync(distDir).filter((name) => /\.(sql|bundle)$/.test(name));
  return {
    modules: [
      { name: 'worker.js', kind: 'esModule', file: entry },
      ...others.toSorted().map((name) => ({
        name,
        kind: name.endsWith('.sql') ? ('text' as const) : ('data' as const),
        file: path.join(distDir, name),
      })),
    ],
    durableObjects: DURABLE_OBJECTS,
  };
}
