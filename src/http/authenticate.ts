/**
 * Identifies the caller by a bearer token in the header or in a socket's subprotocol. Without one, and only then, by the
 * sign-in of a browser (`login/browser-login.ts`).
 *
 * Two headers of the same name arrive joined by a comma. No token contains a comma, so such a request is
 * rejected.
 */
import { type Rejection, reject } from '../protocol/errors.ts';
import type { Policy } from '../protocol/schema/workspace.ts';
import { PROTOCOL, TOKEN_SUBPROTOCOL } from '../protocol/frames.ts';
import { authenticateBrowser } from './login/browser-login.ts';
import type { HttpPorts, Identity } from './ports.ts';
import type { Access } from './route.ts';
import type { FoundSession } from './stubs.ts';
import { rejectMissingScope, hasAnyScope } from '../core/authority.ts';

const CREDENTIAL_MISSING = reject('unauthenticated', 'Send "Authorization: Bearer <token>"');
export const CREDENTIAL_REVOKED = reject('unauthenticated', 'This credential was revoked');
const CREDENTIAL_INVALID = reject(
  'unauthenticated',
  'This credential is not valid, has expired or was revoked',
);

export interface OfferedProtocols {
  readonly token: string | undefined;
  /** The response must echo this protocol, or the client gives up. It never echoes the token. */
  readonly echo: string | undefined;
}

export function readOfferedProtocols(request: Request): OfferedProtocols {
  const header = request.headers.get('Sec-WebSocket-Protocol') ?? '';
  const offered = header.split(',').map((name) => name.trim());
  const token = offered.find((name) => name.startsWith(TOKEN_SUBPROTOCOL));
  return {
    token: token?.slice(TOKEN_SUBPROTOCOL.length),
    echo: offered.includes(PROTOCOL) ? PROTOCOL : undefined,
  };
}

export function readToken(request: Request): string | undefined {
  const header = request.headers.get('Authorization');
  const bearer = header === null ? undefined : /^Bearer ([^\s,]{1,4096})$/i.exec(header)?.[1];
  return bearer ?? readOfferedProtocols(request).token;
}

export async function authenticate(
  request: Request,
  ports: HttpPorts,
): Promise<Identity | Rejection> {
  const token = readToken(request);
  if (token === undefined && request.headers.has('Authorization')) return CREDENTIAL_INVALID;
  const identity =
    token === undefined
      ? ((await authenticateBrowser(request, ports)) ?? CREDENTIAL_MISSING)
      : await ports.credentials.verify(token);
  if (identity === undefined) return CREDENTIAL_INVALID;
  if ('ok' in identity) return identity;
  const policy = await ports.policy.get(identity.workspace);
  return isRevoked(identity, policy) ? CREDENTIAL_INVALID : identity;
}

/** By the policy that this isolate has cached, which is less than a minute old. */
export function isRevoked({ chain }: Identity, { revoked }: Policy): boolean {
  return revoked.length > 0 && chain.some((id) => revoked.includes(id));
}

/**
 * The session for each part of a response that its reader takes slowly. The stub of an earlier part may be broken by then,
 * and the credential over: a reader that never ends its download would read on for as long as it likes.
 */
export function findWhileValid(
  identity: Identity,
  sessionId: string,
  ports: Pick<HttpPorts, 'findSession' | 'policy' | 'now'>,
): () => Promise<FoundSession | Rejection> {
  return async () =>
    (await findEnd(identity, ports)) ?? ports.findSession(identity.workspace, sessionId);
}

/** Why a credential that was valid when its request came is so no longer. */
export async function findEnd(
  identity: Identity,
  { policy, now }: Pick<HttpPorts, 'policy' | 'now'>,
): Promise<Rejection | undefined> {
  const hasExpired = identity.expiresAt !== null && identity.expiresAt <= now();
  const isOver = hasExpired || isRevoked(identity, await policy.get(identity.workspace));
  return isOver ? CREDENTIAL_INVALID : undefined;
}

/**
 * Why this credential may not use this route. Another session looks as if it did not exist, so that
 * a caller cannot find out ids by trying them.
 */
export function accessRejection(
  identity: Identity,
  access: Exclude<Access, 'public'>,
  sessionId: string | undefined,
): Rejection | undefined {
  if (identity.session !== null) {
    if (access.in === 'workspace') return rejectMissingScope(access.anyOf);
    const isOther = access.in === 'session' && identity.session !== sessionId;
    if (isOther) return reject('not_found', 'There is no such session');
  }
  return hasAnyScope(identity.caller, access.anyOf) ? undefined : rejectMissingScope(access.anyOf);
}
