/** The beginning of a text as one line: white space becomes single blanks, and no character is cut in half. */
export function oneLine(text: string, maxChars: number): string {
  // A blank of any length becomes one, so twice the length is enough of most texts.
  const line = text
    .slice(0, 8 * maxChars)
    .trim()
    .replaceAll(/\s+/g, ' ');
  if (line.length <= maxChars) return line;
  const cut = line.slice(0, maxChars - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
