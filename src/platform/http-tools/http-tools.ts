/**
 * Calls of configured HTTP tools, over `fetch`.
 *
 * Each is sent once: whether a call is repeated is decided by the run, which knows what may be. Whatever goes wrong
 * becomes words for the model, and where it cannot be known whether the tool ran, they say so. They never hold the
 * address, the secret or what an error of the platform says: an address may hold a key, and the model repeats things.
 */
import type { HttpToolCall, HttpTools, ToolOutput } from '../../agent/tools/ports.ts';
import { durationInWords } from '../../core/kinds/duration.ts';
import { toolUrlProblem } from '../../core/tools/tool-url.ts';
import { CallLimit } from './call-limit.ts';
import { signedRequest } from './tool-signature.ts';
import { errorResult, toolOutput } from './tool-output.ts';

export interface HttpToolsOptions {
  /** `HOLDPOINT_SECRET`; what signs is derived from it. */
  readonly signingSecret: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly now: () => number;
  /** Plain HTTP and addresses of this machine and its network. */
  readonly allowPrivate: boolean;
}

const TOOL_MAY_HAVE_RUN = 'The tool may have run all the same.';
/** Of Node. Nothing was sent; other codes, and a Worker, leave that open. */
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
  // What was configured may have been allowed by other settings than those of today.
  const problem = toolUrlProblem(call.url, { allowPrivate });
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
        `The tool did not answer within ${durationInWords(call.timeoutMs)}. ${TOOL_MAY_HAVE_RUN}`,
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
  const code = connectErrorCode(cause);
  if (code !== undefined && NOT_CONNECTED.has(code)) {
    return errorResult(`The tool could not be reached (${code}).`);
  }
  return errorResult(`The connection to the tool failed before it answered. ${TOOL_MAY_HAVE_RUN}`);
}

/** Node puts what happened into the cause of the error that it throws. */
function connectErrorCode(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
