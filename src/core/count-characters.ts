/** Code points, as JSON Schema counts the length of a text. */
export function countCharacters(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
