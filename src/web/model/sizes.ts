/** How long a text is, in words. */

const encoder = new TextEncoder();

export function byteLength(text: string): number {
  return encoder.encode(text).byteLength;
}

/** For example "812 bytes" or "100 KB" (of 1,024 bytes). */
export function byteCount(bytes: number): string {
  if (bytes < 1_024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const kilobytes = bytes / 1_024;
  if (kilobytes < 1_024)
    return `${kilobytes < 10 ? kilobytes.toFixed(1) : Math.round(kilobytes)} KB`;
  return `${(kilobytes / 1_024).toFixed(1)} MB`;
}

/** With so few lines, the number of lines does not tell the length. */
const FEW_LINES = 5;

/** The size of a folded text: its lines, or its bytes where most of it is in one line. */
export function sizeOfText(text: string): string {
  const lines = text.trimEnd().split('\n').length;
  return lines > FEW_LINES ? `${lines} lines` : byteCount(byteLength(text));
}
