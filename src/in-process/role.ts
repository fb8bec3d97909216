/** A caller in a process: the content of a credential, without a signature. */
import * as z from '../protocol/schema/zod.ts';
import { hashText } from '../core/digest.ts';
import type { Identity } from '../http/ports.ts';
import { Scope, Via } from '../protocol/schema/actor.ts';
import { SessionId } from '../protocol/schema/ids.ts';
import { Name } from '../protocol/schema/name.ts';

export const WORKSPACE_NAME = 'main';

export const RoleSchema = z.strictObject({
  /** The name in records and in the audit list. */
  subject: Name.default('local'),
  scopes: z.array(Scope).min(1),
  /** Valid for this session alone. */
  session: SessionId.optional(),
  /** The surface that the caller uses; a session's own actions have another one. */
  via: Via.extract(['web', 'api', 'cli', 'hook', 'mcp', 'push']).default('api'),
});
export type Role = z.input<typeof RoleSchema>;

/** The role without any options: it may do what the administrator of a deployment may do. */
export const OWNER: Role = { scopes: ['admin'] };

/** The credential of that role. Every other role belongs to it, as a token belongs to its key. */
const OWNER_CREDENTIAL = 'in-process admin  local';

/**
 * The same role is the same credential in the next process too: an agent that comes back may cancel
 * its own questions, and a repeated command finds its first result.
 */
export function roleIdentity({
  subject,
  scopes,
  session,
  via,
}: z.output<typeof RoleSchema>): Identity {
  const held = [...new Set(scopes)].toSorted();
  const credential = `in-process ${held.join(' ')} ${session ?? ''} ${subject}`;
  return {
    caller: { credential, subject, via, scopes: held, key: OWNER_CREDENTIAL },
    workspace: WORKSPACE_NAME,
    session: session ?? null,
    expiresAt: null,
    chain: [],
  };
}

/** Equal for equal identities, so that repeated calls with one role take no more memory. */
export function tokenForRole({ caller: { credential, via } }: Identity): string {
  return hashText(`${via} ${credential}`);
}
