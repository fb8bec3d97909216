/**
 * The cards that take a text, by their interaction: what the composer sends goes through the card that is on the screen.
 *
 * A card knows what was chosen on it and which of its questions is open; the server knows neither. A text that went past
 * the card would answer another question than the one a person looks at, and win over what they chose.
 */
import { useCallback, useState } from 'preact/hooks';

export interface TextTaker {
  /** What it asks at the moment. */
  readonly asks: string;
  /** False if it cannot be answered now; then nothing has happened. */
  take(text: string): boolean;
}

export type TextTakers = ReadonlyMap<string, TextTaker>;

/** Until the result is called, or the same interaction brings another one. */
export type AddTextTaker = (interactionId: string, taker: TextTaker) => () => void;

export function useTextTakers(): { readonly takers: TextTakers; readonly add: AddTextTaker } {
  const [takers, setTakers] = useState<TextTakers>(new Map());
  const add = useCallback<AddTextTaker>((interactionId, taker) => {
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
