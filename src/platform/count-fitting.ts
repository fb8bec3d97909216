/** How many of the records, in this order, fit on one page: at least one, so that a reader always advances. */
export function countFitting(
  sizes: readonly number[],
  { maxRecords, maxBytes }: { readonly maxRecords: number; readonly maxBytes: number },
): number {
  let bytes = 0;
  let count = 0;
  for (const size of sizes.slice(0, maxRecords)) {
    bytes += size;
    if (count > 0 && bytes > maxBytes) break;
    count += 1;
  }
  return count;
}
