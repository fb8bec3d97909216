/** Looks again and again until it is so, after growing pauses; the time a test may take is the only limit. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let pauseMs = 5; !(await isSo()); pauseMs = Math.min(pauseMs * 1.3, 100))
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
