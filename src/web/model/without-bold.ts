/** Text that agents write as Markdown, where it is shown as text alone: the marks of bold words would look broken. */
export function withoutBold(text: string): string {
  return text.replaceAll(/(^|[\s(“"])\*\*(?=\S)([^\n]+?)(?<=\S)\*\*(?![\p{L}\p{N}])/gu, '$1$2');
}
