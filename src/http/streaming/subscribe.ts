/** Somebody is joined to the listeners of a session, on a socket of their own or on one that is held for them. */
import type { Rejection } from '../../protocol/errors.ts';
import { CREDENTIAL_REVOKED } from '../authenticate.ts';
import type { AcceptedUpgrade } from '../ports.ts';
import type { RouteCall } from '../route.ts';

type LogCall = Pick<
  RouteCall<{ id: string }, unknown, unknown>,
  'identity' | 'workspace' | 'connections' | 'context' | 'params'
>;

/**
 * Joins the session's listeners, and only then has the workspace note it: a revocation before the
 * note is seen by the note, and one after it is pushed to the session.
 */
export async function subscribeToLog(
  call: LogCall,
  after: number,
  held: boolean,
  subprotocol?: string,
): Promise<AcceptedUpgrade | Rejection> {
  const { identity, workspace, connections, context, params } = call;
  const joined = await connections.connect(
    {
      to: 'log',
      after,
      attachment: {
        role: 'subscriber',
        caller: identity.caller,
        chain: identity.chain,
        expiresAt: identity.expiresAt,
        timeouts: context.timeouts,
        forbidSelfApproval: context.forbidSelfApproval ?? true,
        held,
        malformed: 0,
      },
    },
    subprotocol,
  );
  if (!joined.ok || identity.chain.length === 0) return joined;
  if (!(await workspace.watch(identity.chain, params.id, identity.expiresAt))) return joined;
  joined.socket.close(4401, 'unauthenticated');
  return CREDENTIAL_REVOKED;
}
