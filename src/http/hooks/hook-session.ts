/**
 * The session of a hook (HOOK-2): the one that has its conversation, else one whose id follows from the conversation.
 *
 * The token of one session asks in that session alone: a conversation that another session has is refused as if it were
 * unknown, so that an agent cannot put questions into the conversation of another one.
 */
import { hashText, sha256Hex } from '../../core/digest.ts';
import { sessionIdOf, titleOf } from '../../integrations/hooks/hook-session.ts';
import { rootOf } from '../../protocol/caller.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import type { CliSession } from '../../protocol/schema/cli-session.ts';
import type { Context } from '../../protocol/schema/command.ts';
import type { HttpPorts, Identity } from '../ports.ts';
import type { WorkspaceStub } from '../stubs.ts';

export interface HookCaller {
  readonly ports: HttpPorts;
  readonly identity: Identity;
  readonly workspace: WorkspaceStub;
  readonly context: Context;
}

type Found = { readonly ok: true; readonly sessionId: string };

const OF_ANOTHER = reject('not_found', 'There is no such session');

/** The session that has the conversation already. */
export async function findHookSession(
  { identity, workspace }: HookCaller,
  cli: CliSession,
): Promise<Found | Rejection> {
  const found = await workspace.findCliSession(cli);
  if (!found.ok) return found;
  const { sessionId } = found.value;
  const isOther = identity.session !== null && identity.session !== sessionId;
  return isOther ? OF_ANOTHER : { ok: true, sessionId };
}

export async function ensureHookSession(
  caller: HookCaller,
  cli: CliSession,
): Promise<Found | Rejection> {
  const found = await findHookSession(caller, cli);
  // The owner is another session than that of the token, which learns no more.
  if (found.ok || found === OF_ANOTHER) return found;
  const { identity } = caller;
  if (identity.session !== null) return mapTo(caller, identity.session, cli);
  const sessionId = sessionIdOf(cli, sha256Hex);
  const created = await openHookSession(caller, sessionId, cli);
  return created.ok ? mapTo(caller, created.sessionId, cli) : created;
}

/** The first claim counts: of two hooks that start at once, both ask in the session of the first. */
async function mapTo(
  { ports, identity, workspace, context }: HookCaller,
  sessionId: string,
  cli: CliSession,
): Promise<Found | Rejection> {
  const claimed = await workspace.claimCliSession(cli, sessionId);
  if (!claimed.ok) {
    const owner = claimed.code === 'cli_session_taken' ? claimed.details?.session : undefined;
    if (typeof owner !== 'string') return claimed;
    return identity.session === null ? { ok: true, sessionId: owner } : OF_ANOTHER;
  }
  const session = await ports.findSession(identity.workspace, sessionId);
  const mapped = session.ok
    ? await session.session.handle({ type: 'cli.map', cli }, context)
    : session;
  if (mapped.ok) return { ok: true, sessionId };
  // After a failed write the claim stays for the repeat; a refusal is final.
  if (mapped.code !== 'write_failed') await workspace.releaseCliSession(cli, sessionId);
  return mapped;
}

/** The id of a deleted session is never used again, so its conversation goes on in a session with another id. */
async function openHookSession(
  caller: HookCaller,
  sessionId: string,
  cli: CliSession,
): Promise<Found | Rejection> {
  const { ports, context } = caller;
  const retryAfterSeconds = await ports.sessionLimiter.take(rootOf(context.caller));
  if (retryAfterSeconds !== undefined) {
    return reject('rate_limited', 'Too many sessions were begun with this credential', {
      retryAfterSeconds,
    });
  }
  const first = await create(caller, sessionId, cli);
  if (first.ok || first.code === 'session_exists') return { ok: true, sessionId };
  if (first.code !== 'session_deleted') return first;
  const otherId = `ses_${hashText(ports.freshId())}`;
  const second = await create(caller, otherId, cli);
  return second.ok ? { ok: true, sessionId: otherId } : second;
}

function create({ ports, identity, context }: HookCaller, id: string, cli: CliSession) {
  const session = ports.newSession(identity.workspace, id);
  return session.handle({ type: 'session.create', id, title: titleOf(cli.cwd, cli) }, context);
}
