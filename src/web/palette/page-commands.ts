/**
 * The actions of the page that the palette offers: its own buttons, found where they stand. A command presses the button,
 * so that each guard of a button counts, and an action that is not on the screen is not offered.
 */
import { t } from '../model/language.ts';

export interface PageCommand {
  readonly group: 'request' | 'session';
  readonly words: string;
  readonly about: string | undefined;
  readonly press: () => void;
}

const ACTIONS =
  ':is(.card-actions, .choice-list) > * .button, .card-actions > .button, .team .link';
/** Buttons of the page that name themselves as commands. */
const OF_SESSION = '[data-command]';

/** `focused` has the focus before the palette takes it: of several requests on a screen, its request is meant. */
export function findPageCommands(focused: Element | null): readonly PageCommand[] {
  const batch = document.querySelector<HTMLElement>('.batch-bar');
  const card = meantCard(focused);
  return [
    ...buttonsIn(batch, '.button').map((button) =>
      commandOf('request', button, t('Selected requests')),
    ),
    ...buttonsIn(card, ACTIONS).map((button) =>
      commandOf('request', button, card?.querySelector('.card-head h2')?.textContent),
    ),
    ...buttonsIn(document.body, OF_SESSION).map((button) => commandOf('session', button, '')),
  ];
}

/** The request beside the inbox, the one with the focus, or the only open one. */
function meantCard(focused: Element | null): HTMLElement | null {
  const open = document.querySelectorAll<HTMLElement>('.card.open');
  const own = focused?.closest<HTMLElement>('.card.open') ?? null;
  return own ?? (open.length === 1 ? (open[0] ?? null) : null);
}

function buttonsIn(place: HTMLElement | null, which: string): readonly HTMLElement[] {
  return [...(place?.querySelectorAll<HTMLElement>(which) ?? [])].filter(
    (button) => !button.matches(':disabled') && button.checkVisibility(),
  );
}

function commandOf(
  group: PageCommand['group'],
  button: HTMLElement,
  about: string | null | undefined,
): PageCommand {
  const words = (button.ariaLabel ?? button.textContent).trim().replaceAll(/\s+/g, ' ');
  return { group, words, about: about?.trim() || undefined, press: () => button.click() };
}
