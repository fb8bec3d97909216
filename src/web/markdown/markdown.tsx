import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { escapeInvisible } from '../../protocol/escapes.ts';

type Render = typeof import('./render.tsx').renderMarkdown;

let loaded: Render | undefined;

/** Fetched beside the first conversation, which does not wait for it. */
export async function loadMarkdown(): Promise<Render> {
  loaded ??= (await import('./render.tsx')).renderMarkdown;
  return loaded;
}

/** Undefined until it is fetched; text is plain until then, and where it cannot be. */
export function useMarkdown(): Render | undefined {
  const [render, setRender] = useState(() => loaded);
  useEffect(() => {
    // An upgraded server no longer has this file; the text then stays plain.
    if (render === undefined)
      loadMarkdown().then(
        (ready) => setRender(() => ready),
        () => undefined,
      );
  }, [render]);
  return render;
}

/**
 * Text of an agent as Markdown; nothing in it runs or loads. A text that takes too long to parse is shown as plain
 * text.
 */
export function Markdown({ text }: { readonly text: string }) {
  const render = useMarkdown();
  const tooMuch = useRef<string>(undefined);
  const content = useMemo(() => {
    // Streamed text only grows, and parsing would fail again with every frame.
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
