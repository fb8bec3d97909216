/** Server-sent events from bytes that were cut anywhere, in the middle of a letter or a line end too. */

export interface StreamMessage {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

export class EventStreamParser {
  readonly #decoder = new TextDecoder();
  #rest = '';
  #id: string | undefined;
  #event = '';
  #data: string[] = [];

  /** The messages these bytes complete. What has no blank line after it never becomes one. */
  push(bytes: Uint8Array): StreamMessage[] {
    const text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    // A carriage return at the end may be half of a line end.
    const whole = text.endsWith('\r') ? text.slice(0, -1) : text;
    const lines = whole.split(/\r\n|\r|\n/);
    this.#rest = (lines.pop() ?? '') + text.slice(whole.length);
    return lines.flatMap((line) => this.#take(line));
  }

  #take(line: string): StreamMessage[] {
    if (line === '') return this.#flush();
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id') this.#id = value;
    return [];
  }

  #flush(): StreamMessage[] {
    const message = { id: this.#id, event: this.#event, data: this.#data.join('\n') };
    const isEmpty = this.#data.length === 0;
    this.#id = undefined;
    this.#event = '';
    this.#data = [];
    return isEmpty ? [] : [message];
  }
}
