/**
 * The parts of the page that are fetched right after its first screen; undefined until they are there.
 *
 * Unlike `useLater` it reloads nothing: what is on the screen works without them, and somebody may be writing. Where
 * they could not be fetched, it tries again.
 */
import { useEffect, useState } from 'preact/hooks';

type Parts = typeof import('../later-parts.ts');

let parts: Parts | undefined;

export async function fetchLaterParts(): Promise<Parts> {
  parts ??= await import('../later-parts.ts');
  return parts;
}

const AGAIN_MS = 5_000;

/** Fetches them while `isWanted`. */
export function useLaterParts(isWanted = true): Parts | undefined {
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (!isWanted || parts !== undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = () => setTries((count) => count + 1);
    // The server cannot be reached, or was upgraded and has them under another name.
    const later = () => (timer = setTimeout(again, AGAIN_MS));
    fetchLaterParts().then(again, later);
    return () => clearTimeout(timer);
  }, [isWanted, tries]);
  return parts;
}
