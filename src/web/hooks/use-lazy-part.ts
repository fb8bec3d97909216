import { useEffect, useState } from 'preact/hooks';

/** A part of the page that is fetched when it is first needed; undefined until then. */
export function useLazyPart<Part>(isWanted: boolean, load: () => Promise<Part>): Part | undefined {
  const [part, setPart] = useState<{ readonly loaded: Part }>();
  useEffect(() => {
    if (!isWanted || part !== undefined) return;
    load().then(
      (loaded) => setPart({ loaded }),
      // An upgraded server serves this part under another name.
      () => location.reload(),
    );
  }, [isWanted, part]);
  return part?.loaded;
}
