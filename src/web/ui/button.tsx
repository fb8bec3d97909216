import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class' | 'type'> {
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet' | 'icon';
  readonly type?: 'button' | 'submit';
  /** A request is running: the button cannot be pressed again. */
  readonly isBusy?: boolean;
  /**
   * Why a press does not count yet. The button stays in the tab order for keyboard users; during `arming` it already
   * looks active.
   */
  readonly hold?: 'arming' | 'missing' | undefined;
  /** The action of a press while something is missing. */
  readonly onHeld?: (() => void) | undefined;
  readonly children: ComponentChildren;
}

export function Button({ kind = 'plain', type = 'button', isBusy = false, ...rest }: ButtonProps) {
  const { children, disabled, hold, onHeld, onClick, ...other } = rest;
  return (
    <button
      {...other}
      type={type}
      class={`button ${kind}${hold === 'missing' ? ' missing' : ''}`}
      disabled={disabled || isBusy}
      aria-disabled={hold === undefined ? undefined : true}
      aria-busy={isBusy}
      onClick={hold === undefined ? onClick : hold === 'missing' ? onHeld : undefined}
      // A held key would press the button again and again.
      onKeyDown={(event) => event.repeat && event.key === 'Enter' && event.preventDefault()}
    >
      {isBusy && <span class="spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}

/** Line icons in the color of the text beside them; an icon is never the only message. */
const PATHS = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  down: 'M12 5v14M6 13l6 6 6-6',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M7 7l10 10M17 7L7 17',
  hand: 'M9 5v14M15 5v14',
  dots: 'M6 12h.01M12 12h.01M18 12h.01',
  inbox: 'M4 13l2.5-7h11L20 13v5a1 1 0 01-1 1H5a1 1 0 01-1-1zM4 13h5l1 2h4l1-2h5',
  file: 'M7 4h7l4 4v12H7zM14 4v4h4',
  shield: 'M12 4l7 2.5v5c0 4-3 7-7 8.5-4-1.5-7-4.5-7-8.5v-5z',
  retry: 'M19 12a7 7 0 11-2.2-5.1M19 4v4h-4',
  tool: 'M14.5 6a4 4 0 00-5 5L5 15.5 8.5 19l4.5-4.5a4 4 0 005-5l-2.5 2.5-3-3z',
  link: 'M9 15l6-6M11 6l2-2a4 4 0 016 6l-2 2M13 18l-2 2a4 4 0 01-6-6l2-2',
  find: 'M11 5a6 6 0 110 12 6 6 0 010-12zM15.5 15.5L20 20',
  chevron: 'M9 6l6 6-6 6',
  back: 'M15 6l-6 6 6 6',
  sliders: 'M5 7h9M18 7h1M5 17h1M10 17h9M16 5v4M8 15v4',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      class={name === 'chevron' || name === 'back' ? `icon ${name}` : 'icon'}
      width="20"
      height="20"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
