/** The result as text; undefined for other content. */
export function resultText(output: unknown): string | undefined {
  if (typeof output === 'string') return output;
  if (!Array.isArray(output)) return undefined;
  const texts = output.map((part: unknown) =>
    typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
      ? part.text
      : undefined,
  );
  return texts.length > 0 && texts.every((text) => text !== undefined)
    ? texts.join('\n')
    : undefined;
}
