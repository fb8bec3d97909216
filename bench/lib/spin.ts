/**
 * How fast this machine is just now, in a loop that touches no memory and no disk. Before and after a run it should
 * be the same; where it is not, something else used the processor, or it was slowed down.
 */
const ROUNDS = 40_000_000;

export function spinMs(): number {
  const times = [0, 1, 2].map(() => {
    const start = performance.now();
    let value = 1;
    for (let round = 0; round < ROUNDS; round += 1) value = (value * 1_103_515_245 + round) | 0;
    // Used, so that the loop is not left out as useless.
    return performance.now() - start + (value === 0 ? 1 : 0);
  });
  return Math.min(...times);
}
