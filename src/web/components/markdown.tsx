import { useEffect, useMemo, useState } from 'preact/hooks';
import { honestProse } from '../model/escapes.ts';

type Render = typeof import('../markdown/render.tsx').renderMarkdown;

let loaded: Render | undefined;

/** Fetched beside the first conversation, so that nothing waits for it. */
export async function loadMarkdown(): Promise<Render> {
  loaded ??= (await import('../markdown/render.tsx')).renderMarkdown;
  return loaded;
}

/** What an agent wrote, as text with headings, lists and code; nothing in it is run or fetched. */
export function Markdown({ text }: { readonly text: string }) {
  const [render, setRender] = useState(() => loaded);
  useEffect(() => {
    // A server that was upgraded meanwhile has no such file any more; then it stays text.
    if (render === undefined)
      loadMarkdown().then(
        (ready) => setRender(() => ready),
        () => undefined,
      );
  }, [render]);
  const content = useMemo(() => render?.(text), [render, text]);
  if (content === undefined) return <div class="markdown plain">{honestProse(text)}</div>;
  return <div class="markdown">{content}</div>;
}
