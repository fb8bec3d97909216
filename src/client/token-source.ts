/** The credential, kept until the server refuses it; the first refused request asks for the next one. */
import { unreachableError } from './errors.ts';

/**
 * A token, or a function that returns one. The function is called when a token is first needed and once more after a
 * refusal. An empty text means that no person is signed in; a failure means that a later call may work. The text
 * `cookie` stands for the cookie of a browser that is signed in with a login.
 */
export type Token = string | (() => string | Promise<string>);

export class TokenSource {
  readonly #token: Token;
  #pending: Promise<string> | undefined;
  #current: string | undefined;

  constructor(token: Token) {
    this.#token = token;
  }

  /** The latest token, which a refusal is about. */
  get current(): string | undefined {
    return this.#current;
  }

  /** `refused` is a token that the server refused; a newer one that another request obtained is returned as it is. */
  async get(refused?: string): Promise<string> {
    if (refused !== undefined && refused === this.#current) this.#pending = undefined;
    const pending = (this.#pending ??= this.#request());
    try {
      const token = await pending;
      this.#current = token;
      return token;
    } catch (cause) {
      if (this.#pending === pending) this.#pending = undefined;
      throw unreachableError('The token function failed', cause);
    }
  }

  async #request(): Promise<string> {
    return typeof this.#token === 'string' ? this.#token : this.#token();
  }
}
