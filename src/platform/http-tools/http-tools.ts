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
import { CallLimit } from './call-limit.ts';
import { signedRequest } from './tool-signature.ts';
import { errorResult, toolOutput } from './tool-output.ts';

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
  return { call: (call, signal) => callTool(options, call, signal) };
}

async function callTool(
  // Taken out of the options: a Worker refuses its own `fetch` when it is called as a method of something else.
  { signingSecret, fetch, now, allowPrivate }: HttpToolsOptions,
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
    const request = await signedRequest(call, signingSecret, now());
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
