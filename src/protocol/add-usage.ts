import type { Usage } from './schema/usage.ts';

/** The tokens and the cost of both together. A cost that neither has stays absent: unknown is not nothing. */
export function addUsage<T extends Usage | undefined>(total: T, added: T): T {
  if (total === undefined || added === undefined) return total ?? added;
  const sums: Record<string, number> = { ...total };
  for (const [name, count] of Object.entries(added)) sums[name] = (sums[name] ?? 0) + count;
  return sums as T;
}
