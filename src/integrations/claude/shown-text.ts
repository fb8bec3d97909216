/** Text of the SDK as a person may be shown it: what a server refuses is replaced, not sent. */

/** A text that one server refuses would deny the tool, though nobody looked at it. */
const MAX_CHARS = 8_000;

export function shownText(text: string, maxChars = MAX_CHARS): string {
  const clean = text.toWellFormed().replaceAll('\u0000', '\uFFFD');
  return clean.length <= maxChars ? clean : `${clean.slice(0, maxChars - 1).toWellFormed()}…`;
}

export function shownLines(lines: readonly (string | undefined)[]): string | undefined {
  const said = lines.filter((line) => line !== undefined && line.trim() !== '');
  return said.length === 0 ? undefined : shownText(said.join('\n'));
}
