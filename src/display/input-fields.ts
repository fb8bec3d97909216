import type { JsonObject } from '../protocol/types.ts';

/** The fields of an input that no part of the display has taken yet. */
export class InputFields {
  readonly #left: Map<string, unknown>;

  constructor(input: JsonObject) {
    this.#left = new Map(Object.entries(input));
  }

  has(...names: readonly string[]): boolean {
    return names.some((name) => this.#left.has(name));
  }

  peek(...names: readonly string[]): unknown {
    return this.#left.get(names.find((name) => this.#left.has(name)) ?? '');
  }

  take(...names: readonly string[]): unknown {
    const name = names.find((one) => this.#left.has(one)) ?? '';
    const value = this.#left.get(name);
    this.#left.delete(name);
    return value;
  }

  /** Takes the first of these fields that is a text; an empty text and any other value stay. */
  takeText(...names: readonly string[]): string | undefined {
    const name = names.find((one) => typeof this.#left.get(one) === 'string');
    const value = this.#left.get(name ?? '');
    if (name === undefined || typeof value !== 'string' || value === '') return undefined;
    this.#left.delete(name);
    return value;
  }

  rest(): JsonObject {
    return Object.fromEntries(this.#left) as JsonObject;
  }

  get isEmpty(): boolean {
    return this.#left.size === 0;
  }
}
