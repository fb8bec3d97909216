/**
 * Cuts a stream of text into lines and holds no more than one line. A line feed ends a line; what follows the last one is
 * `unfinished`, because the program may still be writing it.
 */

/** As much as a session may hold of history; a longer line has no place there. */
const MAX_LINE_CHARS = 64 * 1_024 * 1_024;

export interface TextLine {
  /** From 1. */
  readonly number: number;
  /** Undefined for a line that is longer than `MAX_LINE_CHARS`. */
  readonly text: string | undefined;
}

export class LineSplitter {
  #number = 1;
  #pieces: string[] = [];
  #chars = 0;

  *push(chunk: string): Generator<TextLine> {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      this.#keep(chunk.slice(from, end));
      yield this.#takeLine();
      from = end + 1;
    }
    this.#keep(chunk.slice(from));
  }

  /** The text after the last line feed, as the line that it would be. */
  get unfinished(): TextLine {
    return { number: this.#number, text: this.#text() };
  }

  #keep(piece: string): void {
    this.#chars += piece.length;
    if (this.#chars > MAX_LINE_CHARS) this.#pieces = [];
    else if (piece !== '') this.#pieces.push(piece);
  }

  #takeLine(): TextLine {
    const line = this.unfinished;
    this.#number += 1;
    this.#pieces = [];
    this.#chars = 0;
    return line;
  }

  #text(): string | undefined {
    return this.#chars > MAX_LINE_CHARS ? undefined : this.#pieces.join('');
  }
}
