import { visibleParts } from '../model/escapes.ts';

/** The exact text, with invisible characters escaped. */
export function Literal({ text }: { readonly text: string }) {
  return (
    <>
      {visibleParts(text).map((part, at) =>
        part.isEscape ? (
          <span key={at} class="escape">
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </>
  );
}
