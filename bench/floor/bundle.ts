import path from 'node:path';
import type { WorkerBundle } from '../../scripts/lib/worker-bundle.ts';

export const FLOOR_BUNDLE: WorkerBundle = {
  modules: ['worker.mjs', 'turn.mjs'].map((name) => ({
    name,
    kind: 'esModule',
    file: path.join(import.meta.dirname, name),
  })),
  durableObjects: [{ binding: 'SESSION', className: 'FloorObject', uniqueKey: 'floor' }],
};
