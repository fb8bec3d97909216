import path from 'node:path';
import type { WorkerBundle } from '../../scripts/lib/worker-bundle.ts';

/** The product with a door to the costs its objects count. */
export function costsBundle(product: WorkerBundle): WorkerBundle {
  const file = path.join(import.meta.dirname, 'costs-worker.mjs');
  return {
    ...product,
    modules: [{ name: 'costs-worker.mjs', kind: 'esModule', file }, ...product.modules],
  };
}
