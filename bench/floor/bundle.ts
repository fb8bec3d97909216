import path from 'node:path';
import type { DurableObjectClass, WorkerBundle } from '../../scripts/lib/worker-bundle.ts';

const SESSION = { binding: 'SESSION', className: 'FloorObject', uniqueKey: 'floor' };
const REPORTED = { binding: 'WORKSPACE', className: 'ReportedObject', uniqueKey: 'reported' };

export const FLOOR_BUNDLE = bundle(['worker.mjs', 'turn.mjs'], [SESSION]);
/** Its bindings say which parts of the product's work it does. */
export const FLOOR_WITH_PARTS = bundle(
  ['with-parts.mjs', 'worker.mjs', 'turn.mjs'],
  [SESSION, REPORTED],
);

function bundle(
  names: readonly string[],
  durableObjects: readonly DurableObjectClass[],
): WorkerBundle {
  const modules = names.map((name) => ({
    name,
    kind: 'esModule' as const,
    file: path.join(import.meta.dirname, name),
  }));
  return { modules, durableObjects };
}
