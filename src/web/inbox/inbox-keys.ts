/**
 * The keys of the inbox, and the row that they act on: which one it is, its focus, and its place while a pointer is over the
 * list. Keys that are typed into a field, keys of an input method, keys with a modifier and keys under an
 * open dialog do nothing.
 */
import { useEffect, useRef, useLayoutEffect, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { isComposing } from '../cards/card-keys.ts';
import { INBOX_KEYS, type InboxAction } from '../model/inbox-actions.ts';
import { inboxKeyOf, type InboxItem } from '../model/inbox.ts';
import type { Location } from '../model/location.ts';

export function useInboxKeys(act: (action: InboxAction, event: KeyboardEvent) => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const action = inboxActionOf(event);
      if (action !== undefined) latest.current(action, event);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

function inboxActionOf(event: KeyboardEvent): InboxAction | undefined {
  const { key, target } = event;
  const isModified = event.ctrlKey || event.metaKey || event.altKey;
  if (isModified || event.defaultPrevented || isComposing(event)) return undefined;
  if (!(target instanceof Element) || document.querySelector('dialog[open]') !== null)
    return undefined;
  if (target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable]') !== null)
    return undefined;
  // A row that has the focus and is not the shown one is a link like any other.
  if (key === 'Enter' && target.closest('.inbox-line:not([aria-current])') !== null)
    return undefined;
  // The arrows and Enter belong to whatever has the focus beside the list.
  const isOfList = key.length === 1 || key === 'Escape' || isListFocused(target);
  return isOfList ? INBOX_KEYS.find(({ keys }) => keys.includes(key))?.action : undefined;
}

function isListFocused(target: Element): boolean {
  return target === document.body || target.closest('.inbox-list') !== null;
}

/** Presses a button of the shown card: every guard of the card is in its button. */
export function pressKeyed(within: string, key: string): boolean {
  const button = document.querySelector<HTMLElement>(`${within} [data-key="${key}"]`);
  if (button instanceof HTMLInputElement) button.focus();
  else button?.click();
  return button !== null;
}

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

/** The request that the address names. */
export function namedRequest({ session, interaction }: Location) {
  return session === undefined || interaction === undefined
    ? undefined
    : { sessionId: session, interactionId: interaction };
}

/**
 * The row that keys act on: the one that the address names, and otherwise the first one. The first one stays that row
 * when another comes before it: a card is never exchanged for another one under the pointer.
 */
export function useCursor(location: Location, rows: readonly InboxItem[]) {
  const named = namedRequest(location);
  const namedKey = named && inboxKeyOf(named);
  const [kept, setKept] = useState<string>();
  const isThere = kept !== undefined && rows.some(({ key }) => key === kept);
  const key = namedKey ?? (isThere ? kept : rows[0]?.key);
  useLayoutEffect(() => setKept(key), [key]);
  return { key, namedKey, move: setKept };
}

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
