/**
 * Reads the body of a response as text, up to a limit.
 *
 * A body may be endless. The rest beyond the limit is neither stored nor awaited.
 */
import { cutText } from '../../agent/tools/fit-text.ts';
import type { CallLimit } from './call-limit.ts';

const READABLE = /^(text\/[^/]+|application\/json|[^/]+\/[^/]+\+json)$/;

/** Node's types declare the class as a value alone. */
type Decoder = InstanceType<typeof TextDecoder>;

export interface ReadText {
  readonly text: string;
  readonly isCut: boolean;
}

/** Undefined when the content is not text, or its encoding is unknown. */
export function decoderFor(contentType: string): Decoder | undefined {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim());
  if (!READABLE.test(type.toLowerCase())) return undefined;
  const charset = parameters
    .map((parameter) => /^charset="?([^"]+)"?$/i.exec(parameter)?.[1])
    .find(Boolean);
  try {
    return new TextDecoder(charset ?? 'utf-8');
  } catch {
    return undefined;
  }
}

export async function readText(
  { body }: Response,
  decoder: Decoder,
  maxChars: number,
  limit: CallLimit,
): Promise<ReadText> {
  if (body === null) return { text: '', isCut: false };
  const reader = body.getReader();
  let text = '';
  try {
    while (text.length <= maxChars) {
      const { value, done } = await limit.until(reader.read());
      text += decoder.decode(value, { stream: !done });
      if (done) break;
    }
  } finally {
    // Frees the connection. The cancel may fail on a broken connection, whose error is thrown above.
    reader.cancel().catch(() => undefined);
  }
  const isCut = text.length > maxChars;
  // Storage has no place for U+0000.
  return { text: cutText(text, maxChars).replaceAll('\0', '\uFFFD'), isCut };
}
