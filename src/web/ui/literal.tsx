import { visibleParts } from '../model/escapes.ts';

/** Text exactly as it is; what cannot be seen is spelled out. */
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
