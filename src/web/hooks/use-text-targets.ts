/**
 * The cards that take a text, by their interaction: what the composer sends goes through the card that is on the screen.
 *
 * A card knows what was chosen on it and which of its questions is open; the server knows neither. A text that went past
 * the card would answer another question than the one a person looks at, and win over what they chose.
 */
import { useCallback, useState, useLayoutEffect, useRef } from 'preact/hooks';
import type { CardBodyProps } from '../cards/card-props.ts';

export interface TextTarget {
  /** What it asks at the moment. */
  readonly asks: string;
  /** False if it cannot be answered now; then nothing has happened. */
  take(text: string): boolean;
}

export type TextTargets = ReadonlyMap<string, TextTarget>;

/** Until the result is called, or the same interaction brings another one. */
export type AddTextTarget = (interactionId: string, taker: TextTarget) => () => void;

export function useTextTargets(): { readonly takers: TextTargets; readonly add: AddTextTarget } {
  const [takers, setTakers] = useState<TextTargets>(new Map());
  const add = useCallback<AddTextTarget>((interactionId, taker) => {
    setTakers((before) => new Map(before).set(interactionId, taker));
    return () =>
      setTakers((before) => {
        if (before.get(interactionId) !== taker) return before;
        const after = new Map(before);
        after.delete(interactionId);
        return after;
      });
  }, []);
  return { takers, add };
}

/** Lets the composer hand its text to this card (UI-7). */
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
