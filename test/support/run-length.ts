/**
 * How often a test repeats: `npm test` repeats little, `npm run test:long` has the full counts.
 *
 * The long run takes the files that import this one (vitest.config.ts); a property that holds for a hundred seeds is not proved for
 * ten thousand, so CI runs both.
 */
const isLongRun =
  (import.meta as { readonly env?: { readonly MODE?: string } }).env?.MODE === 'long';

export function countFor(counts: { readonly quick: number; readonly long: number }): number {
  return isLongRun ? counts.long : counts.quick;
}
