/** Who asks, in a process: as much as a credential says, without the signature. */
import * as z from 'zod';
import { forbidden, mayUse } from '../core/authority.ts';
import { Scope, Via } from '../protocol/schema/actor.ts';
import type { Caller } from '../protocol/caller.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import { SessionId } from '../protocol/schema/ids.ts';
import { Name } from '../protocol/schema/name.ts';

const Role = z.strictObject({
  /** The name that stands in records and in the audit list. */
  subject: Name.default('local'),
  scopes: z.array(Scope).min(1),
  /** Good for this session alone. */
  session: SessionId.optional(),
  /** Through which surface; what a session does by itself is not among them. */
  via: Via.extract(['web', 'api', 'cli', 'hook', 'mcp', 'push']).default('api'),
});
export { Role as RoleSchema };
export type Role = z.input<typeof Role>;

export interface Identity {
  readonly caller: Caller;
  readonly session: string | null;
}

/** Whoever made the transport may do everything, as the administrator of a deployment may. */
const OWNER_CREDENTIAL = 'direct admin  local';
export const OWNER: Identity = identityOf({ subject: 'local', scopes: ['admin'], via: 'api' });

/**
 * The same role is the same credential in the next process too: an agent that comes back may cancel
 * what it asked, and a repeated command finds its first result.
 */
export function identityOf({ subject, scopes, session, via }: z.output<typeof Role>): Identity {
  const held = [...new Set(scopes)].toSorted();
  const credential = `direct ${held.join(' ')} ${session ?? ''} ${subject}`;
  const key = OWNER_CREDENTIAL;
  return { caller: { credential, subject, via, scopes: held, key }, session: session ?? null };
}

/** `sessionId` is null for what spans sessions. Another session looks as if it did not exist. */
export function admit(
  { caller, session }: Identity,
  anyOf: readonly Scope[],
  sessionId: string | null,
): Rejection | undefined {
  if (session !== null) {
    if (sessionId === null) return forbidden(anyOf);
    if (session !== sessionId) return reject('not_found', 'There is no such session');
  }
  return mayUse(caller, anyOf) ? undefined : forbidden(anyOf);
}
