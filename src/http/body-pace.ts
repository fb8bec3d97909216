/**
 * How long a sender may take for its body (LIM-6): what has arrived of it is in memory for as long.
 *
 * One timer watches the whole body. It looks at the end of each period, so a sender is quiet for one to two periods before it
 * is given up, and a server that was too busy to read takes what has arrived before it gives up a sender.
 */
import { LIMITS } from '../protocol/limits.ts';

export interface BodyPace {
  /** The result of the read; rejects with `SlowBodyError` once the sender is too slow. */
  next<Part>(read: Promise<Part>): Promise<Part>;
  end(): void;
}

export class SlowBodyError extends Error {
  override readonly name = 'SlowBodyError';
}

export function watchBodyPace(): BodyPace {
  const periods = Math.ceil(LIMITS.bodyMs / LIMITS.bodyQuietMs);
  const slow = Promise.withResolvers<never>();
  // A body that is read in time leaves the promise alone.
  slow.promise.catch(() => undefined);
  let hasMoved = false;
  let passed = 0;
  let timer = setTimeout(look, LIMITS.bodyQuietMs);

  function look(): void {
    passed += 1;
    if (!hasMoved || passed >= periods) return slow.reject(new SlowBodyError());
    hasMoved = false;
    timer = setTimeout(look, LIMITS.bodyQuietMs);
  }

  return {
    async next(read) {
      const part = await Promise.race([read, slow.promise]);
      hasMoved = true;
      return part;
    },
    end: () => clearTimeout(timer),
  };
}
