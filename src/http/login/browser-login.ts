/**
 * A login of one browser, from its first page to its return.
 *
 * The browser that begins a login is the one that finishes it: `state`, `nonce` and the verifier are in a sealed cookie of it,
 * which the return erases. Each login makes a new sign-in, and ends the one that the browser had.
 */
import * as z from 'zod';
import { type ReadResult, type Rejection, reject } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { VerifiedPerson } from '../../workspace/people.ts';
import { FIRST_WORKSPACE, readSignIn, sealSignIn } from './authenticate-browser.ts';
import { browserName } from '../../web/model/browser-name.ts';
import { readCookie, writeCookie } from './cookies.ts';
import { type Invitation, openInvitation } from './invitation.ts';
import { originOf } from './own-origin.ts';
import type { HttpPorts } from '../ports.ts';

export const CALLBACK = '/auth/callback';

const LoginClaims = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  to: z.string(),
  invitation: z.string().exactOptional(),
});

const NO_LOGIN = reject('not_found', 'This server has no login; open it with a link');
const FOREIGN_LOGIN = reject(
  'unauthenticated',
  'This sign-in was begun in another browser, or too long ago; begin it again',
);

/** A path of this service. */
const OWN_PATH = /^\/(?![/\\])[\w\-./~%?&=#+:@!,]*$/;
const RETURN_PATH_CHARS = 1_000;

interface Begun {
  readonly location: string;
  readonly cookies: readonly string[];
}

export async function beginLogin(
  request: Request,
  ports: HttpPorts,
  asked: { readonly to: string | undefined; readonly invitation: string | undefined },
): Promise<Begun | Rejection> {
  const { invitation } = asked;
  const to = returnPath(asked.to, originOf(request.url));
  const { provider, access, seals } = ports.login;
  if (invitation !== undefined && openInvitation(ports, invitation) === undefined) {
    return reject('link_expired', 'This invitation has expired; ask for another one');
  }
  const assertion = request.headers.get('Cf-Access-Jwt-Assertion');
  const known = assertion === null ? undefined : await access?.verify(assertion);
  if (known !== undefined) {
    const signedIn = await beginSignIn(request, ports, known, invitation);
    return signedIn.ok ? { location: to, cookies: [signedIn.value] } : signedIn;
  }
  if (provider === undefined) return NO_LOGIN;
  const begun = await provider.begin(originOf(request.url) + CALLBACK);
  if (!begun.ok) return begun;
  const { address, secrets } = begun.value;
  const claims = { ...secrets, to, ...(invitation !== undefined && { invitation }) };
  const value = seals.seal('login', claims, ports.now() + LIMITS.loginMs);
  const cookie = writeCookie(request.url, 'login', { value, maxAgeMs: LIMITS.loginMs });
  return { location: address, cookies: [cookie] };
}

export async function finishLogin(
  request: Request,
  ports: HttpPorts,
): Promise<ReadResult<{ readonly to: string; readonly cookie: string }>> {
  const { provider, seals } = ports.login;
  if (provider === undefined) return NO_LOGIN;
  const cookie = readCookie(request, 'login');
  const claims =
    cookie === undefined ? undefined : LoginClaims.safeParse(seals.open('login', cookie));
  if (claims?.data === undefined) return FOREIGN_LOGIN;
  const { to, invitation, ...secrets } = claims.data;
  const url = new URL(request.url);
  const callback = new URL(url.pathname + url.search, originOf(request.url));
  const verified = await provider.finish(callback, secrets);
  if (!verified.ok) return verified;
  const signedIn = await beginSignIn(request, ports, verified.value, invitation);
  return signedIn.ok ? { ok: true, value: { to, cookie: signedIn.value } } : signedIn;
}

/** Resolves with the cookie. */
async function beginSignIn(
  request: Request,
  ports: HttpPorts,
  verified: VerifiedPerson,
  invitationText: string | undefined,
): Promise<ReadResult<string>> {
  const { unknown, atLeast } = ports.login.rolesOf(verified);
  const invitation =
    invitationText === undefined ? undefined : openInvitation(ports, invitationText);
  const workspace = invitation?.workspace ?? FIRST_WORKSPACE;
  const granted = { unknown, atLeast, ...grantOf(invitation) };
  const where = {
    browser: browserName(request.headers.get('User-Agent') ?? ''),
    place: ports.login.placeOf(request),
  };
  const signedIn = await ports.workspace(workspace).signIn(verified, granted, where);
  if (!signedIn.ok) return signedIn;
  await endFormerSignIn(request, ports);
  await ports.members.refresh(workspace);
  const value = sealSignIn(ports, { workspace, ...signedIn.value });
  return {
    ok: true,
    value: writeCookie(request.url, 'sign-in', { value, maxAgeMs: LIMITS.signInMs }),
  };
}

/** An invitation that names no person gives its role to the person who signs in with it. */
function grantOf(invitation: Invitation | undefined) {
  return invitation === undefined || invitation.subject !== null
    ? {}
    : { atLeast: invitation.role, invitation: invitation.id };
}

/** The return comes from the page of the provider, so the cookie names the former sign-in here and signs in no one. */
async function endFormerSignIn(request: Request, ports: HttpPorts): Promise<void> {
  const former = readSignIn(request, ports);
  if (former === undefined) return;
  const { workspace, id, subject } = former;
  await ports.workspace(workspace).endSignIn(id, subject, { subject, via: 'web' });
  await ports.policy.refresh(workspace);
}

/** The start page for anything that could lead elsewhere: another scheme, another host, `//host`, a backslash, a control. */
function returnPath(wanted: string | undefined, origin: string): string {
  if (wanted === undefined || wanted.length > RETURN_PATH_CHARS || !OWN_PATH.test(wanted))
    return '/';
  if (!URL.canParse(wanted, origin)) return '/';
  const url = new URL(wanted, origin);
  const isPage = url.pathname === '/' || url.pathname === '/inbox';
  return url.origin === origin && isPage ? `${url.pathname}${url.search}${url.hash}` : '/';
}
