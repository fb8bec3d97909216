/**
 * A `fetch` that says how many bytes of its body are sent. `fetch` itself does not: only XMLHttpRequest reports an upload
 * to the page. A server within the page has the `fetch` that leads to it.
 */
export function countedFetch(usual: typeof fetch, onSent: (bytes: number) => void): typeof fetch {
  return (address, options = {}) =>
    new Promise((resolve, reject) => {
      const target = address instanceof Request ? address.url : address;
      const url = new URL(target, location.href);
      if (url.origin !== location.origin) return resolve(usual(address, options));
      const { method = 'GET', headers, body, signal } = options;
      const sending = new XMLHttpRequest();
      const stop = () => sending.abort();
      sending.open(method, url.href);
      for (const [name, value] of new Headers(headers)) sending.setRequestHeader(name, value);
      sending.upload.addEventListener('progress', ({ loaded }) => onSent(loaded));
      sending.addEventListener('load', () => resolve(replyOf(sending)));
      sending.addEventListener('error', () => reject(new DOMException('', 'NetworkError')));
      sending.addEventListener('abort', () => reject(signal?.reason));
      sending.addEventListener('loadend', () => signal?.removeEventListener('abort', stop));
      signal?.addEventListener('abort', stop);
      sending.send(body instanceof ReadableStream ? null : (body ?? null));
    });
}

function replyOf(sent: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of sent
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)) {
    const at = line.indexOf(':');
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  // A reply of these statuses has no body, not even an empty one.
  const text = [204, 205, 304].includes(sent.status) ? null : sent.responseText;
  return new Response(text, { status: sent.status, statusText: sent.statusText, headers });
}
