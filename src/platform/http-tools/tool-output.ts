/** The output of a tool from its response: the text, or a sentence about what is wrong with the response. */
import { cutText } from '../../agent/tools/fit-text.ts';
import type { ToolOutput } from '../../agent/tools/ports.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { CallLimit } from './call-limit.ts';

/** The part of an error page that the model receives. */
const ERROR_CHARS = 2_000;
const TYPE_CHARS = 100;
const CUT_NOTE =
  '\n\n[The answer is longer. It was cut here; how much more there is, is not known.]';

export async function toolOutput(response: Response, limit: CallLimit): Promise<ToolOutput> {
  const { status } = response;
  // Under the rules of browsers, an unfollowed redirect has the status 0.
  if (status === 0 || (status >= 300 && status < 400)) {
    discardBody(response);
    return errorResult('The tool answered with a redirect, which is not followed.');
  }
  return response.ok ? await textOutput(response, limit) : await errorOutput(response, limit);
}

async function textOutput(response: Response, limit: CallLimit): Promise<ToolOutput> {
  const type = response.headers.get('content-type');
  const decoder = decoderFor(type ?? 'text/plain');
  if (decoder === undefined) {
    discardBody(response);
    return errorResult(
      `The tool answered ${response.status}, with content of the type ${cutText(type ?? '', TYPE_CHARS)}. Only text and JSON can be read.`,
    );
  }
  const { text, isCut } = await readOutputText(
    response,
    decoder,
    LIMITS.toolOutputChars - CUT_NOTE.length,
    limit,
  );
  if (text === '') return plainOutput(`The tool answered ${response.status}, without content.`);
  if (type === null) return errorResult('The tool did not say of which type its answer is.');
  return plainOutput(isCut ? `${text}${CUT_NOTE}` : text);
}

async function errorOutput(response: Response, limit: CallLimit): Promise<ToolOutput> {
  const decoder = decoderFor(response.headers.get('content-type') ?? '');
  if (decoder === undefined) {
    discardBody(response);
    return errorResult(`The tool answered ${response.status}.`);
  }
  const { text, isCut } = await readOutputText(response, decoder, ERROR_CHARS, limit);
  if (text.trim() === '') return errorResult(`The tool answered ${response.status}.`);
  return errorResult(`The tool answered ${response.status}: ${text}${isCut ? '…' : ''}`);
}

export function errorResult(content: string): ToolOutput {
  return { content, isError: true };
}

function plainOutput(content: string): ToolOutput {
  return { content, isError: false };
}

/** An unread body would keep its connection. */
function discardBody({ body }: Response): void {
  body?.cancel().catch(() => undefined);
}

const READABLE = /^(text\/[^/]+|application\/json|[^/]+\/[^/]+\+json)$/;

/** Node's types declare the class as a value alone. */
type Decoder = InstanceType<typeof TextDecoder>;

interface ReadText {
  readonly text: string;
  readonly isCut: boolean;
}

/** Undefined when the content is not text, or its encoding is unknown. */
function decoderFor(contentType: string): Decoder | undefined {
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

/** A body may be endless: the rest beyond `maxChars` is neither stored nor awaited. */
async function readOutputText(
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
