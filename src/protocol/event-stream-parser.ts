/**
 * Parses server-sent events from chunks that may be cut anywhere, also within a character or a line end.
 *
 * Each byte is read once: for a line that arrives in many pieces, the parser keeps the pieces and searches only the new
 * one for its end. A page of the log is one such line, of up to a megabyte.
 */

export interface StreamMessage {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

const BYTE_ORDER_MARK = '\ufeff';

export class EventStreamParser {
  /** Keeps byte order marks: where a cut goes through the first one, the decoder would drop a second one too. */
  readonly #decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
  #isAtStart = true;
  /** A line feed that comes next is the second half of a line end. */
  #isAfterReturn = false;
  /** The pieces of the unfinished line. */
  #pieces: string[] = [];
  #id: string | undefined;
  #event = '';
  /** Undefined before the first line of data. */
  #data: string | undefined;

  /** The messages that these bytes complete. A message without a blank line after it is dropped, as the standard says. */
  push(bytes: Uint8Array): StreamMessage[] {
    const text = this.#withoutMarks(this.#decoder.decode(bytes, { stream: true }));
    // A string finds line ends several times faster than an expression, and most servers send no carriage return.
    const lines = text.split(text.includes('\r') ? /\r\n|\r|\n/ : '\n');
    const rest = lines.pop() ?? '';
    if (lines.length > 0) {
      lines[0] = this.#pieces.join('') + (lines[0] ?? '');
      this.#pieces = [];
    }
    if (rest !== '') this.#pieces.push(rest);
    const messages: StreamMessage[] = [];
    for (const line of lines) {
      if (line !== '') this.#take(line);
      else this.#endMessage(messages);
    }
    return messages;
  }

  #withoutMarks(text: string): string {
    if (text === '') return text;
    const isMarked = this.#isAtStart && text.startsWith(BYTE_ORDER_MARK);
    const isSecondHalf = this.#isAfterReturn && text.startsWith('\n');
    this.#isAtStart = false;
    this.#isAfterReturn = text.endsWith('\r');
    return isMarked || isSecondHalf ? text.slice(1) : text;
  }

  #take(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const start = line[colon + 1] === ' ' ? colon + 2 : colon + 1;
    const value = colon < 0 ? '' : line.slice(start);
    if (name === 'data') this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    else if (name === 'event') this.#event = value;
    // The standard ignores such an id, and no header could send it back.
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
  }

  #endMessage(messages: StreamMessage[]): void {
    const [id, event, data] = [this.#id, this.#event, this.#data];
    this.#id = undefined;
    this.#event = '';
    this.#data = undefined;
    if (data !== undefined) messages.push({ id, event, data });
  }
}
