/**
 * Opens the palette by its key and by every button with `data-palette`, on every screen of a signed-in person.
 *
 * One field that finds sessions, requests, pages and actions: a combobox with a list, as the ARIA authoring practices
 * have it. The focus stays in the field; the active option is announced and moved by the arrows.
 */
import { useEffect, useRef, useState, useId, useLayoutEffect } from 'preact/hooks';
import { isComposing } from '../cards/card-keys.ts';
import { isPaletteKey } from '../model/palette-key.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { t, tn } from '../model/language.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import paletteStyle from '../styles/palette.css?inline';
import { Sheet } from '../ui/sheet.tsx';
import {
  groupWords,
  type PaletteItem,
  type PaletteSources,
  type ShownGroup,
  usePaletteItems,
} from './palette-items.ts';

const OPEN_PALETTE = 'dialog:has(.palette)';

interface CommandPaletteProps extends Omit<PaletteProps, 'focused' | 'onClose'> {
  /** The menu of a phone is a dialog of its own. */
  readonly onOpen: () => void;
}

export function CommandPalette({ onOpen, ...rest }: CommandPaletteProps) {
  const [opened, setOpened] = useState<{ readonly focused: Element | null }>();
  const isOpen = useRef(false);
  isOpen.current = opened !== undefined;
  const latest = useRef(onOpen);
  latest.current = onOpen;
  useEffect(() => {
    const open = () => {
      latest.current();
      setOpened({ focused: document.activeElement });
    };
    const onKey = (event: KeyboardEvent) => {
      if (!isPaletteKey(event) || isComposing(event)) return;
      // Also where it does nothing: the browser would search.
      event.preventDefault();
      if (event.repeat) return;
      // Closed by the browser, which gives the focus back.
      if (isOpen.current) document.querySelector<HTMLDialogElement>(OPEN_PALETTE)?.close();
      else if (document.querySelector('dialog[open]') === null) open();
    };
    const onClick = ({ target }: Event) => {
      if (target instanceof Element && target.closest('[data-palette]') !== null) open();
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('click', onClick);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('click', onClick);
    };
  }, []);
  if (opened === undefined) return null;
  return <Palette {...rest} focused={opened.focused} onClose={() => setOpened(undefined)} />;
}

adoptStyle(paletteStyle);

interface PaletteProps extends PaletteSources {
  readonly onClose: () => void;
}

function Palette({ onClose, ...sources }: PaletteProps) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string>();
  const { groups, failure, isSearching } = usePaletteItems(sources, typed);
  const action = useAsyncAction();
  const [result, setResult] = useState('');
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const items = groups.flatMap((group) => group.items);
  // Nothing is active before a word or an arrow: Enter alone must not act on the request that happens to be first.
  const isTyped = typed.trim() !== '';
  const kept = items.findIndex((item) => item.id === chosen);
  const first = isTyped ? items.findIndex(({ isAgentsName }) => isAgentsName !== true) : -1;
  const at = kept >= 0 ? kept : first;
  const optionId = (index: number) => `${id}-${index}`;
  useLayoutEffect(() => {
    if (at >= 0) document.getElementById(optionId(at))?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const choose = async (item: PaletteItem) => {
    const dialog = field.current?.closest('dialog');
    if (item.isWork !== true) {
      // Closed first: the focus is back where it was, from where an action may move it.
      dialog?.close();
      // The event of the close comes later, and until then the key of the palette would close it once more.
      onClose();
      item.run();
      return;
    }
    let words: unknown;
    const isDone = await action.run(async () => {
      words = await item.run();
    });
    if (typeof words === 'string') setResult(words);
    else if (isDone) dialog?.close();
  };
  const move = (to: number) => setChosen(items[(to + items.length) % items.length]?.id);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'ArrowDown') move(at + 1);
    else if (event.key === 'ArrowUp') move(at < 0 ? items.length - 1 : at - 1);
    else if (event.key === 'Enter') {
      const item = items[at];
      // A key that is held down since the field before chooses nothing.
      if (item !== undefined && !event.repeat && !action.isBusy) void choose(item);
    } else return;
    event.preventDefault();
  };
  return (
    <Sheet title={t('Search and commands')} side="middle" onClose={onClose}>
      <div class="palette">
        <input
          ref={field}
          type="text"
          role="combobox"
          autofocus
          autocomplete="off"
          spellcheck={false}
          dir="auto"
          aria-label={t('Sessions, requests, pages and actions')}
          aria-expanded={items.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={at < 0 ? undefined : optionId(at)}
          placeholder={t('Sessions, requests, pages and actions')}
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setChosen(undefined);
          }}
          onKeyDown={onKeyDown}
        />
        <FailureNote text={action.failure ?? failure} />
        <p class="palette-result" role="status">
          {result}
        </p>
        <p class="unseen" role="status">
          {isTyped && !isSearching && tn(items.length, '{count} result', '{count} results')}
        </p>
        <div class="palette-list" id={`${id}-list`} role="listbox" aria-label={t('Results')}>
          {groups.map((group) => (
            <Group
              key={group.group}
              {...{ group, at, optionId }}
              from={items.indexOf(group.items[0] as PaletteItem)}
              onChoose={(item) => void choose(item)}
            />
          ))}
        </div>
        {items.length === 0 && !isSearching && (
          <p class="palette-none">
            {t('Nothing has these words. Try the name of a session, a tool or a page.')}
          </p>
        )}
      </div>
    </Sheet>
  );
}

interface GroupProps {
  readonly group: ShownGroup;
  /** The index of its first option, and that of the active one, among all. */
  readonly from: number;
  readonly at: number;
  readonly optionId: (index: number) => string;
  readonly onChoose: (item: PaletteItem) => void;
}

function Group({ group: { group, items, total }, from, at, optionId, onChoose }: GroupProps) {
  const name = `${optionId(from)}-group`;
  return (
    <div role="group" aria-labelledby={name}>
      <p class="palette-group" id={name}>
        {groupWords(group)}
        {total > items.length && (
          <span> {t('{shown} of {total}', { shown: items.length, total })}</span>
        )}
      </p>
      {items.map((item, index) => (
        // The keyboard reaches it from the field; a pointer that presses it must not take the focus.
        <div
          key={item.id}
          id={optionId(from + index)}
          class="palette-option"
          role="option"
          tabIndex={-1}
          aria-selected={from + index === at}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(item)}
        >
          <span class="palette-words" dir="auto">
            {item.words}
          </span>
          {item.about !== undefined && item.about !== '' && (
            <span class="palette-about" dir="auto">
              {item.about}
            </span>
          )}
        </div>
      ))}
    </div>
  );
}
