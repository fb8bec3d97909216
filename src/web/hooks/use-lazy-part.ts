/** A part of the page that is fetched when it is first wanted; undefined until then. */
import { useEffect, useState } from 'preact/hooks';

export function useLazyPart<Part>(isWanted: boolean, load: () => Promise<Part>): Part | undefined {
  const [part, setPart] = useState<{ readonly loaded: Part }>();
  useEffect(() => {
    if (!isWanted || part !== undefined) return;
    load().then(
      (loaded) => setPart({ loaded }),
      // The server was upgraded under this page, and has the part under another name.
      () => location.reload(),
    );
  }, [isWanted, part]);
  return part?.loaded;
}
