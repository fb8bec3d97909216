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
  #data: string[] = [];

  /** The messages that these bytes complete. A message without a blank line after it is dropped, as the standard says. */
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
    // The standard ignores such an id, and no header could send it back.
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
