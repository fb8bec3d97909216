/** Calls several sessions at once. A failed call does not stop the other calls. */
export interface Failure<Target> {
  readonly target: Target;
  readonly cause: unknown;
}

export async function attemptAll<Target>(
  targets: readonly Target[],
  attempt: (target: Target) => Promise<void>,
): Promise<Failure<Target>[]> {
  const failures: Failure<Target>[] = [];
  await Promise.all(
    targets.map(async (target) => {
      try {
        await attempt(target);
      } catch (cause) {
        failures.push({ target, cause });
      }
    }),
  );
  return failures;
}
