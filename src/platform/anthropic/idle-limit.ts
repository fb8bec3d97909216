/**
 * A fetch whose response body may not fall silent.
 *
 * The timeout of the SDK ends with the headers: an answer that stalls later would hold its run until the lease ends. The
 * limit counts bytes, not events: while the model thinks, the API sends only pings, which the SDK does not pass on.
 */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export class SilentAnswerError extends Error {
  override readonly name = 'SilentAnswerError';
}

export function withIdleLimit(fetch: Fetch, idleMs: number): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    return new Response(limitSilence(response.body, idleMs), response);
  };
}

function limitSilence(
  body: ReadableStream<Uint8Array>,
  idleMs: number,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await readBeforeSilence(reader, idleMs);
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

async function readBeforeSilence(reader: ReadableStreamDefaultReader<Uint8Array>, idleMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new SilentAnswerError(`Nothing came for ${idleMs} ms`);
      reject(error);
      // Frees the connection. The cancel may fail on a broken connection; the error above is thrown either way.
      reader.cancel(error).catch(() => undefined);
    }, idleMs);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
  }
}
