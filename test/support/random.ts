/**
 * Random values from a seed: the same seed and the same calls give the same values.
 *
 * Each concurrent actor uses a `fork` with its own name. With one shared source, the order in which the network lets
 * the actors run would decide what each of them draws, and no seed would reproduce a run.
 */
export class Random {
  readonly seed: string;
  readonly #next: () => number;

  constructor(seed: string) {
    this.seed = seed;
    this.#next = generator(seed);
  }

  fork(name: string): Random {
    return new Random(`${this.seed}/${name}`);
  }

  /** A whole number, both ends included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.#next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  pick<Item>(items: readonly Item[]): Item | undefined;
  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.int(0, items.length - 1)];
  }

  /** Picks keys in proportion to their weights. */
  weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key {
    const entries = Object.entries(weights) as [Key, number][];
    const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
    let left = this.#next() * total;
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    throw new Error('Nothing to pick from');
  }

  sample<Item>(items: readonly Item[], count: number): Item[] {
    const pool = [...items];
    const sample: Item[] = [];
    while (sample.length < count && pool.length > 0) {
      sample.push(...pool.splice(this.int(0, pool.length - 1), 1));
    }
    return sample;
  }
}

/** sfc32: small, fast, and random enough for tests. */
function generator(seed: string): () => number {
  let [a, b, c, d] = [hash(seed, 1), hash(seed, 2), hash(seed, 3), 1];
  const next = () => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 12; round += 1) next();
  return next;
}

function hash(text: string, salt: number): number {
  let value = 0x811c9dc5 ^ salt;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return value ^ (value >>> 15);
}
