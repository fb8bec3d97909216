/**
 * Keeps a process alive while somebody waits for something in it.
 *
 * Deadlines alone do not: a script that has asked and does not want to know may end. One that awaits
 * an answer would otherwise end in the middle of its `await`, without a word.
 */
const FAR_MS = 2 ** 31 - 1;

export class KeepAlive {
  #holders = 0;
  #timer: unknown;

  /** The result lets go; calling it again changes nothing. */
  hold(): () => void {
    this.#holders += 1;
    this.#timer ??= setInterval(() => undefined, FAR_MS);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders -= 1;
      if (this.#holders > 0) return;
      clearInterval(this.#timer as Parameters<typeof clearInterval>[0]);
      this.#timer = undefined;
    };
  }
}
