import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class' | 'type'> {
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet' | 'icon';
  readonly type?: 'button' | 'submit';
  /** Something was sent and has not come back: it cannot be pressed again. */
  readonly isBusy?: boolean;
  /**
   * Why a press does not count yet. The button stays in the tab order, so that a keyboard finds it; for the
   * moment of `arming` it looks as it will a moment later.
   */
  readonly hold?: 'arming' | 'missing' | undefined;
  /** What a press does instead while something is missing. */
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
      // A key that is held down would press what is under it again and again.
      onKeyDown={(event) => event.repeat && event.key === 'Enter' && event.preventDefault()}
    >
      {isBusy && <span class="spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}
