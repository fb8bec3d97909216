/**
 * A login of one browser, from its first page to its return, and the person that its cookie then stands for.
 *
 * The browser that begins a login is the one that finishes it: `state`, `nonce` and the verifier are in a sealed
 * cookie of it, which the return erases. Each login makes a new sign-in, and ends the one that the browser had.
 */
import * as z from '../../protocol/schema/zod.ts';
import { type ReadResult, type Rejection, reject } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { VerifiedPerson } from '../../workspace/people.ts';
import { browserName } from '../../web/model/browser-name.ts';
import type { HttpPorts, Identity } from '../ports.ts';
import { ROLE_SCOPES } from '../../core/authority.ts';
import { type Member, Role } from '../../protocol/schema/person.ts';
import { readCookie, writeCookie } from './cookies.ts';
import { originOf, isChange, isForeign, isProvenOwn } from './own-origin.ts';

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
  const login = `login ${secrets.state}`;
  const url = new URL(request.url);
  const callback = new URL(url.pathname + url.search, originOf(request.url));
  const verified = await provider.finish(callback, secrets);
  if (!verified.ok) return verified;
  const signedIn = await beginSignIn(request, ports, verified.value, invitation, login);
  return signedIn.ok ? { ok: true, value: { to, cookie: signedIn.value } } : signedIn;
}

/** Resolves with the cookie. */
async function beginSignIn(
  request: Request,
  ports: HttpPorts,
  verified: VerifiedPerson,
  invitationText: string | undefined,
  login?: string,
): Promise<ReadResult<string>> {
  const { unknown, atLeast } = ports.login.rolesOf(verified);
  const invitation =
    invitationText === undefined ? undefined : openInvitation(ports, invitationText);
  const workspace = invitation?.workspace ?? FIRST_WORKSPACE;
  const granted = { unknown, atLeast, login, ...grantOf(invitation) };
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

/** What the cookie of a sign-in says. The role is not in it: it is that of the directory. */
const SignInClaims = z.strictObject({
  workspace: z.string(),
  subject: z.string(),
  id: z.string(),
  expiresAt: z.number(),
});
type SignInClaims = z.infer<typeof SignInClaims>;

/** The workspace of people whom no cookie places in another one. */
const FIRST_WORKSPACE = 'main';
const ASSERTION_HEADER = 'Cf-Access-Jwt-Assertion';

const FOREIGN = reject(
  'forbidden',
  'A page of another site cannot use a sign-in; send the request from a page of this service, or with a token',
);
const UNPROVEN = reject(
  'forbidden',
  'With a sign-in, a request that changes something comes from a page of this service, as JSON or with X-Holdpoint-Client',
);
const SIGNED_OUT = reject('unauthenticated', 'This sign-in has ended; sign in again');

type BrowserPorts = Pick<HttpPorts, 'login' | 'members' | 'workspace' | 'now'>;

/**
 * Identifies a person by the cookie of a sign-in, or by the assertion of Cloudflare Access. Undefined: the request carries
 * neither.
 *
 * Reads go by the copy of the directory that this isolate has, which is less than a minute old. What changes something, and
 * each new connection, asks the directory itself: a role that was taken away a second ago decides nothing.
 */
export async function authenticateBrowser(
  request: Request,
  ports: BrowserPorts,
): Promise<Identity | Rejection | undefined> {
  const cookie = readCookie(request, 'sign-in');
  const assertion = ports.login.access === undefined ? null : request.headers.get(ASSERTION_HEADER);
  if (cookie === undefined && assertion === null) return undefined;
  if (isForeign(request)) return FOREIGN;
  if (isChange(request) && !isProvenOwn(request)) return UNPROVEN;
  if (cookie !== undefined) return (await identifyBySignIn(request, ports)) ?? SIGNED_OUT;
  return assertion === null ? undefined : identifyByAccess(assertion, request, ports);
}

/** What the cookie of this browser says, if it was written here; the sign-in may have ended. */
function readSignIn(
  request: Request,
  { login }: Pick<HttpPorts, 'login'>,
): SignInClaims | undefined {
  const cookie = readCookie(request, 'sign-in');
  return cookie === undefined
    ? undefined
    : SignInClaims.safeParse(login.seals.open('sign-in', cookie)).data;
}

function sealSignIn(ports: Pick<HttpPorts, 'login'>, claims: SignInClaims): string {
  return ports.login.seals.seal('sign-in', claims, claims.expiresAt);
}

async function identifyBySignIn(
  request: Request,
  ports: BrowserPorts,
): Promise<Identity | undefined> {
  const claims = readSignIn(request, ports);
  if (claims === undefined) return undefined;
  const { workspace, subject, id, expiresAt } = claims;
  const member = isChange(request)
    ? await ports.workspace(workspace).checkMember(subject, id, ports.login.placeOf(request))
    : await findMember(ports, workspace, subject);
  if (!member) return undefined;
  return identityOf(member, { workspace, id, expiresAt });
}

async function identifyByAccess(
  assertion: string,
  request: Request,
  ports: BrowserPorts,
): Promise<Identity | Rejection> {
  const person = await ports.login.access?.verify(assertion);
  if (person === undefined)
    return reject('unauthenticated', 'The assertion of Access is not valid');
  const workspace = FIRST_WORKSPACE;
  const { subject } = person;
  const place = { workspace, id: undefined, expiresAt: null };
  const member = isChange(request)
    ? await ports.workspace(workspace).checkMember(subject, null, null)
    : await findMember(ports, workspace, subject);
  if (member) return identityOf(member, place);
  const admitted = await ports.workspace(workspace).admit(person, ports.login.rolesOf(person));
  if (!admitted.ok) return admitted;
  await ports.members.refresh(workspace);
  return identityOf(admitted.value, place);
}

async function findMember(
  { members }: Pick<BrowserPorts, 'members'>,
  workspace: string,
  subject: string,
): Promise<Member | undefined> {
  const find = (all: readonly Member[]) => all.find((one) => one.subject === subject);
  // The person may have joined in another isolate a moment ago.
  return find(await members.get(workspace)) ?? find(await members.refresh(workspace));
}

function identityOf(
  { subject, role, credential, root }: Member,
  {
    workspace,
    id,
    expiresAt,
  }: { workspace: string; id: string | undefined; expiresAt: number | null },
): Identity {
  return {
    caller: {
      credential: id ?? credential,
      subject,
      via: 'web',
      scopes: ROLE_SCOPES[role],
      key: credential,
      root,
    },
    workspace,
    session: null,
    expiresAt,
    chain: id === undefined ? [credential] : [id, credential],
  };
}

const Invitation = z.strictObject({
  id: z.string(),
  workspace: z.string(),
  subject: z.string().nullable(),
  role: Role,
});
type Invitation = z.infer<typeof Invitation>;

type Sealing = Pick<HttpPorts, 'login'>;

export function sealInvitation(
  { login }: Sealing,
  invitation: Invitation,
  expiresAt: number,
): string {
  return login.seals.seal('invitation', invitation, expiresAt);
}

/** Undefined: it was not written here, or has expired. It may have been used. */
export function openInvitation({ login }: Sealing, text: string): Invitation | undefined {
  return Invitation.safeParse(login.seals.open('invitation', text)).data;
}
