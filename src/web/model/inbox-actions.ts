/** What the keys of the inbox do, and which keys these are. */
import { t } from './language.ts';

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
      return t('Deny or decline, with a reason');
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
