/**
 * The session that a command asks in (RDV-7): the one it names, else that of the CLI conversation whose shell it runs in,
 * else a new one.
 *
 * 1. Two commands of one conversation that start at once use one session: its id follows from the conversation.
 * 2. Another session may have the conversation already, so the workspace is asked first.
 */
import { ClientError } from '../client/errors.ts';
import type { Transport } from '../client/transport.ts';
import { visibleText } from '../protocol/escapes.ts';
import { isText, type CliSession } from '../protocol/types.ts';
import { titleOf } from '../integrations/hooks/hook-session.ts';
import { sessionIdOfConversation } from './agent-shell.ts';
import { nonEmpty } from './server-access.ts';

export interface SessionWish {
  /** `--session`, else HOLDPOINT_SESSION. */
  readonly named: string | undefined;
  readonly cli: CliSession | undefined;
  readonly cwd: string;
  readonly title: string | undefined;
}

export interface SessionPlan {
  /** Undefined: the first question creates a session. */
  readonly session: string | undefined;
  readonly title: string;
}

type Sessions = Pick<Transport, 'createSession' | 'mapCliSession' | 'findCliSession'>;

export async function planSession(transport: Sessions, wish: SessionWish): Promise<SessionPlan> {
  const { cli, cwd, named } = wish;
  const title = visibleText(nonEmpty(wish.title) ?? titleOf(cwd, cli)).slice(0, 200);
  if (named !== undefined) {
    // A conversation that belongs to another session stays there; the name decides where this question goes.
    if (cli !== undefined) await claimConversation(transport, named, title, cli);
    return { session: named, title };
  }
  if (cli === undefined) return { session: undefined, title };
  const known = await unlessMissing(transport.findCliSession(cli.provider, cli.cliSessionId));
  if (known !== undefined) return { session: known.id, title };
  return {
    session: await claimConversation(transport, sessionIdOfConversation(cli), title, cli),
    title,
  };
}

/** Returns the session that has the conversation in the end. */
async function claimConversation(
  transport: Sessions,
  sessionId: string,
  title: string,
  cli: CliSession,
): Promise<string> {
  try {
    await transport.mapCliSession(sessionId, cli);
    return sessionId;
  } catch (cause) {
    const owner = owningSession(cause);
    if (owner !== undefined) return owner;
    if (!isRefusedWith(cause, 'not_found') && !isRefusedWith(cause, 'session_deleted')) throw cause;
  }
  const created = await ensureSession(transport, sessionId, title);
  try {
    await transport.mapCliSession(created, cli);
    return created;
  } catch (cause) {
    const owner = owningSession(cause);
    if (owner === undefined) throw cause;
    return owner;
  }
}

/** The id of a deleted session is never used again, so its conversation goes on in a session with another id. */
async function ensureSession(
  transport: Sessions,
  sessionId: string,
  title: string,
): Promise<string> {
  try {
    return (await transport.createSession({ id: sessionId, title })).id;
  } catch (cause) {
    if (isRefusedWith(cause, 'session_exists')) return sessionId;
    if (!isRefusedWith(cause, 'session_deleted')) throw cause;
    return (await transport.createSession({ title })).id;
  }
}

function owningSession(cause: unknown): string | undefined {
  if (!isRefusedWith(cause, 'cli_session_taken')) return undefined;
  const session = cause.details?.session;
  return isText(session) ? session : undefined;
}

async function unlessMissing<Value>(found: Promise<Value>): Promise<Value | undefined> {
  return found.catch((cause: unknown) => {
    if (isRefusedWith(cause, 'not_found')) return undefined;
    throw cause;
  });
}

export function isRefusedWith(cause: unknown, code: ClientError['code']): cause is ClientError {
  return cause instanceof ClientError && cause.code === code;
}
