/**
 * What a request passes before a session sees it, in the order of `http/app.ts`: may this caller use
 * this, are the names names, is the body what it should be, is the key a key. The first that refuses
 * answers.
 */
import * as z from 'zod';
import { abortedError, closedError } from '../client/errors.ts';
import type { Keyed } from '../client/transport.ts';
import { COMMAND_SCOPES } from '../core/authority.ts';
import { textHash } from '../core/digest.ts';
import type { Scope } from '../protocol/schema/actor.ts';
import type { Command, CommandType, Context } from '../protocol/schema/command.ts';
import type { Rejection } from '../protocol/errors.ts';
import { schemaRejection, unknownId } from '../protocol/schema/rejection.ts';
import { IdempotencyKey, InteractionId, SessionId, ToolCallId } from '../protocol/schema/ids.ts';
import { readSnapshot } from '../session/reads.ts';
import type { Handled, Session } from '../session/session.ts';
import type { ReadResult } from '../protocol/result.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { errorFrom, give, must, refuse, take } from './border.ts';
import { type Host, NO_SESSION } from './host.ts';
import { admit, type Identity } from './identity.ts';

const NOTHING = z.strictObject({});
const READ = ['read'] as const;

/** One thing that is asked of a session, as a request would bring it. */
export interface Ask<Body> {
  readonly type: CommandType;
  readonly session: string;
  readonly interaction?: string;
  readonly toolCall?: string;
  readonly body?: unknown;
  readonly schema?: z.ZodType<Body>;
  readonly how?: Keyed | undefined;
  readonly command: (body: Body) => Command | Rejection;
}

type Request<Body> = Omit<Ask<Body>, 'session' | 'command'> & { readonly session: string | null };

export interface Checked<Body> {
  readonly body: Body;
  readonly context: Context;
}

export class Desk {
  readonly host: Host;
  readonly identity: Identity;
  readonly #closers = new Set<() => void>();
  #isClosed = false;

  constructor(host: Host, identity: Identity) {
    this.host = host;
    this.identity = identity;
  }

  close(): void {
    this.#isClosed = true;
    for (const close of this.#closers) close();
  }

  /** What is to be done when nothing may be asked any more; the result takes that back. */
  atClose(work: () => void): () => void {
    this.#closers.add(work);
    return () => this.#closers.delete(work);
  }

  mustBeOpen(): void {
    if (this.#isClosed || this.host.isClosed) throw closedError();
  }

  /** The first line of everything that is asked. */
  admit(anyOf: readonly Scope[], sessionId: string | null, interactionId?: string): void {
    this.mustBeOpen();
    const refused = admit(this.identity, anyOf, sessionId);
    if (refused !== undefined) refuse(refused);
    if (sessionId !== null) mustBeNamed(SessionId, sessionId);
    if (interactionId !== undefined) mustBeNamed(InteractionId, interactionId);
  }

  /** `session` is null for one that is still to be made. */
  check<Body>(ask: Request<Body>): Checked<Body> {
    const { type, session, interaction, toolCall, body = {}, schema = NOTHING, how = {} } = ask;
    if (how.signal?.aborted === true) throw abortedError(how.signal.reason);
    this.admit(COMMAND_SCOPES[type], session, interaction);
    if (toolCall !== undefined) mustBeNamed(ToolCallId, toolCall);
    const taken = take(body);
    const parsed = schema.safeParse(taken.value);
    if (!parsed.success) return refuse(bodyRejection(type, parsed.error));
    const { caller } = this.identity;
    const { timeouts, forbidSelfApproval } = this.host;
    const context = { caller, timeouts, forbidSelfApproval };
    if (how.idempotencyKey === undefined) return { body: parsed.data as Body, context };
    const key = IdempotencyKey.safeParse(how.idempotencyKey);
    if (!key.success) return refuse(schemaRejection(key.error));
    const bodyHash = textHash(
      `${type} ${session ?? ''} ${interaction ?? toolCall ?? ''}\n${taken.text}`,
    );
    const idempotency = { key: `direct ${key.data}`, bodyHash };
    return { body: parsed.data as Body, context: { ...context, idempotency } };
  }

  /** The body a server would have answered with. */
  async ask<Reply, Body = object>(ask: Ask<Body>): Promise<Reply> {
    const { body, context } = this.check(ask);
    return this.handle(ask.session, ask.command(body), context, ask.how);
  }

  async handle<Reply>(
    sessionId: string,
    command: Command | Rejection,
    context: Context,
    { signal }: Keyed = {},
  ): Promise<Reply> {
    try {
      const handling = this.host.handle(sessionId, must(command), context);
      return give<Reply>(must(await beforeAbort(handling, signal)).body);
    } catch (cause) {
      throw errorFrom(cause);
    }
  }

  /** Each by itself: one refusal does not undo or stop the others. */
  async handleEach(
    sessionId: string,
    commands: readonly Command[],
    context: Context,
  ): Promise<Handled[]> {
    try {
      must(readSnapshot(must(this.#session(sessionId))));
      return await Promise.all(
        commands.map((command) => this.host.handle(sessionId, command, context)),
      );
    } catch (cause) {
      throw errorFrom(cause);
    }
  }

  /** What `look` sees of a session that this caller may read. */
  read<Value>(
    sessionId: string,
    look: (session: Session) => ReadResult<unknown>,
    anyOf: readonly Scope[] = READ,
  ): Value {
    this.admit(anyOf, sessionId);
    try {
      return give<Value>(must(look(must(this.#session(sessionId)))).value);
    } catch (cause) {
      throw errorFrom(cause);
    }
  }

  /** What `look` sees of the workspace, which has heard of everything by then. */
  async lookAround<Value>(look: (workspace: Workspace) => ReadResult<unknown>): Promise<Value> {
    this.admit(READ, null);
    try {
      await this.host.caughtUp();
      return give<Value>(must(look(this.host.workspace)).value);
    } catch (cause) {
      throw errorFrom(cause);
    }
  }

  #session(sessionId: string): Session | Rejection {
    return this.host.find(sessionId)?.session ?? NO_SESSION;
  }
}

/** What was begun goes on; only its caller does not wait for it any more. */
export async function beforeAbort<Value>(
  work: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return work;
  let stop = () => {};
  const abort = new Promise<never>((_resolve, reject) => {
    stop = () => reject(abortedError(signal.reason));
    signal.addEventListener('abort', stop);
  });
  try {
    if (signal.aborted) stop();
    return await Promise.race([work, abort]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function mustBeNamed(schema: z.ZodType<string>, name: string): void {
  const parsed = schema.safeParse(name);
  if (parsed.success) return;
  refuse(unknownId(parsed.error));
}

/** An event only the session may write is a well-formed request for something that is not given. */
function bodyRejection(type: CommandType, error: z.ZodError): Rejection {
  const unknownType = error.issues.find(
    (issue) => issue.code === 'invalid_union' && issue.path.at(-1) === 'type',
  );
  return type === 'events.append' && unknownType !== undefined
    ? schemaRejection(error, 'unknown_event_type')
    : schemaRejection(error);
}
