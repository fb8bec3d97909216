/**
 * How often a test repeats: `npm test` repeats little, `npm run test:long` has the full counts.
 *
 * The long run takes the files that import this one (vitest.config.ts); a property that holds for a hundred seeds is not proved for
 * ten thousand, so CI runs both.
 */
export const isLongRun = testMode() === 'long';

declare global {
  interface ImportMeta {
    readonly env?: { readonly MODE?: string };
  }
}

/** Vite knows the mode in workerd and in the browser; Node reads the sources without Vite, and has it from vitest.config.ts. */
function testMode(): string | undefined {
  // In these words: only where it reads them does Vite give the file this object.
  const mode = import.meta.env?.MODE;
  const { process } = globalThis as {
    readonly process?: { readonly env: Readonly<Record<string, string | undefined>> };
  };
  return mode ?? process?.env['HOLDPOINT_TEST_MODE'];
}

export function countFor(counts: { readonly quick: number; readonly long: number }): number {
  return isLongRun ? counts.long : counts.quick;
}

/** Registers tests that `npm test` leaves out; the file needs others, because one without tests fails. */
export function inLongRun(register: () => void): void {
  if (isLongRun) register();
}
