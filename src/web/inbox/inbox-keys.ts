/**
 * The keys of the inbox. Keys that are typed into a field, keys of an input method, keys with a modifier and keys under an
 * open dialog do nothing.
 */
import { useEffect, useRef } from 'preact/hooks';
import { isComposing } from '../cards/card-keys.ts';
import { INBOX_KEYS, type InboxAction } from '../model/inbox-actions.ts';

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
