/** Records when the server was up, by the clock that it shares with this process. */
export class Uptime {
  readonly #ups: { readonly from: number; to: number }[] = [];

  up(at: number): void {
    this.#ups.push({ from: at, to: Number.POSITIVE_INFINITY });
  }

  down(at: number): void {
    const last = this.#ups.at(-1);
    if (last !== undefined) last.to = at;
  }

  /** The number of starts: an error between two equal readings is the server's own, and no kill explains it. */
  get lives(): number {
    return this.#ups.length;
  }

  get isUp(): boolean {
    return this.#ups.at(-1)?.to === Number.POSITIVE_INFINITY;
  }

  wasUp(at: number): boolean {
    return this.#ups.some(({ from, to }) => from <= at && at < to);
  }

  /** How long the server was up between two instants. */
  between(from: number, to: number): number {
    return this.#ups.reduce((sum, up) => {
      return sum + Math.max(0, Math.min(to, up.to) - Math.max(from, up.from));
    }, 0);
  }
}
