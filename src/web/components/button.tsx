import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

interface Props extends Omit<ButtonHTMLAttributes, 'class' | 'type'> {
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet' | 'icon';
  readonly type?: 'button' | 'submit';
  /** Something was sent and has not come back: it cannot be pressed again. */
  readonly isBusy?: boolean;
  readonly children: ComponentChildren;
}

export function Button({ kind = 'plain', type = 'button', isBusy = false, ...rest }: Props) {
  const { children, disabled, ...other } = rest;
  return (
    <button
      {...other}
      type={type}
      class={`button ${kind}`}
      disabled={disabled || isBusy}
      aria-busy={isBusy}
    >
      {isBusy && <span class="spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}
