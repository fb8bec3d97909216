/**
 * How many large bodies of one root are read at once (LIM-5): each takes as much memory as has arrived of it, for as long as
 * its sender takes. Counted in this isolate, whose memory it is.
 */
import { LIMITS } from '../protocol/limits.ts';

const reading = new Map<string, number>();

/** Called once a body is larger than others. Returns its end, or undefined if so many are being read already. */
export type TakeLargeBody = () => (() => void) | undefined;

export function largeBodiesOf(root: string): TakeLargeBody {
  return () => {
    const count = reading.get(root) ?? 0;
    if (count >= LIMITS.largeBodies) return undefined;
    reading.set(root, count + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = (reading.get(root) ?? 1) - 1;
      if (left === 0) reading.delete(root);
      else reading.set(root, left);
    };
  };
}
