/** A queue of received items; a reader waits until an item arrives, or the source ends. */
export class Inbox<Item> {
  readonly #items: Item[] = [];
  readonly #takers: { resolve: (item: Item) => void; reject: (cause: Error) => void }[] = [];
  #ended = false;

  put(item: Item): void {
    const taker = this.#takers.shift();
    if (taker === undefined) this.#items.push(item);
    else taker.resolve(item);
  }

  end(): void {
    this.#ended = true;
    for (const taker of this.#takers.splice(0)) taker.reject(ENDED());
  }

  next(): Promise<Item> {
    if (this.#items.length > 0) return Promise.resolve(this.#items.shift() as Item);
    if (this.#ended) return Promise.reject(ENDED());
    return new Promise((resolve, reject) => this.#takers.push({ resolve, reject }));
  }
}

const ENDED = () => new Error('It ended before what was waited for came');
