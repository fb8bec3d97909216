/**
 * Identifies a person by the cookie of a sign-in, or by the assertion of Cloudflare Access.
 *
 * Reads go by the copy of the directory that this isolate has, which is less than a minute old. What changes something, and
 * each new connection, asks the directory itself: a role that was taken away a second ago decides nothing.
 */
import * as z from 'zod';
import { ROLE_SCOPES } from '../../protocol/roles.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import type { Member } from '../../protocol/schema/person.ts';
import type { HttpPorts, Identity } from '../ports.ts';
import { readCookie } from './cookies.ts';
import { isChange, isForeign, isProvenOwn } from './own-origin.ts';

/** What the cookie of a sign-in says. The role is not in it: it is that of the directory. */
const SignInClaims = z.strictObject({
  workspace: z.string(),
  subject: z.string(),
  id: z.string(),
  expiresAt: z.number(),
});
type SignInClaims = z.infer<typeof SignInClaims>;

/** The workspace of people whom no cookie places in another one. */
export const FIRST_WORKSPACE = 'main';
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

/** Undefined: the request carries neither. */
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
export function readSignIn(
  request: Request,
  { login }: Pick<HttpPorts, 'login'>,
): SignInClaims | undefined {
  const cookie = readCookie(request, 'sign-in');
  return cookie === undefined
    ? undefined
    : SignInClaims.safeParse(login.seals.open('sign-in', cookie)).data;
}

export function sealSignIn(ports: Pick<HttpPorts, 'login'>, claims: SignInClaims): string {
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
