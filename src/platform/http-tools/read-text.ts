/**
 * The body of an answer as text, as much of it as is wanted.
 *
 * A body may be endless. What is beyond the limit is neither kept nor waited for.
 */
import { cutText } from '../../agent/tools/fit-text.ts';
import type { CallLimit } from './call-limit.ts';

const READABLE = /^(text\/[^/]+|application\/json|[^/]+\/[^/]+\+json)$/;

/** Named so because Node's types know the class as a value alone. */
type Decoder = InstanceType<typeof TextDecoder>;

export interface ReadText {
  readonly text: string;
  readonly isCut: boolean;
}

/** Undefined: this is not text, or in an encoding that is not known. */
export function decoderFor(contentType: string): Decoder | undefined {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim());
  if (!READABLE.test(type.toLowerCase())) return undefined;
  const charset = parameters.map((one) => /^charset="?([^"]+)"?$/i.exec(one)?.[1]).find(Boolean);
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
    // Frees the connection. It may be broken already, and then that is told instead.
    reader.cancel().catch(() => undefined);
  }
  const isCut = text.length > maxChars;
  // Storage has no place for U+0000.
  return { text: cutText(text, maxChars).replaceAll('\0', '\uFFFD'), isCut };
}
