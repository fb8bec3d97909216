/**
 * The session an agent asks in: the one it names, begun when it is not there yet, or one of its own.
 *
 * It is begun only after a question found none. A token that is good for one session may not create
 * any, and must not have to.
 */
import { ClientError } from '../errors.ts';
import { freshKey } from '../requests/http-calls.ts';
import type { WriteOptions, Opened, Transport } from '../transport.ts';
import type { InteractionRequest } from '../../protocol/types.ts';

export interface SessionChoice {
  readonly session?: string | undefined;
  /** Of a session that is begun here. */
  readonly title?: string | undefined;
}

export class EnsuredSession {
  readonly #transport: Transport;
  readonly #choice: SessionChoice;
  /** Beginning a session twice, because the answer was lost, would split the agent's questions. */
  readonly #key = freshKey();
  #begun: Promise<string> | undefined;

  constructor(transport: Transport, choice: SessionChoice) {
    this.#transport = transport;
    this.#choice = choice;
  }

  id(): Promise<string> {
    const { session } = this.#choice;
    if (session !== undefined) return Promise.resolve(session);
    this.#begun ??= this.#begin().catch((cause: unknown) => {
      this.#begun = undefined;
      throw cause;
    });
    return this.#begun;
  }

  async open(request: InteractionRequest, how: WriteOptions): Promise<Opened> {
    const id = await this.id();
    try {
      return await this.#transport.open(id, request, how);
    } catch (cause) {
      const isMissing = cause instanceof ClientError && cause.code === 'not_found';
      if (!isMissing || !(await this.#isBegun(id, cause))) throw cause;
    }
    return this.#transport.open(id, request, how);
  }

  async #begin(): Promise<string> {
    const { title } = this.#choice;
    const input = title === undefined ? {} : { title };
    return (await this.#transport.createSession(input, { idempotencyKey: this.#key })).id;
  }

  async #isBegun(id: string, missing: ClientError): Promise<boolean> {
    const { title } = this.#choice;
    try {
      await this.#transport.createSession({ id, ...(title !== undefined && { title }) });
      return true;
    } catch (cause) {
      if (!(cause instanceof ClientError)) throw cause;
      // Another agent was faster, or this one was and did not hear of it.
      if (cause.code === 'session_exists') return true;
      if (cause.code !== 'forbidden') throw cause;
      throw new ClientError({ ...missing, message: missing.message, cause });
    }
  }
}
