import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { escapeInvisible } from '../model/escapes.ts';

type Render = typeof import('./render.tsx').renderMarkdown;

let loaded: Render | undefined;

/** Fetched beside the first conversation, so that nothing waits for it. */
export async function loadMarkdown(): Promise<Render> {
  loaded ??= (await import('./render.tsx')).renderMarkdown;
  return loaded;
}

/**
 * What an agent wrote, as text with headings, lists and code; nothing in it is run or fetched. What would take too long
 * to parse is shown as it was written.
 */
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
  const tooMuch = useRef<string>(undefined);
  const content = useMemo(() => {
    // Text that is streamed only grows, and would be tried in vain with every frame.
    if (tooMuch.current !== undefined && text.startsWith(tooMuch.current)) return undefined;
    const rendered = render?.(text);
    tooMuch.current = render !== undefined && rendered === undefined ? text : undefined;
    return rendered;
  }, [render, text]);
  if (content === undefined)
    return (
      <div class="markdown plain" dir="auto">
        {escapeInvisible(text)}
      </div>
    );
  return <div class="markdown">{content}</div>;
}
