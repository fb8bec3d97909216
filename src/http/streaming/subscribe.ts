/** Subscribes a client to a session, on its own socket or on one of this Worker. */
import type { Rejection } from '../../protocol/errors.ts';
import { CREDENTIAL_REVOKED } from '../authenticate.ts';
import type { AcceptedUpgrade } from '../stubs.ts';
import type { RouteCall } from '../route.ts';

type LogCall = Pick<
  RouteCall<{ id: string }, unknown, unknown>,
  'identity' | 'workspace' | 'connections' | 'context' | 'params'
>;

/**
 * Subscribes first, and only then has the workspace record the subscription: recording reports an
 * earlier revocation, and the workspace sends a later one to the session.
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
