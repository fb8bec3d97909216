import type { RefObject } from 'preact';
import { useId, useState } from 'preact/hooks';
import { type InboxFilter, RISKS } from '../../protocol/inbox-filter.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { keysOf } from '../model/inbox-actions.ts';
import type { InboxItem } from '../model/inbox.ts';
import { FILTER_KINDS, kindWords, riskWords } from '../model/inbox-line.ts';
import { t, tn } from '../model/language.ts';
import { Button } from '../ui/button.tsx';

interface InboxFiltersProps {
  readonly filter: InboxFilter;
  readonly items: readonly InboxItem[];
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onFilter: (filter: InboxFilter) => void;
  /** Down from the field, and Escape in it. */
  readonly onLeave: () => void;
}

/** The filters of the inbox. The address has them, so that a link shows another person the same list. */
export function InboxFilters({ filter, items, search, onFilter, onLeave }: InboxFiltersProps) {
  const { find, ...others } = filter;
  const count = Object.keys(others).length;
  const [isOpen, setOpen] = useState(count > 0);
  const id = useId();
  const set = (change: InboxFilter) => onFilter({ ...filter, ...change });
  return (
    <search class="inbox-filters">
      <div class="inbox-search">
        <input
          ref={search}
          type="search"
          dir="auto"
          value={find ?? ''}
          aria-label={t('Search the inbox')}
          aria-keyshortcuts={keysOf('search')}
          placeholder={t('Search')}
          onInput={({ currentTarget }) => set({ find: currentTarget.value })}
          onKeyDown={(event) => {
            if (event.isComposing) return;
            if (event.key !== 'ArrowDown' && event.key !== 'Enter' && event.key !== 'Escape')
              return;
            event.preventDefault();
            onLeave();
          }}
        />
        <Button
          kind="quiet"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {count === 0 ? t('Filter') : tn(count, '{count} filter', '{count} filters')}
        </Button>
      </div>
      <div class="inbox-choices" id={id} hidden={!isOpen}>
        <FilterChoice
          label={t('Session')}
          value={filter.session}
          options={optionsFor('session', items, filter.session)}
          onChoose={(session) => set({ session })}
        />
        <FilterChoice
          label={t('Agent')}
          value={filter.by}
          options={optionsFor('by', items, filter.by)}
          onChoose={(by) => set({ by })}
        />
        <FilterChoice
          label={t('Tool')}
          value={filter.tool}
          options={optionsFor('tool', items, filter.tool)}
          onChoose={(tool) => set({ tool })}
        />
        <FilterChoice
          label={t('Kind')}
          value={filter.kind}
          options={FILTER_KINDS.map((value) => ({ value, words: kindWords(value) }))}
          onChoose={(kind) => set({ kind })}
        />
        <FilterChoice
          label={t('Risk')}
          value={filter.risk}
          options={RISKS.map((value) => ({ value, words: riskWords(value) }))}
          onChoose={(value) => set({ risk: RISKS.find((risk) => risk === value) })}
        />
        <label>
          <span>{t('Label')}</span>
          <input
            dir="auto"
            value={filter.label ?? ''}
            placeholder="env=production"
            onInput={({ currentTarget }) => set({ label: currentTarget.value })}
          />
        </label>
        <label class="inbox-for-me">
          <input
            type="checkbox"
            checked={filter.for === 'me'}
            onChange={({ currentTarget }) => set({ for: currentTarget.checked ? 'me' : undefined })}
          />
          {t('For me')}
        </label>
        {count > 0 && (
          <Button kind="quiet" onClick={() => onFilter(find === undefined ? {} : { find })}>
            {t('Clear filters')}
          </Button>
        )}
      </div>
    </search>
  );
}

interface FilterChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: ReturnType<typeof optionsFor>;
  readonly onChoose: (value: string | undefined) => void;
}

function FilterChoice({ label, value, options, onChoose }: FilterChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <select
        value={value ?? ''}
        onChange={({ currentTarget }) => onChoose(currentTarget.value || undefined)}
      >
        <option value="">{t('Any')}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {escapeInvisible(option.words)}
          </option>
        ))}
      </select>
    </label>
  );
}

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

/** The values that a filter of the inbox offers: the values of the loaded entries, and the set value. */
function optionsFor(
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
