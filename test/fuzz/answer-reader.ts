/** Reads one HTTP/1.1 response from bytes as they arrive. */
import type { Reply } from '../support/http/call.ts';

const HEAD_END = '\r\n\r\n';
const BODILESS = [101, 204, 304];

export class AnswerReader {
  readonly #isHead: boolean;
  readonly #chunks: Buffer[] = [];

  constructor(isHead: boolean) {
    this.#isHead = isHead;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  get received(): string {
    return Buffer.concat(this.#chunks).toString('latin1');
  }

  /** Undefined while bytes are missing. An event stream counts as complete with its first bytes. */
  reply(isOver: boolean): Reply | undefined {
    const bytes = Buffer.concat(this.#chunks);
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) return undefined;
    const [line = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
    const headers = new Headers();
    for (const header of lines) {
      const colon = header.indexOf(':');
      headers.append(header.slice(0, colon), header.slice(colon + 1).trim());
    }
    const rest = bytes.subarray(end + HEAD_END.length);
    const isBodiless = this.#isHead || BODILESS.includes(status);
    const body = isBodiless ? Buffer.alloc(0) : bodyIn(rest, headers, isOver);
    return body && { status, headers, text: body.toString() };
  }
}

function bodyIn(rest: Buffer, headers: Headers, isOver: boolean): Buffer | undefined {
  const isStream = headers.get('content-type') === 'text/event-stream';
  if (isStream && rest.length > 0) return rest;
  if (headers.get('transfer-encoding') === 'chunked') return unchunked(rest);
  const length = headers.get('content-length');
  if (length === null) return isOver ? rest : undefined;
  return rest.length < Number(length) ? undefined : rest.subarray(0, Number(length));
}

function unchunked(rest: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(rest.subarray(at, lineEnd).toString('latin1'), 16);
    const start = lineEnd + 2;
    if (rest.length < start + size + 2) return undefined;
    if (size === 0) return Buffer.concat(parts);
    parts.push(rest.subarray(start, start + size));
    at = start + size + 2;
  }
}
