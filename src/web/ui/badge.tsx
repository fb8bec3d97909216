import type { ComponentChildren } from 'preact';

interface BadgeProps {
  /** Good, bad, or neither; the words alone say which state it is. */
  readonly mood: 'good' | 'bad' | 'plain';
  readonly children: ComponentChildren;
}

export function Badge({ mood, children }: BadgeProps) {
  return <span class={`badge ${mood}`}>{children}</span>;
}
