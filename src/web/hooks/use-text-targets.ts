/**
 * The cards that accept text, by interaction: the composer sends an answer through the card on the screen.
 *
 * The card knows which options are chosen and which of its questions is current; the server knows neither. A text
 * sent past the card would answer another question than the visible one, and override the choices.
 */
import { useCallback, useState, useLayoutEffect, useRef } from 'preact/hooks';
import type { CardBodyProps } from '../cards/card-props.ts';

export interface TextTarget {
  /** The current question. */
  readonly prompt: string;
  /** Returns false, and does nothing, if the card cannot be answered now. */
  accept(text: string): boolean;
}

export type TextTargets = ReadonlyMap<string, TextTarget>;

/** Valid until the result is called, or until the interaction registers another target. */
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
