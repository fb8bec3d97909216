/**
 * Sends one request of a surface over `fetch`, with the address rules, the refusal of redirects and the limits that HTTP tools have.
 *
 * A failure is a sentence for an administrator, and holds neither the address nor the text of a platform error.
 */
import { PrivateAddressError } from '../../core/outgoing-address.ts';
import { outgoingUrlProblem } from '../../core/outgoing-url.ts';
import type { SurfaceReply, SurfaceRequest } from '../../delivery/surfaces/surface.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { CallLimit } from '../http-tools/call-limit.ts';

export interface WebhookSenderOptions {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Allows plain HTTP, and addresses of this machine and its network. */
  readonly allowPrivate: boolean;
}

export function webhookSender(
  // Taken out of the options: a Worker refuses its own `fetch` when it is called as a method of something else.
  { fetch, allowPrivate }: WebhookSenderOptions,
): (request: SurfaceRequest) => Promise<SurfaceReply> {
  return async ({ method = 'POST', url, headers, body }) => {
    const refused = outgoingUrlProblem(url, { allowPrivate });
    if (refused !== undefined) return failure(`Not sent: ${refused}`);
    const limit = new CallLimit(new AbortController().signal, LIMITS.webhookMs);
    let status: number | undefined;
    try {
      const init = { method, headers, body, redirect: 'manual', signal: limit.signal };
      const response = await limit.until(fetch(url, init as RequestInit));
      status = response.status;
      return await readSurfaceReply(response, limit);
    } catch (cause) {
      if (cause instanceof PrivateAddressError) return failure(`Not sent: ${cause.message}`);
      const seconds = LIMITS.webhookMs / 1_000;
      const why =
        limit.endedBy === 'timeout'
          ? `No whole response within ${seconds} seconds`
          : status === undefined
            ? 'The connection failed before a response'
            : 'The connection was lost in the middle of the response';
      return { ...failure(why), ...(status !== undefined && { status }) };
    } finally {
      limit.release();
    }
  };
}

function failure(problem: string): SurfaceReply {
  return { text: '', retryAfter: null, problem };
}

async function readSurfaceReply(response: Response, limit: CallLimit): Promise<SurfaceReply> {
  const { status } = response;
  // Under the rules of browsers, an unfollowed redirect has the status 0.
  if (status === 0 || (status >= 300 && status < 400)) {
    // An unread body would keep its connection.
    response.body?.cancel().catch(() => undefined);
    return { ...failure('A redirect, which is not followed'), status };
  }
  const text = await readText(response, limit);
  const retryAfter = response.headers.get('retry-after');
  return response.ok
    ? { status, text, retryAfter }
    : { status, text, retryAfter, problem: `The receiver responded ${status}` };
}

/** What exceeds the limit is neither stored nor awaited. */
async function readText({ body }: Response, limit: CallLimit): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    while (bytes < LIMITS.webhookReplyBytes) {
      const { value, done } = await limit.until(reader.read());
      if (done) break;
      text += decoder.decode(value.subarray(0, LIMITS.webhookReplyBytes - bytes), { stream: true });
      bytes += value.length;
    }
  } finally {
    // Frees the connection. The cancel may fail on a broken connection, whose error is thrown above.
    reader.cancel().catch(() => undefined);
  }
  // Storage has no place for U+0000.
  return text.replaceAll('\0', '\uFFFD');
}
