/**
 * Calls of configured HTTP tools, over `fetch`.
 *
 * A call is sent once; the run decides about repeats, because it knows which calls may be repeated. A failure becomes a
 * sentence for the model, which says when the tool may have run all the same. The sentence never holds the address, the
 * secret or the text of a platform error: an address may hold a key, and the model repeats what it reads.
 */
import type { HttpToolCall, HttpTools, ToolOutput } from '../../agent/tools/ports.ts';
import { describeDuration } from '../../protocol/duration.ts';
import { PrivateAddressError } from '../../core/outgoing-address.ts';
import { outgoingUrlProblem } from '../../core/outgoing-url.ts';
import { cutText } from '../../agent/tools/fit-text.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { CallLimit } from './call-limit.ts';
import { signedRequest, ToolKeys } from './tool-signature.ts';

export interface HttpToolsOptions {
  /** `HOLDPOINT_SECRET`; the signing key is derived from it. */
  readonly signingSecret: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly now: () => number;
  /** Allows plain HTTP, and addresses of this machine and its network. */
  readonly allowPrivate: boolean;
}

const TOOL_MAY_HAVE_RUN = 'The tool may have run all the same.';
/** Error codes of Node that prove that no request was sent. Other codes, and errors of a Worker, prove nothing. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

export function httpTools(options: HttpToolsOptions): HttpTools {
  const keys = new ToolKeys(options.signingSecret);
  return { call: (call, signal) => callTool(options, keys, call, signal) };
}

async function callTool(
  // Taken out of the options: a Worker refuses its own `fetch` when it is called as a method of something else.
  { fetch, now, allowPrivate }: HttpToolsOptions,
  keys: ToolKeys,
  call: HttpToolCall,
  signal: AbortSignal,
): Promise<ToolOutput> {
  if (signal.aborted) return errorResult('The call was stopped before it was sent.');
  // The tool may have been configured under other settings.
  const problem = outgoingUrlProblem(call.url, { allowPrivate });
  if (problem !== undefined) return errorResult(`The tool was not called: ${problem}.`);
  const limit = new CallLimit(signal, call.timeoutMs);
  let hasAnswered = false;
  try {
    const request = await signedRequest(call, await keys.keyOf(call.workspace), now());
    const sent = fetch(call.url, { ...request, redirect: 'manual', signal: limit.signal });
    const response = await limit.until(sent);
    hasAnswered = true;
    return await toolOutput(response, limit);
  } catch (cause) {
    if (limit.endedBy === 'abort') return errorResult(`The call was stopped. ${TOOL_MAY_HAVE_RUN}`);
    if (limit.endedBy === 'timeout') {
      return errorResult(
        `The tool did not answer within ${describeDuration(call.timeoutMs)}. ${TOOL_MAY_HAVE_RUN}`,
      );
    }
    return hasAnswered
      ? errorResult(
          `The connection to the tool was lost in the middle of its answer. ${TOOL_MAY_HAVE_RUN}`,
        )
      : describeNoResponse(cause);
  } finally {
    limit.release();
  }
}

function describeNoResponse(cause: unknown): ToolOutput {
  if (cause instanceof PrivateAddressError) {
    return errorResult(`The tool was not called: ${cause.message}.`);
  }
  const code = connectErrorCode(cause);
  if (code !== undefined && NOT_CONNECTED.has(code)) {
    return errorResult(`The tool could not be reached (${code}).`);
  }
  return errorResult(`The connection to the tool failed before it answered. ${TOOL_MAY_HAVE_RUN}`);
}

/** Node puts the code into the cause of the error that it throws. */
function connectErrorCode(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The part of an error page that the model receives. */
const ERROR_CHARS = 2_000;
const TYPE_CHARS = 100;
const CUT_NOTE =
  '\n\n[The answer is longer. It was cut here; how much more there is, is not known.]';

async function toolOutput(response: Response, limit: CallLimit): Promise<ToolOutput> {
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

function errorResult(content: string): ToolOutput {
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
