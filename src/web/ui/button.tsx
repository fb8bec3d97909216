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
