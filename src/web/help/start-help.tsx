import { render } from 'preact';
import { isComposing } from '../cards/card-keys.ts';
import { HelpSheet } from './help-sheet.tsx';

/** Opens the help by the key `?`, and by every button with `data-help`, on whatever screen. */
export function startHelp(): () => void {
  const place = document.createElement('div');
  document.body.append(place);
  const close = () => render(null, place);
  const open = () => render(<HelpSheet onClose={close} />, place);
  const onKey = (event: KeyboardEvent) => {
    const isModified = event.ctrlKey || event.metaKey || event.altKey;
    if (event.key !== '?' || isModified || isComposing(event) || isTypedText(event)) return;
    event.preventDefault();
    if (document.querySelector('dialog[open]') === null) open();
  };
  // Its button may stand in a dialog: the menu of a phone is one.
  const onClick = ({ target }: Event) => {
    if (target instanceof Element && target.closest('[data-help]') !== null) open();
  };
  document.addEventListener('keydown', onKey);
  document.addEventListener('click', onClick);
  return () => {
    document.removeEventListener('keydown', onKey);
    document.removeEventListener('click', onClick);
    close();
    place.remove();
  };
}

function isTypedText({ target }: Event): boolean {
  const field = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]';
  return target instanceof Element && target.closest(field) !== null;
}
