/**
 * Authorization over HTTP: the valid credentials, their sessions and workspaces, and their expiry.
 *
 * A bug would look like a caller that reads or answers in a foreign session, or still does so after its
 * credential ended. Foreign ids must look like missing ids, so that a caller cannot probe for them.
 */
import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { HmacCredentials } from '../../src/platform/hmac-credentials.ts';
import type { Scope } from '../../src/protocol/schema/actor.ts';
import { countFor } from '../support/run-length.ts';
import { ADMIN, type Ask, call, must } from './support/api.ts';
import { createKey, minted } from './support/credentials.ts';
import { type TestSession, createSession, open, question } from './support/session.ts';

/** The short run tries every fifth change: of each byte another bit. */
const EVERY = countFor({ quick: 5, long: 1 });

function read(session: TestSession, ask: Ask) {
  return call('GET', session.path, ask);
}

describe('a credential', () => {
  it('[AUTH-2] that is missing is 401 on every route that needs one', async () => {
    const session = await createSession();
    for (const [method, path] of [
      ['GET', session.path],
      ['GET', `${session.path}/events`],
      ['POST', `${session.path}/interactions`],
      ['GET', '/v1/sessions'],
      ['GET', '/v1/inbox'],
      ['GET', '/v1/audit'],
      ['GET', '/v1/keys'],
      ['POST', '/v1/tokens'],
      ['GET', '/v1/tokens'],
    ] as const) {
      const reply = await call(method, path, { token: null });
      expect(reply.status).toBe(401);
      expect(reply.body.error?.code).toBe('unauthenticated');
      expect(reply.headers.get('WWW-Authenticate')).toBe('Bearer');
    }
    expect((await call('GET', '/health', { token: null })).status).toBe(200);
  });

  it('[AUTH-1] with any one character changed is 401', async () => {
    const session = await createSession();
    const { token } = await minted(undefined, ['read'], { session });
    expect((await read(session, { token })).status).toBe(200);
    for (const secret of [token, ADMIN]) {
      const altered = [...secret].flatMap((char, index) =>
        [char === 'A' ? 'B' : 'A', char === '-' ? '_' : '-']
          .filter((other) => other !== char)
          .map((other) => secret.slice(0, index) + other + secret.slice(index + 1)),
      );
      const shortened = [secret.slice(0, -1), secret.slice(1), `${secret}A`, `${secret}=`];
      const some = altered.filter((_, index) => index % EVERY === 0);
      const replies = await Promise.all(
        [...some, ...shortened].map((token) => read(session, { token })),
      );
      expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([401]));
    }
  });

  it('[AUTH-1] with any one bit of its bytes turned is 401', async () => {
    const session = await createSession();
    const { token } = await minted(undefined, ['read'], { session });
    const [payload = '', signature = ''] = token.slice('hp_'.length).split('.');
    for (const [which, part] of [payload, signature].entries()) {
      const bytes = fromBase64Url(part);
      const replies = await Promise.all(
        Array.from({ length: Math.ceil((bytes.length * 8) / EVERY) }, (_, index) => {
          const bit = index * EVERY;
          const turned = Uint8Array.from(bytes);
          turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7));
          const parts = [payload, signature];
          parts[which] = toBase64Url(turned);
          return read(session, { token: `hp_${parts.join('.')}` });
        }),
      );
      expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([401]));
    }
  });

  it('[AUTH-1] in joined, doubled or padded headers is 401', async () => {
    const session = await createSession();
    const { token } = await minted(undefined, ['read'], { session });
    for (const authorization of [
      `Bearer ${token}, Bearer ${token}`,
      `Bearer ${token},`,
      `Bearer ${token} ${token}`,
      `Bearer  ${token}`,
      `Basic ${btoa(`${token}:`)}`,
      token,
      'Bearer',
      'Bearer ',
    ]) {
      const reply = await read(session, { headers: { Authorization: authorization } });
      expect(reply.status).toBe(401);
    }
    const twice = new Headers({ Authorization: `Bearer ${token}` });
    twice.append('Authorization', `Bearer ${token}`);
    const headers = { Authorization: twice.get('Authorization') ?? '' };
    expect((await read(session, { headers })).status).toBe(401);
    expect((await read(session, { headers: { Authorization: `bearer ${token}` } })).status).toBe(
      200,
    );
  });

  it('[AUTH-1] in the address, a cookie or a body has no effect', async () => {
    const session = await createSession();
    const path = `${session.path}?token=${ADMIN}`;
    expect((await call('GET', path, { token: null })).status).toBe(401);
    const headers = { Cookie: `token=${ADMIN}; Authorization=Bearer ${ADMIN}` };
    expect((await read(session, { token: null, headers })).status).toBe(401);
    const body = { token: ADMIN };
    expect((await call('POST', '/v1/sessions', { token: null, body })).status).toBe(401);
  });

  it('[AUTH-1] is never shown again, nor repeated in a refusal', async () => {
    const { id, token } = await createKey(['read'], 'Shown once');
    const list = await call('GET', '/v1/keys');
    expect(list.body.keys?.some((key) => key.id === id)).toBe(true);
    expect(list.text).not.toContain(token);
    const wrong = `${token.slice(0, -4)}AAAA`;
    const refused = await call('GET', '/v1/keys', { token: wrong });
    expect(refused.status).toBe(401);
    expect(refused.text).not.toContain(wrong.slice(0, 40));
  });
});

describe('another session or workspace', () => {
  it('[AUTH-2] another session looks like a missing session, on every route', async () => {
    const mine = await createSession();
    const theirs = await createSession();
    const { interactionId } = await open(theirs);
    const scopes = ['read', 'answer', 'send', 'agent'];
    const { token } = await minted(undefined, scopes, { session: mine });
    const nobody = { id: 'nobody', path: '/v1/sessions/nobody' };
    for (const [method, rest, body] of [
      ['GET', '', undefined],
      ['GET', '/events', undefined],
      ['GET', '/interactions', undefined],
      ['GET', `/interactions/${interactionId}`, undefined],
      ['GET', `/interactions/${interactionId}?wait=1`, undefined],
      ['POST', `/interactions/${interactionId}/answer`, { decision: 'approve' }],
      ['POST', '/messages', { text: 'hello' }],
      ['POST', '/tokens', { scopes: ['read'] }],
      ['PATCH', '', { title: 'Mine now' }],
    ] as const) {
      const ask = { token, ...(body !== undefined && { body }) };
      const there = await call(method, `${theirs.path}${rest}`, ask);
      const nowhere = await call(method, `${nobody.path}${rest}`, ask);
      expect(there.status).toBe(404);
      expect({ ...there.body.error, requestId: '' }).toEqual({
        ...nowhere.body.error,
        requestId: '',
      });
    }
    expect((await must('GET', theirs.path)).open).toHaveLength(1);
  });

  it('[AUTH-2] another workspace has none of these sessions, and an inbox of its own', async () => {
    const ours = await createSession();
    const { interactionId } = await open(ours, question({ detached: true }));
    const token = await ofOtherWorkspace(['admin']);
    expect((await read(ours, { token })).status).toBe(404);
    const body = { answers: { 0: 'Red' } };
    const path = `${ours.path}/interactions/${interactionId}/answer`;
    expect((await call('POST', path, { token, body })).status).toBe(404);
    for (const list of ['/v1/inbox', '/v1/sessions', '/v1/audit', '/v1/keys']) {
      const { text, status } = await call('GET', list, { token });
      expect(status).toBe(200);
      expect(text).not.toContain(ours.id);
    }
    // The same id there is another session.
    await must('POST', '/v1/sessions', { token, body: { id: ours.id, title: 'Theirs' } });
    expect((await must('GET', ours.path)).session?.title).toBe(null);
  });

  it('[AUTH-2] a token of one session may ask nothing of the workspace', async () => {
    const session = await createSession();
    const { token } = await minted(undefined, ['read', 'answer', 'send', 'agent'], { session });
    for (const [method, path] of [
      ['GET', '/v1/sessions'],
      ['POST', '/v1/sessions'],
      ['GET', '/v1/inbox'],
      ['POST', '/v1/tokens'],
      ['GET', '/v1/keys'],
      ['PUT', '/v1/settings'],
    ] as const) {
      const ask = { token, ...(method !== 'GET' && { body: {} }) };
      expect((await call(method, path, ask)).status).toBe(403);
    }
  });
});

/** Only the administrator of `main` exists over HTTP; another workspace's is signed by hand. */
function ofOtherWorkspace(scopes: Scope[]): Promise<string> {
  const secrets = { signing: env.HOLDPOINT_SECRET, admin: ADMIN };
  return new HmacCredentials(secrets, Date.now).sign({
    kind: 'key',
    id: 'key_other',
    workspace: 'other',
    scopes,
    subject: 'other',
    expiresAt: null,
    mintedBy: [],
  });
}

function fromBase64Url(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

function toBase64Url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
