/**
 * Signing in and out of the chat: by an OpenID Connect provider, by Cloudflare Access, or by an invitation link where the
 * deployment has neither.
 */
import * as z from '../../protocol/schema/zod.ts';
import { settlerOf } from '../../protocol/caller.ts';
import { reject, ERRORS, type Rejection } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { Scope } from '../../protocol/schema/actor.ts';
import { Role } from '../../protocol/schema/person.ts';
import { ROLE_SCOPES } from '../../core/authority.ts';
import {
  authenticateBrowser,
  beginLogin,
  CALLBACK,
  finishLogin,
  openInvitation,
} from '../login/browser-login.ts';
import { eraseCookie } from '../login/cookies.ts';
import { isProvenOwn, originOf } from '../login/own-origin.ts';
import { rejectionResponse } from '../rejection-response.ts';
import { wantsPage } from '../accept.ts';
import { isRevoked } from '../authenticate.ts';
import type { HttpPorts, Identity } from '../ports.ts';
import { PEOPLE_TAG, route, type RouteResult } from '../route.ts';
import { html, NOTHING } from '../../core/html.ts';
import { type Page, pageResponse } from '../answer-links/page.ts';

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
const LoginDestination = z.strictObject({ location: z.string() }).meta({ id: 'LoginDestination' });
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
    query: z.looseObject({ to: z.string().optional() }),
    responses: {
      303: { description: 'To the login provider, or back where Access knows the person' },
    },
    async handle({ request, ports, query }) {
      const asked = { to: query.to, invitation: undefined };
      const begun = await beginLogin(request, ports, asked);
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
    responses: { 200: { description: 'Where the browser goes next', schema: LoginDestination } },
    async handle({ request, ports, body }) {
      if (!isProvenOwn(request)) return FOREIGN_PAGE;
      const begun = await beginLogin(request, ports, { to: body.to, invitation: body.invitation });
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
    async handle({ request, ports, requestId }) {
      const finished = await finishLogin(request, ports);
      // Its secrets are good for one return, whatever comes of it.
      const erased = eraseCookie(request.url, 'login');
      if (!finished.ok) {
        const refused = wantsPage(request)
          ? await signInRefusal(finished, ports)
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
    async handle({ request, ports }) {
      const identity = await findBrowserIdentity(request, ports);
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
    responses: { 200: { description: 'Where the browser goes next', schema: LoginDestination } },
    async handle({ request, ports }) {
      if (!isProvenOwn(request)) return FOREIGN_PAGE;
      const identity = await authenticateBrowser(request, ports);
      if (identity !== undefined && !('ok' in identity)) await endBrowserSignIn(identity, ports);
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
    handle: ({ ports, body }) => takeInvitation(ports, body.invitation),
  }),
];

async function findBrowserIdentity(
  request: Request,
  ports: HttpPorts,
): Promise<Identity | undefined> {
  const identity = await authenticateBrowser(request, ports);
  if (identity === undefined || 'ok' in identity) return undefined;
  const policy = await ports.policy.get(identity.workspace);
  return isRevoked(identity, policy) ? undefined : identity;
}

async function describePerson({ caller, workspace, expiresAt }: Identity, ports: HttpPorts) {
  const members = await ports.members.get(workspace);
  const member = members.find(({ subject }) => subject === caller.subject);
  if (member === undefined) return null;
  const { subject, name, role } = member;
  const { credential, key = '' } = caller;
  return { subject, name, role, scopes: ROLE_SCOPES[role], credential, key, expiresAt };
}

async function endBrowserSignIn(
  { caller, workspace }: Identity,
  ports: Pick<HttpPorts, 'workspace' | 'policy'>,
): Promise<void> {
  // A person whom only Access knows has no sign-in here.
  await ports.workspace(workspace).endSignIn(caller.credential, caller.subject, settlerOf(caller));
  await ports.policy.refresh(workspace);
}

async function takeInvitation(ports: HttpPorts, text: string): Promise<RouteResult> {
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

/** The page for a person whose login did not work: what happened, and what to do. */
async function signInRefusal(
  rejection: Rejection,
  ports: Pick<HttpPorts, 'web'>,
): Promise<Response> {
  return pageResponse(refusedPage(rejection), `/assets/${await ports.web.linkStyle()}`);
}

/** Only the message of the rejection is shown: what the provider wrote about a fault is in the log. */
function refusedPage({ code, message }: Rejection): Page {
  const title = code === 'forbidden' ? 'No access yet' : 'The sign-in did not work';
  return {
    title,
    status: ERRORS[code].status,
    body: html`<article class="card grey link-end">
<header class="card-head"><h1>${title}</h1></header>
<div class="card-body"><p>${message}.</p>
${code === 'not_found' ? NOTHING : html`<p><a class="button" href="/auth/login">Try again</a></p>`}
<p><a href="/">Go to the start page</a></p></div>
</article>`,
  };
}
