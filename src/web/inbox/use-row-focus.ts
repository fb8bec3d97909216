import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface RowFocus {
  readonly list: RefObject<HTMLElement | null>;
  /** Of all rows, drawn or not. */
  readonly keys: readonly string[];
  readonly cursorKey: string | undefined;
  /** Changes with each key that moves. */
  readonly moves: number;
  readonly reveal: (index: number) => void;
}

/** Scrolls to the row that a key has moved to, and gives it the focus once it is drawn. */
export function useRowFocus({ list, keys, cursorKey, moves, reveal }: RowFocus): void {
  const wanted = useRef(moves);
  useLayoutEffect(() => {
    if (wanted.current === moves) return;
    const index = keys.indexOf(cursorKey ?? '');
    if (index < 0) return;
    const key = CSS.escape(cursorKey ?? '');
    const row = list.current?.querySelector<HTMLElement>(`[data-key="${key}"] > .inbox-line`);
    reveal(index);
    // Not drawn yet: it is once the list has scrolled there.
    if (!row) return;
    wanted.current = moves;
    row.focus({ preventScroll: true });
  });
}
