/**
 * Calls back when a connection has been silent for a given time.
 *
 * It counts ticks of a timer, not milliseconds: a busy process reads the arrived bytes before its next tick, so its own
 * delay does not count as silence. With milliseconds, a busy machine gave up each connection just before its first
 * frame.
 */
export interface SilenceWatch {
  /** Call when bytes arrive. */
  reset(): void;
  stop(): void;
}

const TICKS = 4;

export function watchSilence(
  idleMs: number,
  onSilence: () => void,
  onTick = () => {},
): SilenceWatch {
  let silentTicks = 0;
  const timer = setInterval(() => {
    silentTicks += 1;
    if (silentTicks > TICKS) onSilence();
    else onTick();
  }, idleMs / TICKS);
  return {
    reset: () => (silentTicks = 0),
    stop: () => clearInterval(timer),
  };
}
