import { useRef, useState } from 'preact/hooks';
import type { InboxItem } from '../model/inbox.ts';

/**
 * The items in the order in which they were drawn, while a pointer is over them: a row that moves under a pointer is pressed
 * by mistake. New ones wait, and are counted. Another filter is a new list.
 */
export function useHeldOrder(items: readonly InboxItem[], filter: unknown) {
  // An object: the rows are drawn anew whenever the pointer leaves.
  const [pointer, setPointer] = useState({ isOver: false });
  const drawn = useRef<{ keys: readonly string[]; filter: unknown }>({ keys: [], filter });
  const onHold = (isOver: boolean) => setPointer({ isOver });
  const isHeld = pointer.isOver || isUnderPointer();
  if (!isHeld || drawn.current.filter !== filter || drawn.current.keys.length === 0) {
    drawn.current = { keys: items.map(({ key }) => key), filter };
    return { rows: items, waiting: 0, onHold };
  }
  const byKey = new Map(items.map((item) => [item.key, item]));
  const rows = drawn.current.keys.flatMap((key) => byKey.get(key) ?? []);
  return { rows, waiting: items.length - rows.length, onHold };
}

/** A pointer that rests where the list appears fires no event. A touch leaves `:hover` behind, and does not count. */
function isUnderPointer(): boolean {
  return (
    matchMedia('(hover: hover)').matches && document.querySelector('.inbox-list:hover') !== null
  );
}
