/**
 * Measures the current speed of the processor with a loop that touches no memory and no disk. If it differs before and
 * after a run, another process used the processor, or the processor changed its speed.
 */
const ROUNDS = 40_000_000;

export function spinMs(): number {
  const times = [0, 1, 2].map(() => {
    const start = performance.now();
    let value = 1;
    for (let round = 0; round < ROUNDS; round += 1) value = (value * 1_103_515_245 + round) | 0;
    // A use of the result, so that the compiler does not remove the loop.
    return performance.now() - start + (value === 0 ? 1 : 0);
  });
  return Math.min(...times);
}
