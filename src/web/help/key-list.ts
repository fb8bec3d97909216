/**
 * Every key of the chat, in the parts of the help. A test compares this list with the keys that the code looks at: a key
 * that is missing here fails it, and so does one that nothing handles.
 */
import { INBOX_KEYS, keyWords } from '../model/inbox-actions.ts';
import { t } from '../model/language.ts';
import { paletteKeys } from '../model/palette-key.ts';

export interface HelpKey {
  /** As `KeyboardEvent.key` has them, or the words of a command. */
  readonly keys: readonly string[];
  /** From the first to the last. */
  readonly isRange?: true;
  readonly words: string;
}

export interface KeyPart {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly HelpKey[];
}

export function keyParts(): readonly KeyPart[] {
  return [
    {
      id: 'help-request',
      title: t('On a request'),
      rows: [
        { keys: ['Tab'], words: t('Go to the request, then through its parts') },
        { keys: ['1', '9'], isRange: true, words: t('Choose an option') },
        { keys: ['ArrowUp', 'ArrowDown'], words: t('Move between options') },
        { keys: ['Space'], words: t('Check or uncheck an option, or press a button') },
        {
          keys: ['Enter'],
          words: t('Send the answer. It never approves a tool: press the button for that.'),
        },
        { keys: ['Escape'], words: t('Back, without deciding') },
      ],
    },
    {
      id: 'help-inbox',
      title: t('In the inbox'),
      rows: INBOX_KEYS.map(({ keys, action }) => ({ keys, words: keyWords(action) })),
    },
    {
      id: 'help-history',
      title: t('In its history'),
      rows: INBOX_KEYS.filter(({ action }) => HISTORY_ACTIONS.has(action)).map(
        ({ keys, action }) => ({ keys, words: keyWords(action) }),
      ),
    },
    {
      id: 'help-palette',
      title: t('In the search for sessions and commands'),
      rows: [
        { keys: ['ArrowUp', 'ArrowDown'], words: t('Move between the results') },
        { keys: ['Enter'], words: t('Open or do what is marked') },
      ],
    },
    {
      id: 'help-writing',
      title: t('While you write'),
      rows: [
        { keys: ['Enter'], words: t('Send the message, or deny with the reason') },
        { keys: ['Shift', 'Enter'], words: t('Begin a new line') },
        { keys: ['Ctrl', 'Enter'], words: t('Save a comment on a plan; on a Mac ⌘ and Enter') },
        { keys: ['/clear'], words: t('Clear the context of the agent') },
        { keys: ['/cancel'], words: t('Cancel every open request') },
      ],
    },
    {
      id: 'help-everywhere',
      title: t('Everywhere'),
      rows: [
        { keys: paletteKeys(), words: t('Search sessions, requests, pages and commands') },
        { keys: ['?'], words: t('This help') },
        { keys: ['Escape'], words: t('Close a sheet') },
      ],
    },
  ];
}

/** What the history does by keys. */
const HISTORY_ACTIONS: ReadonlySet<string> = new Set(['next', 'previous', 'open', 'back']);
