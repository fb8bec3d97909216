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
  readonly prompt: string;
  /** False if it cannot be answered now; then nothing has happened. */
  accept(text: string): boolean;
}

export type TextTargets = ReadonlyMap<string, TextTarget>;

/** Until the result is called, or the same interaction brings another one. */
export type AddTextTarget = (interactionId: string, target: TextTarget) => () => void;

export function useTextTargets(): { readonly targets: TextTargets; readonly add: AddTextTarget } {
  const [targets, setTargets] = useState<TextTargets>(new Map());
  const add = useCallback<AddTextTarget>((interactionId, target) => {
    setTargets((before) => new Map(before).set(interactionId, target));
    return () =>
      setTargets((before) => {
        if (before.get(interactionId) !== target) return before;
        const after = new Map(before);
        after.delete(interactionId);
        return after;
      });
  }, []);
  return { targets, add };
}

/** Lets the composer hand its text to this card (UI-7). */
export function useTextTarget(
  { answering, onTextTarget }: Pick<CardBodyProps, 'answering' | 'onTextTarget'>,
  asks: string,
  take: TextTarget['accept'],
): void {
  const { interactionId } = answering.record;
  const latest = useRef(take);
  latest.current = take;
  useLayoutEffect(
    () => onTextTarget?.(interactionId, { prompt: asks, accept: (text) => latest.current(text) }),
    [onTextTarget, interactionId, asks],
  );
}
