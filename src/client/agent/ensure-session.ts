/**
 * The session in which an agent asks: a named one, created if it does not exist, or a new one.
 *
 * A named session is created only after a question found none, because a token for one session may not create sessions.
 */
import { ClientError } from '../errors.ts';
import { freshKey } from '../requests/http-calls.ts';
import type { WriteOptions, Opened, Transport } from '../transport.ts';
import type { InteractionRequest } from '../../protocol/types.ts';

export interface SessionChoice {
  readonly session?: string | undefined;
  /** For a session that is created here. */
  readonly title?: string | undefined;
}

export class EnsuredSession {
  readonly #transport: Transport;
  readonly #choice: SessionChoice;
  /** A second session, after a lost reply, would split the agent's questions. */
  readonly #key = freshKey();
  #created: Promise<string> | undefined;

  constructor(transport: Transport, choice: SessionChoice) {
    this.#transport = transport;
    this.#choice = choice;
  }

  id(): Promise<string> {
    const { session } = this.#choice;
    if (session !== undefined) return Promise.resolve(session);
    this.#created ??= this.#create().catch((cause: unknown) => {
      this.#created = undefined;
      throw cause;
    });
    return this.#created;
  }

  async open(request: InteractionRequest, options: WriteOptions): Promise<Opened> {
    const id = await this.id();
    try {
      return await this.#transport.open(id, request, options);
    } catch (cause) {
      const isMissing = cause instanceof ClientError && cause.code === 'not_found';
      if (!isMissing || !(await this.#createNamed(id, cause))) throw cause;
    }
    return this.#transport.open(id, request, options);
  }

  async #create(): Promise<string> {
    const { title } = this.#choice;
    const input = title === undefined ? {} : { title };
    return (await this.#transport.createSession(input, { idempotencyKey: this.#key })).id;
  }

  async #createNamed(id: string, missing: ClientError): Promise<boolean> {
    const { title } = this.#choice;
    try {
      await this.#transport.createSession({ id, ...(title !== undefined && { title }) });
      return true;
    } catch (cause) {
      if (!(cause instanceof ClientError)) throw cause;
      // Created by another agent, or by an earlier request of this one whose reply was lost.
      if (cause.code === 'session_exists') return true;
      if (cause.code !== 'forbidden') throw cause;
      throw new ClientError({ ...missing, message: missing.message, cause });
    }
  }
}
