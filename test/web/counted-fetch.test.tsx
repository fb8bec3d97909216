/** How much of a file is sent. A bug here looks like an upload that stands at nothing, or one that cannot be stopped. */
import { afterEach, expect, it, vi } from 'vitest';
import { countedFetch } from '../../src/web/files/counted-fetch.ts';

/** What a browser does of an upload, by hand. */
class PlayedRequest extends EventTarget {
  static last: PlayedRequest | undefined;
  readonly upload = new EventTarget();
  readonly sent: { method?: string; headers: Record<string, string>; body?: unknown } = {
    headers: {},
  };
  status = 0;
  statusText = '';
  responseText = '';
  constructor() {
    super();
    PlayedRequest.last = this;
  }
  open(method: string) {
    this.sent.method = method;
  }
  setRequestHeader(name: string, value: string) {
    this.sent.headers[name] = value;
  }
  send(body: unknown) {
    this.sent.body = body;
  }
  abort() {
    this.end('abort');
  }
  getAllResponseHeaders() {
    return 'content-type: application/json\r\nidempotency-replayed: true\r\n';
  }
  end(how: 'load' | 'error' | 'abort') {
    this.dispatchEvent(new Event(how));
    this.dispatchEvent(new Event('loadend'));
  }
}

afterEach(() => vi.unstubAllGlobals());

function begins(signal?: AbortSignal) {
  vi.stubGlobal('XMLHttpRequest', PlayedRequest);
  const counts: number[] = [];
  const usual = vi.fn<typeof fetch>();
  const body = new Blob(['picture']);
  const how = {
    method: 'POST',
    headers: { 'Idempotency-Key': 'k' },
    body,
    ...(signal && { signal }),
  };
  const reply = countedFetch(usual, (bytes) => counts.push(bytes))('/v1/files', how);
  const request = PlayedRequest.last;
  if (request === undefined) throw new Error('Nothing was sent');
  return { reply, request, counts, usual, body };
}

it('[ATT-7] says the bytes that are sent, and replies as fetch does', async () => {
  const { reply, request, counts, usual, body } = begins();
  expect(request.sent).toEqual({ method: 'POST', headers: { 'idempotency-key': 'k' }, body });
  for (const loaded of [3, 7])
    request.upload.dispatchEvent(new ProgressEvent('progress', { loaded, total: 7 }));
  Object.assign(request, { status: 201, responseText: '{"attachment":{}}' });
  request.end('load');
  const response = await reply;
  expect(counts).toEqual([3, 7]);
  expect([response.status, response.headers.get('Idempotency-Replayed')]).toEqual([201, 'true']);
  expect(await response.json()).toEqual({ attachment: {} });
  expect(usual).not.toHaveBeenCalled();
});

it('[ATT-7] ends with its signal, and fails without a network', async () => {
  const over = new AbortController();
  const stopped = begins(over.signal);
  over.abort(new Error('The person stopped it'));
  await expect(stopped.reply).rejects.toThrow('The person stopped it');
  const lost = begins();
  lost.request.end('error');
  await expect(lost.reply).rejects.toMatchObject({ name: 'NetworkError' });
});

it('[ATT-7] leaves a server of another origin to the fetch that leads to it', async () => {
  const usual = vi.fn<typeof fetch>(async () => new Response('{}'));
  await countedFetch(usual, () => undefined)('http://in-process.invalid/v1/files', {});
  expect(usual).toHaveBeenCalledOnce();
});
