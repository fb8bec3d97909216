/** Lets the composer give its text to this card (UI-7). */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TextTarget } from '../hooks/use-text-targets.ts';
import type { CardBodyProps } from './card-props.ts';

export function useTextTarget(
  { answering, onText }: Pick<CardBodyProps, 'answering' | 'onText'>,
  asks: string,
  take: TextTarget['take'],
): void {
  const { interactionId } = answering.record;
  const latest = useRef(take);
  latest.current = take;
  useLayoutEffect(
    () => onText?.(interactionId, { asks, take: (text) => latest.current(text) }),
    [onText, interactionId, asks],
  );
}
