/** The credential, kept until it is refused; whoever meets a refusal first asks for the next one. */
import { unreachable } from './errors.ts';

/**
 * A token, or where to get one. It is asked for when first needed and once more after a refusal. An
 * empty one means that nobody is signed in; failing means that it may work in a moment.
 */
export type Token = string | (() => string | Promise<string>);

export class TokenSource {
  readonly #token: Token;
  #asked: Promise<string> | undefined;
  #current: string | undefined;

  constructor(token: Token) {
    this.#token = token;
  }

  /** The token that was got last, which a refusal is about. */
  get current(): string | undefined {
    return this.#current;
  }

  /** `refused` is the token that did not do; a newer one that another request got is good enough. */
  async get(refused?: string): Promise<string> {
    if (refused !== undefined && refused === this.#current) this.#asked = undefined;
    const asked = (this.#asked ??= this.#ask());
    try {
      const token = await asked;
      this.#current = token;
      return token;
    } catch (cause) {
      if (this.#asked === asked) this.#asked = undefined;
      throw unreachable('The token could not be had', cause);
    }
  }

  async #ask(): Promise<string> {
    return typeof this.#token === 'string' ? this.#token : this.#token();
  }
}
