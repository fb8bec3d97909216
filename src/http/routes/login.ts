/**
 * Signing in and out of the chat: by an OpenID Connect provider, by Cloudflare Access, or by an invitation link where the
 * deployment has neither.
 *
 * The browser that begins a login is the one that finishes it: `state`, `nonce` and the verifier are in a sealed cookie of it,
 * which the return erases. Each login makes a new sign-in, and ends the one that the browser had.
 */
import * as z from 'zod';
import { settlerOf } from '../../protocol/caller.ts';
import { type ReadResult, type Rejection, reject } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { Scope } from '../../protocol/schema/actor.ts';
import { Role } from '../../protocol/schema/person.ts';
import { ROLE_SCOPES } from '../../protocol/roles.ts';
import type { VerifiedPerson } from '../../workspace/people.ts';
import {
  authenticateBrowser,
  FIRST_WORKSPACE,
  readSignIn,
  sealSignIn,
} from '../login/authenticate-browser.ts';
import { browserName } from '../../web/model/browser-name.ts';
import { eraseCookie, readCookie, writeCookie } from '../login/cookies.ts';
import { type Invitation, openInvitation } from '../login/invitation.ts';
import { isProvenOwn, originOf } from '../login/own-origin.ts';
import { returnPath } from '../login/return-path.ts';
import { signInRefusal } from '../login/sign-in-page.ts';
import { rejectionResponse } from '../rejection-response.ts';
import { wantsPage } from '../accept.ts';
import { isRevoked } from '../authenticate.ts';
import type { HttpPorts, Identity } from '../ports.ts';
import { PEOPLE_TAG, route, type RouteResult } from '../route.ts';

const CALLBACK = '/auth/callback';

const LoginClaims = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  to: z.string(),
  invitation: z.string().exactOptional(),
});

const SignedIn = z
  .strictObject({
    login: z
      .strictObject({ name: z.string(), path: z.string() })
      .nullable()
      .describe('Where a person signs in; null: with a link alone.'),
    person: z
      .strictObject({
        subject: z.string(),
        name: z.string().nullable(),
        role: Role,
        scopes: z.array(Scope),
        credential: z.string(),
        key: z.string(),
        expiresAt: z.number().nullable(),
      })
      .nullable()
      .describe('Who is signed in in this browser.'),
  })
  .meta({ id: 'BrowserSignIn' });
const Destination = z.strictObject({ location: z.string() }).meta({ id: 'LoginDestination' });
const InvitedToken = z
  .strictObject({ token: z.string(), id: z.string(), expiresAt: z.number() })
  .meta({ id: 'InvitedToken' });
const Begin = z
  .strictObject({
    invitation: z.string().max(2_000).exactOptional(),
    to: z.string().exactOptional(),
  })
  .meta({ id: 'BeginLogin' });
const Accept = z
  .strictObject({ invitation: z.string().max(2_000) })
  .meta({ id: 'AcceptInvitation' });

const NO_LOGIN = reject('not_found', 'This server has no login; open it with a link');
const FOREIGN_LOGIN = reject(
  'unauthenticated',
  'This sign-in was begun in another browser, or too long ago; begin it again',
);
const FOREIGN_PAGE = reject('forbidden', 'Begin the sign-in on a page of this service');
const NEEDS_LOGIN = reject(
  'forbidden',
  'This invitation is for the login of this server; sign in there',
);
const NO_STORE = { 'Cache-Control': 'no-store' } as const;

export const loginRoutes = [
  route({
    method: 'GET',
    path: '/auth/login',
    tag: PEOPLE_TAG,
    unlisted: true,
    summary: 'Sign in',
    access: 'public',
    rejectionPage: signInRefusal,
    responses: {
      303: { description: 'To the login provider, or back where Access knows the person' },
    },
    async handle({ http, ports }) {
      const request = http.req.raw;
      const to = returnPath(http.req.query('to'), originOf(request.url));
      const begun = await beginLogin(request, ports, { to, invitation: undefined });
      return 'ok' in begun ? begun : redirect(begun.location, begun.cookies);
    },
  }),
  route({
    method: 'POST',
    path: '/auth/login',
    tag: PEOPLE_TAG,
    unlisted: true,
    summary: 'Begin to sign in from a page of this service, with an invitation if there is one',
    access: 'public',
    body: Begin,
    responses: { 200: { description: 'Where the browser goes next', schema: Destination } },
    async handle({ http, ports, body }) {
      const request = http.req.raw;
      if (!isProvenOwn(request)) return FOREIGN_PAGE;
      const to = returnPath(body.to, originOf(request.url));
      const begun = await beginLogin(request, ports, { to, invitation: body.invitation });
      if ('ok' in begun) return begun;
      return respond({ location: begun.location }, begun.cookies);
    },
  }),
  route({
    method: 'GET',
    path: CALLBACK,
    tag: PEOPLE_TAG,
    unlisted: true,
    summary: 'The return from the login provider',
    access: 'public',
    rejectionPage: signInRefusal,
    responses: { 303: { description: 'To the page that asked for the login' } },
    async handle({ http, ports, requestId }) {
      const request = http.req.raw;
      const finished = await finishLogin(request, ports);
      // Its secrets are good for one return, whatever comes of it.
      const erased = eraseCookie(request.url, 'login');
      if (!finished.ok) {
        const refused = wantsPage(request)
          ? signInRefusal(finished, ports)
          : rejectionResponse(finished, requestId);
        refused.headers.append('Set-Cookie', erased);
        return refused;
      }
      return redirect(finished.value.to, [erased, finished.value.cookie]);
    },
  }),
  route({
    method: 'GET',
    path: '/auth/session',
    tag: PEOPLE_TAG,
    unlisted: true,
    summary: 'Who is signed in in this browser, and how a person signs in',
    access: 'public',
    responses: { 200: { description: 'The person, if there is one', schema: SignedIn } },
    async handle({ http, ports }) {
      const identity = await findBrowserIdentity(http.req.raw, ports);
      const { provider, access } = ports.login;
      const name = provider?.name ?? (access === undefined ? undefined : 'Cloudflare Access');
      const login = name === undefined ? null : { name, path: '/auth/login' };
      return respond(
        { login, person: identity ? await describePerson(identity, ports) : null },
        [],
      );
    },
  }),
  route({
    method: 'POST',
    path: '/auth/logout',
    tag: PEOPLE_TAG,
    unlisted: true,
    summary: 'Sign out of this browser',
    access: 'public',
    responses: { 200: { description: 'Where the browser goes next', schema: Destination } },
    async handle({ http, ports }) {
      const request = http.req.raw;
      if (!isProvenOwn(request)) return FOREIGN_PAGE;
      const identity = await authenticateBrowser(request, ports);
      if (identity !== undefined && !('ok' in identity)) await endSignIn(identity, ports);
      const { provider, access } = ports.login;
      const origin = originOf(request.url);
      const location =
        access === undefined
          ? await provider?.logoutAddress(`${origin}/`)
          : '/cdn-cgi/access/logout';
      return respond({ location: location ?? '/' }, [eraseCookie(request.url, 'sign-in')]);
    },
  }),
  route({
    method: 'POST',
    path: '/v1/invitations/accept',
    operationId: 'acceptInvitation',
    tag: PEOPLE_TAG,
    summary: 'Take an invitation, once, where the deployment has no login',
    description:
      'Its credential is the invitation itself. The token is that of the invited person.',
    access: 'public',
    body: Accept,
    responses: { 201: { description: 'The token, shown once', schema: InvitedToken } },
    errorCodes: ['link_expired', 'limit_reached'],
    handle: ({ ports, body }) => acceptInvitation(ports, body.invitation),
  }),
];

interface Begun {
  readonly location: string;
  readonly cookies: readonly string[];
}

async function beginLogin(
  request: Request,
  ports: HttpPorts,
  { to, invitation }: { readonly to: string; readonly invitation: string | undefined },
): Promise<Begun | Rejection> {
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

async function finishLogin(
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

/** One that names no person makes the person who signs in with it what it says. */
function grantOf(invitation: Invitation | undefined) {
  return invitation === undefined || invitation.subject !== null
    ? {}
    : { atLeast: invitation.role, invitation: invitation.id };
}

async function findBrowserIdentity(
  request: Request,
  ports: HttpPorts,
): Promise<Identity | undefined> {
  const identity = await authenticateBrowser(request, ports);
  if (identity === undefined || 'ok' in identity) return undefined;
  return (await isRevoked(identity, ports.policy)) ? undefined : identity;
}

async function describePerson({ caller, workspace, expiresAt }: Identity, ports: HttpPorts) {
  const members = await ports.members.get(workspace);
  const member = members.find(({ subject }) => subject === caller.subject);
  if (member === undefined) return null;
  const { subject, name, role } = member;
  const { credential, key = '' } = caller;
  return { subject, name, role, scopes: ROLE_SCOPES[role], credential, key, expiresAt };
}

/** The return comes from the page of the provider, so the cookie names the former sign-in here and signs in no one. */
async function endFormerSignIn(request: Request, ports: HttpPorts): Promise<void> {
  const former = readSignIn(request, ports);
  if (former === undefined) return;
  const { workspace, id, subject } = former;
  await ports.workspace(workspace).endSignIn(id, subject, { subject, via: 'web' });
  await ports.policy.refresh(workspace);
}

async function endSignIn(
  { caller, workspace }: Identity,
  ports: Pick<HttpPorts, 'workspace' | 'policy'>,
): Promise<void> {
  // A person whom only Access knows has no sign-in here.
  await ports.workspace(workspace).endSignIn(caller.credential, caller.subject, settlerOf(caller));
  await ports.policy.refresh(workspace);
}

async function acceptInvitation(ports: HttpPorts, text: string): Promise<RouteResult> {
  const invitation = openInvitation(ports, text);
  if (invitation === undefined) {
    return reject(
      'link_expired',
      'This invitation does not work or has expired; ask for another one',
    );
  }
  const { workspace: name, subject, id: invitationId } = invitation;
  const hasLogin = ports.login.provider !== undefined || ports.login.access !== undefined;
  if (subject === null || hasLogin) return NEEDS_LOGIN;
  const workspace = ports.workspace(name);
  const accepted = await workspace.acceptInvitation(invitationId, subject);
  if (!accepted.ok) return accepted;
  await ports.members.refresh(name);
  const { role, root, credential } = accepted.value;
  // No token carries `admin`.
  const scopes = ROLE_SCOPES[role].filter((scope) => scope !== 'admin');
  const id = `tok_${ports.freshId()}`;
  const expiresAt = ports.now() + LIMITS.invitedTokenMs;
  const token = { id, subject, scopes, session: null, expiresAt };
  const by = { subject, via: 'link', credential: invitationId, key: credential } as const;
  const recorded = await workspace.recordToken(
    { ...token, maker: root, chain: [id, credential] },
    by,
    false,
  );
  if (!recorded.ok) return recorded;
  const signed = await ports.credentials.sign({
    kind: 'person',
    id,
    workspace: name,
    scopes,
    subject,
    expiresAt,
    mintedBy: [credential],
    root,
  });
  return { status: 201, json: { token: signed, id, expiresAt } };
}

function redirect(location: string, cookies: readonly string[]): Response {
  const response = new Response(null, {
    status: 303,
    headers: { ...NO_STORE, Location: location },
  });
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
  return response;
}

function respond(json: object, cookies: readonly string[]): Response {
  const response = Response.json(json, { headers: NO_STORE });
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
  return response;
}
