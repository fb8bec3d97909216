/** Ends a script with a sentence for the person at the terminal; no stack trace. */
export function fail(reason: unknown): never {
  console.error(reason instanceof Error ? reason.message : String(reason));
  process.exit(1);
}
