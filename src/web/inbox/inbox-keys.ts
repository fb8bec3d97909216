/**
 * The keys of the inbox. Keys that are typed into a field, keys of an input method, keys with a modifier and keys under an
 * open dialog do nothing.
 */
import { useEffect, useRef } from 'preact/hooks';
import { isComposing } from '../cards/card-keys.ts';
import { t } from '../model/language.ts';

export type InboxAction =
  | 'next'
  | 'previous'
  | 'select'
  | 'selectAlike'
  | 'approve'
  | 'deny'
  | 'edit'
  | 'open'
  | 'back'
  | 'search';

interface InboxShortcut {
  readonly keys: readonly string[];
  readonly action: InboxAction;
}

export const INBOX_KEYS: readonly InboxShortcut[] = [
  { keys: ['j', 'ArrowDown'], action: 'next' },
  { keys: ['k', 'ArrowUp'], action: 'previous' },
  { keys: ['Enter'], action: 'open' },
  { keys: ['a'], action: 'approve' },
  { keys: ['d'], action: 'deny' },
  { keys: ['e'], action: 'edit' },
  { keys: ['x'], action: 'select' },
  { keys: ['s'], action: 'selectAlike' },
  { keys: ['u', 'Escape'], action: 'back' },
  { keys: ['/'], action: 'search' },
];

/** For the sheet that lists all keys. */
export function keyWords(action: InboxAction): string {
  switch (action) {
    case 'next':
      return t('Next request');
    case 'previous':
      return t('Previous request');
    case 'open':
      return t('Go to the request');
    case 'approve':
      return t('Approve what is shown, or what is selected');
    case 'deny':
      return t('Deny, with a reason');
    case 'edit':
      return t('Edit the input');
    case 'select':
      return t('Select');
    case 'selectAlike':
      return t('Select all that ask the same');
    case 'back':
      return t('Clear the selection, or back to the list');
    case 'search':
      return t('Search');
  }
}

/** The keys of one action for `aria-keyshortcuts`. */
export function keysOf(action: InboxAction): string {
  return INBOX_KEYS.find((one) => one.action === action)?.keys.join(' ') ?? '';
}

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
