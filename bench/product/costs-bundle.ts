import path from 'node:path';
import type { WorkerBundle } from '../../scripts/lib/worker-bundle.ts';

/** The product with a door to the costs its objects count. */
export function costsBundle(product: WorkerBundle): WorkerBundle {
  const own = ['costs-worker.mjs', 'no-costs.mjs'].map((name) => {
    const file = path.join(import.meta.dirname, name);
    return { name, kind: 'esModule', file } as const;
  });
  return { ...product, modules: [...own, ...product.modules] };
}
