/**
 * Credentials from credentials: no caller passes on a scope that it does not hold, or a longer life than its
 * own.
 *
 * A bug would look like a page with the scope `read` that mints a token for answering.
 */
import { describe, expect, it } from 'vitest';
import type { Scope } from '../../src/protocol/schema/actor.ts';
import type { AuditEntry } from '../../src/protocol/schema/workspace.ts';
import { call, must } from './support/api.ts';
import { createKey, mint, minted } from './support/credentials.ts';
import { answer, createSession, open, question } from './support/session.ts';
import { until } from './support/until.ts';

const SCOPES: readonly Scope[] = ['read', 'answer', 'send', 'agent', 'admin'];
/** Agent alone hands on nothing, not even itself. */
const HANDS_ON: readonly Scope[] = ['read', 'answer', 'send'];

describe('minting', () => {
  it('[AUTH-6] a key passes on exactly the scopes it holds, and only if one of them is for a person', async () => {
    const session = await createSession();
    for (const held of subsets(['read', 'answer', 'send', 'agent'])) {
      const { token } = await createKey(held);
      for (const wanted of SCOPES) {
        const may = held.includes(wanted) && held.some((scope) => HANDS_ON.includes(scope));
        const { status } = await mint(token, [wanted], { session });
        const refused = wanted === 'admin' ? [400, 403] : [403];
        expect(may ? [201] : refused, `${held.join('+')} mints ${wanted}`).toContain(status);
        const person = await mint(token, [wanted]);
        const isPersons = HANDS_ON.includes(wanted);
        const said = `${held.join('+')} mints ${wanted} for a person`;
        expect(may && isPersons ? [201] : [400, 403], said).toContain(person.status);
      }
    }
  });

  it('[AUTH-1] a person’s token is for reading, answering and writing, by any minter', async () => {
    const { token } = await createKey(SCOPES);
    for (const by of [undefined, token]) {
      for (const scope of HANDS_ON) expect((await mint(by, [scope])).status).toBe(201);
      expect((await mint(by, ['read', 'agent'])).status).toBe(400);
      expect((await mint(by, ['read', 'admin'])).status).toBe(400);
    }
  });

  it('[AUTH-6] one scope too many is refused whole', async () => {
    const session = await createSession();
    const { token } = await createKey(['read', 'send']);
    expect((await mint(token, ['read', 'answer'])).status).toBe(403);
    expect((await mint(token, ['read', 'answer'], { session })).status).toBe(403);
    expect((await mint(token, [])).status).toBe(400);
    expect((await mint(token, ['read', 'everything'])).status).toBe(400);
  });

  it('[AUTH-6] a token made from a token holds no more than the first', async () => {
    const session = await createSession();
    const first = await minted(undefined, ['read', 'answer'], { session });
    const second = await minted(first.token, ['read'], { session });
    expect((await mint(second.token, ['read', 'answer'], { session })).status).toBe(403);
    const { interactionId } = await open(session);
    const refused = await answer(session, interactionId, undefined, { token: second.token });
    expect(refused.status).toBe(403);
    const accepted = await answer(session, interactionId, undefined, { token: first.token });
    expect(accepted.status).toBe(200);
  });

  it('[AUTH-1] a key may set the subject; a token keeps its subject, and answers in that name', async () => {
    const session = await createSession();
    const key = await createKey(['read', 'answer'], 'the portal');
    const ada = await minted(key.token, ['read', 'answer'], { subject: 'ada' });
    expect((await mint(ada.token, ['read'], { subject: 'bob' })).status).toBe(403);
    expect((await mint(ada.token, ['read'], { subject: 'bob', session })).status).toBe(403);
    const phone = await minted(ada.token, ['answer'], { session });
    const unnamed = await minted(key.token, ['answer'], { session });
    for (const [{ id, token }, subject] of [
      [phone, 'ada'],
      [unnamed, 'the portal'],
    ] as const) {
      const { interactionId } = await open(session);
      const { body } = await answer(session, interactionId, undefined, { token });
      const by = { credential: id, key: key.id };
      expect(body.interaction?.settledBy).toEqual({ subject, via: 'web', ...by });
    }
  });

  it('[AUTH-1] no token and no key has a deceptive name', async () => {
    const session = await createSession();
    for (const name of [
      'admin',
      'ＳＹＳＴＥＭ',
      'mi\u202ea',
      'mi\u200ba',
      'mia\n',
      ' mia',
      'mіa',
    ]) {
      const replies = [
        await mint(undefined, ['read'], { subject: name }),
        await mint(undefined, ['read'], { subject: name, session }),
        await call('POST', '/v1/keys', { body: { name, scopes: ['read'] } }),
      ];
      for (const { status, body } of replies) {
        expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
        expect(body.error?.message).toMatch(/^(subject|name): [A-Z]/);
      }
    }
  });

  it('[AUTH-5] an answer under a name of the key’s choice leads back to the key, in record and audit list', async () => {
    const session = await createSession();
    const key = await createKey(['answer'], 'ci-bot');
    const mia = await minted(key.token, ['answer'], { subject: 'mia' });
    const { interactionId } = await open(session);
    const by = { credential: mia.id, key: key.id };
    const answered = await answer(session, interactionId, undefined, { token: mia.token });
    expect(answered.body.interaction?.settledBy).toMatchObject({ subject: 'mia', ...by });
    const late = await answer(session, interactionId, undefined, { token: mia.token });
    expect(late.body.error?.details).toMatchObject({ settledBy: by });
    let entry: AuditEntry | undefined;
    await until(async () => {
      const { entries = [] } = await must('GET', '/v1/audit?limit=1000');
      entry = entries.find((one) => one.sessionId === session.id);
      return entry !== undefined;
    });
    expect(entry).toMatchObject({ what: 'interaction', subject: 'mia', via: 'web', by });
  });

  it('[AUTH-8] no caller answers its own question with a token minted for it', async () => {
    const session = await createSession();
    const key = await createKey(['agent', 'answer', 'send', 'read'], 'both');
    const itself = await minted(key.token, ['answer', 'send'], { session, subject: 'mia' });
    const asked = await open(session, question(), { token: key.token });
    const id = asked.interactionId;
    for (const token of [key.token, itself.token]) {
      const given = { answers: { '0': 'Red' } };
      const replies = [
        await answer(session, id, given, { token }),
        await call('POST', `${session.path}/submit-answers`, {
          token,
          body: { toolCallId: asked.toolCallId, ...given },
        }),
        await call('POST', `${session.path}/messages`, { token, body: { text: 'Red' } }),
      ];
      for (const { status, body } of replies) {
        expect([status, body.error?.details]).toEqual([403, { setting: 'forbidSelfApproval' }]);
      }
      const batch = { decisions: [{ interactionId: id, answer: given }] };
      const decided = await must('POST', `${session.path}/interactions/decide`, {
        token,
        body: batch,
      });
      expect(decided.results).toMatchObject([{ ok: false, error: { code: 'forbidden' } }]);
    }
    const person = await minted(undefined, ['answer'], { subject: 'ada' });
    const reply = await answer(session, id, { answers: { '0': 'Red' } }, { token: person.token });
    expect(reply.body.interaction?.settledBy).toEqual({
      subject: 'ada',
      via: 'web',
      credential: person.id,
      key: 'admin',
    });
  });

  it('[AUTH-1] a token never outlives the credential it was made from', async () => {
    const session = await createSession();
    const short = await minted(undefined, ['read'], { ttlSeconds: 100 });
    const long = await minted(short.token, ['read'], { session, ttlSeconds: 10_000 });
    const shorter = await minted(short.token, ['read'], { session, ttlSeconds: 10 });
    expect(long.expiresAt).toBe(short.expiresAt);
    expect(shorter.expiresAt).toBeLessThan(short.expiresAt);
    for (const ttlSeconds of [0, -1, 1.5, 365 * 24 * 3600 + 1]) {
      expect((await mint(undefined, ['read'], { ttlSeconds })).status).toBe(400);
    }
  });

  it('[AUTH-5, AUTH-7] every token is listed from the moment it is minted, and revoked from the list', async () => {
    const session = await createSession();
    const key = await createKey(['read', 'answer'], 'portal');
    const mia = await minted(key.token, ['read', 'answer'], { subject: 'mia' });
    const phone = await minted(mia.token, ['answer'], { session, ttlSeconds: 100 });
    const listed = async () => (await must('GET', '/v1/tokens?limit=50')).tokens ?? [];
    const [newest, older] = await listed();
    expect(newest).toMatchObject({
      id: phone.id,
      subject: 'mia',
      scopes: ['answer'],
      session: session.id,
      createdBy: { subject: 'mia', credential: mia.id, key: key.id },
      expiresAt: phone.expiresAt,
      revokedAt: null,
    });
    expect(older).toMatchObject({ id: mia.id, session: null, createdBy: { subject: 'portal' } });
    for (const secret of [mia.token, phone.token]) {
      expect(JSON.stringify(await listed())).not.toContain(secret);
    }
    expect((await call('DELETE', `/v1/tokens/${mia.id}`)).status).toBe(204);
    expect((await call('GET', session.path, { token: phone.token })).status).toBe(401);
    for (const one of (await listed()).slice(0, 2)) expect(one.revokedAt).not.toBeNull();
    const { entries = [] } = await must('GET', '/v1/audit?limit=1000');
    // Sessions of earlier tests may report an interaction at any time.
    const change = entries.find(({ what }) => what === 'token');
    expect(change).toMatchObject({ token: mia.id, change: 'revoked' });
    for (const token of [key.token, mia.token]) {
      expect((await call('GET', '/v1/tokens', { token })).status).not.toBe(200);
    }
  });

  it('[AUTH-2] for a session that does not exist is 404', async () => {
    const nowhere = { id: 'nowhere', path: '/v1/sessions/nowhere' };
    expect((await mint(undefined, ['read'], { session: nowhere })).status).toBe(404);
  });

  it('[AUTH-6] keys are made, listed and ended by administrators alone', async () => {
    const { id, token } = await createKey(['read', 'answer', 'send', 'agent']);
    const person = await minted(token, ['read', 'answer', 'send']);
    for (const token of [person.token, (await createKey(['agent'])).token]) {
      const body = { name: 'mine', scopes: ['read'] };
      expect((await call('POST', '/v1/keys', { token, body })).status).toBe(403);
      expect((await call('GET', '/v1/keys', { token })).status).toBe(403);
      expect((await call('DELETE', `/v1/keys/${id}`, { token })).status).toBe(403);
      expect((await call('DELETE', `/v1/tokens/${person.id}`, { token })).status).toBe(403);
      const settings = { timeouts: {} };
      expect((await call('PUT', '/v1/settings', { token, body: settings })).status).toBe(403);
    }
    const { keys } = await must('GET', '/v1/keys');
    expect(keys?.some((key) => key.id === id)).toBe(true);
  });
});

function subsets(scopes: readonly Scope[]): Scope[][] {
  return Array.from({ length: 2 ** scopes.length - 1 }, (_, index) =>
    scopes.filter((_scope, bit) => ((index + 1) >> bit) % 2 === 1),
  );
}
