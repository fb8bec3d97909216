import { createRequire } from 'node:module';
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
export const KEEPING_FLOOR = bundle(
  ['keeping.mjs', 'with-parts.mjs', 'worker.mjs', 'turn.mjs', ...digests()],
  [SESSION, REPORTED],
);

/** The library with which the product digests, as its own modules. */
function digests(): string[] {
  const sha2 = createRequire(import.meta.url).resolve('@noble/hashes/sha2.js');
  return ['sha2.js', '_md.js', '_u64.js', 'utils.js'].map((name) => path.join(sha2, '..', name));
}

function bundle(
  files: readonly string[],
  durableObjects: readonly DurableObjectClass[],
): WorkerBundle {
  const modules = files.map((file) => ({
    name: path.basename(file),
    kind: 'esModule' as const,
    file: path.resolve(import.meta.dirname, file),
  }));
  return { modules, durableObjects };
}
