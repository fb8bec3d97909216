/**
 * The parts of the page that are fetched right after the first screen; undefined until they arrive.
 *
 * Unlike `useLazyPart` this never reloads the page: the screen works without these parts, and the person may be
 * writing. A failed fetch is retried.
 */
import { useEffect, useState } from 'preact/hooks';

export type LaterParts = typeof import('../later-parts.ts');

let parts: LaterParts | undefined;

export async function fetchLaterParts(): Promise<LaterParts> {
  parts ??= await import('../later-parts.ts');
  return parts;
}

const LOAD_AGAIN_MS = 5_000;

/** Fetches the parts while `isWanted`. */
export function useLaterParts(isWanted = true): LaterParts | undefined {
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (!isWanted || parts !== undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = () => setTries((count) => count + 1);
    // The server is unreachable, or an upgraded server serves the parts under another name.
    const later = () => (timer = setTimeout(again, LOAD_AGAIN_MS));
    fetchLaterParts().then(again, later);
    return () => clearTimeout(timer);
  }, [isWanted, tries]);
  return parts;
}
