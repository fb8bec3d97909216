/** Opens the palette by its key and by every button with `data-palette`, on every screen of a signed-in person. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { isComposing } from '../cards/card-keys.ts';
import { isPaletteKey } from '../model/palette-key.ts';
import { Palette, type PaletteProps } from './palette.tsx';

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
