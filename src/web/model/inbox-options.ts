/** The values that a filter of the inbox offers: the values of the loaded entries, and the set value. */
import type { InboxFilter } from '../../protocol/inbox-filter.ts';
import type { InboxItem } from './inbox.ts';

interface FilterOption {
  readonly value: string;
  readonly words: string;
}

type OptionOf = (entry: InboxItem['entry']) => FilterOption;

const SOURCES = {
  session: ({ sessionId, sessionTitle }) => ({
    value: sessionId,
    words: sessionTitle ?? sessionId,
  }),
  by: ({ openedBy: { subject } }) => ({ value: subject, words: subject }),
  tool: ({ toolName }) => ({ value: toolName, words: toolName }),
} as const satisfies Partial<Record<keyof InboxFilter, OptionOf>>;

export function optionsFor(
  name: keyof typeof SOURCES,
  items: readonly InboxItem[],
  chosen: string | undefined,
): readonly FilterOption[] {
  const found = new Map<string, string>();
  for (const { entry } of items) {
    const { value, words } = SOURCES[name](entry);
    if (value !== '') found.set(value, words);
  }
  if (chosen !== undefined && !found.has(chosen)) found.set(chosen, chosen);
  return [...found]
    .map(([value, words]) => ({ value, words }))
    .toSorted((one, other) => one.words.localeCompare(other.words));
}
