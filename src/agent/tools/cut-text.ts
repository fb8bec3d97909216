/** The beginning of a text, without the first half of a pair whose second half is cut off. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '');
}
