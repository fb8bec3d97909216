/**
 * The parts of the page that the first screen does not need; undefined until they arrive.
 *
 * They are fetched once the first screen is drawn, because their script takes a slow phone as long as a card does, or at
 * once where the screen is nothing without them. Unlike `useLazyPart` this never reloads the page: the screen works without
 * these parts, and the person may be writing. A failed fetch is retried.
 */
import { useEffect, useState } from 'preact/hooks';

export type LaterParts = typeof import('../later-parts.ts');

let parts: LaterParts | undefined;

export async function fetchLaterParts(): Promise<LaterParts> {
  parts ??= await import('../later-parts.ts');
  return parts;
}

/** A session that does not arrive is not waited for. */
const DRAWN_AT_LATEST_MS = 2_000;

let isDrawn = false;
const drawWaiters = new Set<() => void>();
setTimeout(markFirstDraw, DRAWN_AT_LATEST_MS);

/** The first screen is drawn, and what it does not need may follow. */
export function markFirstDraw(): void {
  isDrawn = true;
  for (const call of drawWaiters) call();
  drawWaiters.clear();
}

/** For what the first screen does not need. */
export async function whenFirstDrawn<Result>(next: () => Promise<Result>): Promise<Result> {
  if (!isDrawn) await new Promise<void>((resolve) => drawWaiters.add(resolve));
  return next();
}

export function useFirstDrawn(): boolean {
  const [isShown, setShown] = useState(isDrawn);
  useEffect(() => {
    if (isShown) return;
    const note = () => setShown(true);
    drawWaiters.add(note);
    // It may have been drawn since the component was.
    if (isDrawn) note();
    return () => {
      drawWaiters.delete(note);
    };
  }, [isShown]);
  return isShown;
}

const LOAD_AGAIN_MS = 5_000;

/** `now`: the screen is nothing without them. */
export function useLaterParts(wanted: 'later' | 'now' | 'never' = 'later'): LaterParts | undefined {
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (parts !== undefined || wanted === 'never') return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = () => setTries((count) => count + 1);
    // The server is unreachable, or an upgraded server serves the parts under another name.
    const later = () => (timer = setTimeout(again, LOAD_AGAIN_MS));
    (wanted === 'now' ? fetchLaterParts() : whenFirstDrawn(fetchLaterParts)).then(again, later);
    return () => clearTimeout(timer);
  }, [wanted, tries]);
  return parts;
}
