/**
 * Makes the output lines of a child process safe for a terminal or a journal: escaped, cut, and limited a minute.
 *
 * workerd prints bytes of requests that carried no credential: a Host header of 30 KB full of escape sequences would
 * move the cursor of an operator who reads the log. So lines are cut at a maximum length, and control characters are
 * escaped.
 */
import { StringDecoder } from 'node:string_decoder';

/** Enough for one of the Worker's own warnings with its stack. */
const LINE_CHARS = 4_096;
/** Control and bidirectional characters, invisible characters, line separators and lone surrogates. */
const UNPRINTABLE = /(?!\t)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The text on one line, with every character that would not show as itself written as an escape. */
export function drawControls(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** Receives bytes in any pieces, and emits each complete line, escaped and cut. */
export class OutputLines {
  readonly #give: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #begun = '';
  #cut = 0;

  constructor(give: (line: string) => void) {
    this.#give = give;
  }

  write(chunk: Buffer): void {
    const [more = '', ...lines] = this.#decoder.write(chunk).split('\n');
    this.#add(more);
    for (const line of lines) {
      this.#complete();
      this.#add(line);
    }
  }

  end(): void {
    this.#add(this.#decoder.end());
    if (this.#begun !== '') this.#complete();
  }

  /** A line that never ends must not fill memory. */
  #add(text: string): void {
    const room = LINE_CHARS - this.#begun.length;
    this.#begun += text.slice(0, room);
    this.#cut += Math.max(0, text.length - room);
  }

  #complete(): void {
    const rest = this.#cut === 0 ? '' : `… (${this.#cut} more characters)`;
    this.#give(drawControls(this.#begun.replace(/\r$/, '')) + rest);
    this.#begun = '';
    this.#cut = 0;
  }
}

/** One window lets a minute through in which every request fails. */
const WINDOW_MS = 60_000;
const WINDOW_CHARS = 512 * 1024;

/**
 * Passes log lines on, up to a limit a minute: a client without any credential can make the server log, and could
 * otherwise fill the disk of the journal. Dropped lines are counted, and the count is logged.
 */
export class FloodGate {
  readonly #pass: (line: string) => void;
  readonly #now: () => number;
  #since = Number.NEGATIVE_INFINITY;
  #passed = 0;
  #leftOut = 0;

  constructor(pass: (line: string) => void, now: () => number) {
    this.#pass = pass;
    this.#now = now;
  }

  take(line: string): void {
    const now = this.#now();
    if (now - this.#since >= WINDOW_MS) {
      this.reportDropped();
      this.#since = now;
      this.#passed = 0;
    }
    this.#passed += line.length + 1;
    if (this.#passed <= WINDOW_CHARS) this.#pass(line);
    else this.#leftOut += 1;
  }

  reportDropped(): void {
    if (this.#leftOut === 0) return;
    this.#pass(
      `(${this.#leftOut} lines left out: more than ${WINDOW_CHARS} characters in a minute)`,
    );
    this.#leftOut = 0;
  }
}
