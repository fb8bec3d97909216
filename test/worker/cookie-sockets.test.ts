/**
 * Sockets that a cookie signs in. A browser sends the cookie with every handshake, whichever page asks for it, and no
 * preflight comes before. A bug here looks like a page of another site that reads a session, or answers in it.
 */
import { env, SELF } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WorkspaceStub } from '../../src/http/stubs.ts';
import { sealedTexts } from '../../src/platform/login/sealed-texts.ts';
import { HOME_WORKSPACE } from '../../src/protocol/workspaces.ts';
import { ORIGIN } from './support/api.ts';
import { answer, createSession, open, workspaceStub } from './support/session.ts';
import { TestSocket } from './support/socket.ts';

const EMAIL = 'ana@cookies.example';
const OLGA = { subject: 'olga', via: 'cli' } as const;
const EVIL = 'https://evil.example';
let cookie = '';
let signInId = '';

/** As the HTTP surface calls it; the types of the platform are too deep for the checker here. */
function people(): WorkspaceStub {
  const stub: unknown = workspaceStub();
  return stub as WorkspaceStub;
}

beforeAll(async () => {
  const workspace = people();
  await workspace.invitePerson({ email: EMAIL, role: 'answerer' }, OLGA);
  const begun = await workspace.signIn(
    { subject: EMAIL, email: EMAIL, name: null },
    { unknown: null, atLeast: null },
    { browser: 'Firefox', place: null },
  );
  if (!begun.ok) throw new Error(begun.message);
  signInId = begun.value.id;
  const claims = { workspace: HOME_WORKSPACE, ...begun.value };
  const seals = sealedTexts(env.HOLDPOINT_SECRET, Date.now);
  cookie = `__Host-holdpoint-sign-in=${seals.seal('sign-in', claims, claims.expiresAt)}`;
});

/** The handshake as a browser sends it: `Origin` is always there, and no script can change it. */
async function shakeHands(path: string, headers: Readonly<Record<string, string>>) {
  const { status, webSocket } = await SELF.fetch(`${ORIGIN}${path}`, {
    headers: {
      Upgrade: 'websocket',
      'Sec-WebSocket-Protocol': 'holdpoint.v1',
      Cookie: cookie,
      ...headers,
    },
  });
  if (webSocket === null) throw new Error(`No socket: ${status}`);
  return new TestSocket(webSocket);
}

describe('a socket with the cookie of a sign-in', () => {
  it.each(['session', 'inbox'] as const)(
    '[AUTH-4] of the %s opens for a page of this service',
    async (what) => {
      const session = await createSession();
      const path = what === 'session' ? `${session.path}/socket` : '/v1/inbox/socket';
      const socket = await shakeHands(path, { Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' });
      const first = JSON.parse(await socket.nextText()) as { type: string };
      expect(first.type).toBe(what === 'session' ? 'welcome' : 'inbox');
      socket.close();
    },
  );

  it.each<[string, Readonly<Record<string, string>>]>([
    ['of another site', { Origin: EVIL, 'Sec-Fetch-Site': 'cross-site' }],
    ['of another site, in an old browser', { Origin: EVIL }],
    ['of a neighbor under the same domain', { Origin: 'https://app.holdpoint.example' }],
    ['without TLS', { Origin: ORIGIN.replace('https', 'http') }],
    ['of another port', { Origin: `${ORIGIN}:8443` }],
    ['in a frame without an origin', { Origin: 'null' }],
    ['that hides where it is from', {}],
    ['of the same site, and not of this origin', { Origin: ORIGIN, 'Sec-Fetch-Site': 'same-site' }],
    ['that forges a header', { Origin: EVIL, 'X-Holdpoint-Client': 'web' }],
  ])('[AUTH-4] is refused to a page %s, and shows it nothing', async (_page, headers) => {
    const session = await createSession();
    const { interactionId } = await open(session);
    for (const path of [`${session.path}/socket`, '/v1/inbox/socket']) {
      const socket = await shakeHands(path, headers);
      socket.send({ type: 'answer', id: 'a', interactionId, answer: { decision: 'approve' } });
      const first = JSON.parse(await socket.nextText()) as {
        type: string;
        error: { code: string };
      };
      expect(first).toMatchObject({ type: 'error', error: { code: 'forbidden' } });
      expect((await socket.closed).code).toBe(4403);
    }
    expect((await answer(session, interactionId)).status).toBe(200);
  });

  it('[AUTH-4, AUTH-7] is refused to this service after the sign-in has ended, and closes what is open', async () => {
    const session = await createSession();
    const path = `${session.path}/socket`;
    const live = await shakeHands(path, { Origin: ORIGIN });
    await live.next('welcome');
    await people().endSignIn(signInId, EMAIL, OLGA);
    expect((await live.closed).code).toBe(4401);
    const late = await shakeHands(path, { Origin: ORIGIN });
    expect((await late.next('error')).error.code).toBe('unauthenticated');
    expect((await late.closed).code).toBe(4401);
  });
});
