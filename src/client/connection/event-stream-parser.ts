/**
 * Server-sent events from bytes that were cut anywhere, in the middle of a letter or a line end too.
 *
 * Each byte is looked at once: of a line that comes in many pieces, the pieces are kept and only the new
 * one is searched for its end. A page of the log is such a line, of up to a megabyte.
 */

export interface StreamMessage {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

const BYTE_ORDER_MARK = '\ufeff';

export class EventStreamParser {
  /** It would drop a second mark as well where a cut goes through the first one. */
  readonly #decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
  #isAtStart = true;
  /** A line feed that comes next belongs to the line end that was taken already. */
  #isAfterReturn = false;
  /** Of the line that has no end yet. */
  #pieces: string[] = [];
  #id: string | undefined;
  #event = '';
  #data: string[] = [];

  /** The messages these bytes complete. What has no blank line after it never becomes one. */
  push(bytes: Uint8Array): StreamMessage[] {
    const text = this.#withoutMarks(this.#decoder.decode(bytes, { stream: true }));
    const lines = text.split(/\r\n|\r|\n/);
    const rest = lines.pop() ?? '';
    if (lines.length > 0) {
      lines[0] = this.#pieces.join('') + (lines[0] ?? '');
      this.#pieces = [];
    }
    if (rest !== '') this.#pieces.push(rest);
    return lines.flatMap((line) => this.#take(line));
  }

  #withoutMarks(text: string): string {
    if (text === '') return text;
    const isMarked = this.#isAtStart && text.startsWith(BYTE_ORDER_MARK);
    const isSecondHalf = this.#isAfterReturn && text.startsWith('\n');
    this.#isAtStart = false;
    this.#isAfterReturn = text.endsWith('\r');
    return isMarked || isSecondHalf ? text.slice(1) : text;
  }

  #take(line: string): StreamMessage[] {
    if (line === '') return this.#flush();
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    // The specification leaves out such an id; it could not be sent back in a header either.
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
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
