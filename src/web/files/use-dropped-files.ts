import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface DropZone {
  /** Takes files that are dropped within it. */
  readonly drop: Element | null | undefined;
  /** Takes files that are pasted within it. */
  readonly paste: Element | null | undefined;
}

/**
 * Files that are dropped or pasted. The innermost zone takes them: a card before the conversation around it. A browser would
 * otherwise leave the page for a file that is dropped beside a field.
 */
export function useDroppedFiles(
  anchor: RefObject<Element | null>,
  findZone: (anchor: Element) => DropZone,
  add: (files: readonly File[]) => void,
): void {
  const latest = useRef(add);
  latest.current = add;
  useEffect(() => {
    if (anchor.current === null) return;
    const { drop, paste } = findZone(anchor.current);
    const over = new AbortController();
    const { signal } = over;
    const mark = (isOver: boolean) => drop?.classList.toggle('takes-files', isOver);
    const onDrag = (event: Event) => {
      const { dataTransfer } = event as DragEvent;
      if (dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      event.stopPropagation();
      mark(true);
    };
    const onDrop = (event: Event) => {
      const { dataTransfer } = event as DragEvent;
      mark(false);
      const files = [...(dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current(files);
    };
    const onPaste = (event: Event) => {
      const { clipboardData } = event as ClipboardEvent;
      const files = [...(clipboardData?.files ?? [])];
      // A table from a spreadsheet is a picture too; its text is what was meant.
      if (files.length === 0 || clipboardData?.types.includes('text/plain') === true) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current(files);
    };
    for (const type of ['dragenter', 'dragover']) drop?.addEventListener(type, onDrag, { signal });
    drop?.addEventListener('dragleave', () => mark(false), { signal });
    drop?.addEventListener('drop', onDrop, { signal });
    paste?.addEventListener('paste', onPaste, { signal });
    return () => {
      mark(false);
      over.abort();
    };
  }, []);
}
