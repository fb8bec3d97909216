import path from 'node:path';
import type { WorkerBundle } from '../../scripts/lib/worker-bundle.ts';

export const FLOOR_BUNDLE: WorkerBundle = {
  modules: [
    {
      name: 'worker.mjs',
      kind: 'esModule',
      file: path.join(import.meta.dirname, 'worker.mjs'),
    },
  ],
  durableObjects: [{ binding: 'SESSION', className: 'FloorObject', uniqueKey: 'floor' }],
};
