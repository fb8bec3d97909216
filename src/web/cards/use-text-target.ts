/** Lets the composer give its text to this card (UI-7). */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TextTaker } from '../hooks/use-text-targets.ts';
import type { KindProps } from './card-props.ts';

export function useTextTaker(
  { answering, onText }: Pick<KindProps, 'answering' | 'onText'>,
  asks: string,
  take: TextTaker['take'],
): void {
  const { interactionId } = answering.record;
  const latest = useRef(take);
  latest.current = take;
  useLayoutEffect(
    () => onText?.(interactionId, { asks, take: (text) => latest.current(text) }),
    [onText, interactionId, asks],
  );
}
