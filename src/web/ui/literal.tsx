import { type TextPart, visibleParts } from '../../protocol/escapes.ts';

/** The exact text, with invisible characters escaped; adjacent ones as one element, because there may be thousands. */
export function Literal({ text }: { readonly text: string }) {
  const parts: TextPart[] = [];
  for (const part of visibleParts(text)) {
    const last = parts.at(-1);
    if (part.isEscape && last?.isEscape === true)
      parts[parts.length - 1] = { text: last.text + part.text, isEscape: true };
    else parts.push(part);
  }
  return (
    <>
      {parts.map((part, at) =>
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
