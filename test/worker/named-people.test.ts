/**
 * What belongs to a person, against keys that use the name of that person.
 *
 * A key chooses the subjects of its tokens and links. A bug here looks like a key of a dashboard that signs people out, or an
 * approval "by ana" that ana never saw.
 */
import { expect, it } from 'vitest';
import { call, must } from './support/api.ts';
import { createKey, minted } from './support/credentials.ts';
import { answer, approval, createSession, open } from './support/session.ts';
import { connect } from './support/socket.ts';

const ALL = ['read', 'answer', 'send'];
const APPROVE = { decision: 'approve' };
const HOURS = { from: '00:00', to: '23:59', timeZone: 'UTC' };
const UNPROVEN = { code: 'forbidden', details: { needs: 'person' } };
const ofAdmin = async (subject: string) => (await minted(undefined, ALL, { subject })).token;
const portal = await createKey(ALL, 'portal');
const ofKey = async (subject: string) => (await minted(portal.token, ALL, { subject })).token;

it('[AUTH-10] a key and its tokens see and end nothing of the person whose name they use', async () => {
  const dashboard = await createKey(['read'], 'dashboard');
  const kept = await minted(undefined, ALL, { subject: 'bob' });
  const used = (await minted(dashboard.token, ['read'], { subject: 'bob' })).token;
  for (const token of [used, dashboard.token, await ofKey('bob')]) {
    for (const [method, path, body] of [
      ['GET', '/v1/me/sign-ins'],
      ['DELETE', '/v1/me/sign-ins'],
      ['DELETE', '/v1/me/sign-ins/sgn_1'],
      ['DELETE', `/v1/me/tokens/${kept.id}`],
      ['GET', '/v1/me/quiet-hours'],
      ['PUT', '/v1/me/quiet-hours', HOURS],
      ['DELETE', '/v1/me/quiet-hours'],
      ['PUT', '/v1/me/pins/demo'],
      ['DELETE', '/v1/me/pins/demo'],
      ['GET', '/v1/devices'],
      ['DELETE', '/v1/devices/tgt_1'],
      ['POST', '/v1/devices/tgt_1/test'],
    ] as const) {
      const reply = await call(method, path, { token, ...(body !== undefined && { body }) });
      expect([reply.status, reply.body.error], `${method} ${path}`).toMatchObject([403, UNPROVEN]);
      expect(reply.body.error?.message).toMatch(/Sign in, or use a token that an administrator/);
    }
  }
  const { tokens = [] } = await must('GET', '/v1/me/sign-ins', { token: kept.token });
  expect(tokens.map(({ id }) => id)).toContain(kept.id);
  const hours = { token: kept.token, body: HOURS };
  expect((await call('PUT', '/v1/me/quiet-hours', hours)).status).toBe(200);
});

it('[AUTH-10, ROUTE-2] a key and what it makes answer nothing that names a person or a group of the person', async () => {
  const session = await createSession();
  await must('PUT', '/v1/groups/named', { body: { subjects: ['ana'] } });
  const used = await ofKey('ana');
  for (const audience of [{ subjects: ['ana'] }, { groups: ['named'] }]) {
    const { interactionId, toolCallId } = await open(session, approval({ audience }));
    const at = `${session.path}/interactions/${interactionId}`;
    const refused = await answer(session, interactionId, APPROVE, { token: used });
    expect([refused.status, refused.body.error]).toMatchObject([403, UNPROVEN]);
    for (const [path, body] of [
      [`${session.path}/approve`, { toolCallId }],
      [`${at}/extend`, undefined],
      [`${at}/claim`, {}],
      [`${at}/handover`, { audience: { subjects: ['bob'] } }],
    ] as const) {
      const how = { token: used, ...(body !== undefined && { body }) };
      expect((await call('POST', path, how)).status, path).toBe(403);
    }
    expect((await call('DELETE', at, { token: used })).status).toBe(403);
    const decisions = [{ toolCallId, answer: APPROVE }];
    const body = { decisions };
    const batch = await call('POST', `${session.path}/interactions/decide`, { token: used, body });
    expect(batch.body.results?.[0]?.ok).toBe(false);
    const socket = await connect(session, { token: used });
    socket.send({ type: 'answer', id: 'f1', interactionId, answer: APPROVE });
    expect(await socket.next('result')).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    socket.close();
    // It may be read, and the person answers it.
    expect((await call('GET', at, { token: used })).status).toBe(200);
    const own = await answer(session, interactionId, APPROVE, { token: await ofAdmin('ana') });
    expect(own.body.interaction?.settledBy).toMatchObject({ subject: 'ana' });
  }
});

it('[AUTH-10, LINK-1] a link of a key, or of a token in another name, is not made for whom a request names', async () => {
  const session = await createSession();
  const { interactionId } = await open(session, approval({ audience: { subjects: ['ana'] } }));
  const path = `${session.path}/interactions/${interactionId}/links`;
  const link = (token: string | undefined) =>
    call('POST', path, { body: { subject: 'ana' }, ...(token !== undefined && { token }) });
  for (const token of [portal.token, await ofKey('ana'), await ofAdmin('bob')]) {
    expect([(await link(token)).status, (await link(token)).body.error]).toMatchObject([
      403,
      UNPROVEN,
    ]);
  }
  for (const token of [undefined, await ofAdmin('ana')]) {
    expect((await link(token)).status).toBe(201);
  }
});

it('[AUTH-10, HAND-2] a link that was made for everyone answers in no name once people are named', async () => {
  const session = await createSession();
  const { interactionId } = await open(session, approval());
  const at = `${session.path}/interactions/${interactionId}`;
  const made = await must('POST', `${at}/links`, {
    token: await ofAdmin('bob'),
    body: { subject: 'ana' },
  });
  await must('POST', `${at}/handover`, { body: { audience: { subjects: ['ana'] } } });
  const path = new URL(String((made as { url?: string }).url)).pathname;
  const used = await call('POST', path, { token: '', body: { answer: APPROVE } });
  expect([used.status, used.body.error]).toMatchObject([403, UNPROVEN]);
});

it('[AUTH-10, INT-19] a name that a key uses takes back what that key decided, and nothing of the person', async () => {
  const session = await createSession();
  const undo = (interactionId: string, token: string) =>
    call('POST', `${session.path}/interactions/${interactionId}/undo`, { token });
  const used = await ofKey('ana');
  const first = await open(session);
  await answer(session, first.interactionId, APPROVE, { token: await ofAdmin('ana') });
  const refused = await undo(first.interactionId, used);
  expect([refused.status, refused.body.error]).toMatchObject([403, UNPROVEN]);
  const second = await open(session);
  await answer(session, second.interactionId, APPROVE, { token: used });
  expect((await undo(second.interactionId, await ofKey('bob'))).status).toBe(403);
  expect((await undo(second.interactionId, used)).status).toBe(200);
});

it('[AUTH-10] a product whose key makes tokens for its own users keeps all that names none of them', async () => {
  const session = await createSession();
  const user = await ofKey('user-7');
  expect((await call('GET', '/v1/inbox', { token: user })).status).toBe(200);
  const { interactionId } = await open(session);
  const { body } = await answer(session, interactionId, APPROVE, { token: user });
  expect(body.interaction?.settledBy).toMatchObject({ subject: 'user-7', key: portal.id });
  const message = await call('POST', `${session.path}/messages`, {
    token: user,
    body: { text: 'hello' },
  });
  expect(message.status).toBeLessThan(300);
  await must('PUT', '/v1/groups/named', { body: { subjects: ['user-7'] } });
  expect((await call('GET', '/v1/me', { token: user })).body).toMatchObject({
    subject: 'user-7',
    provesPerson: false,
    groups: [],
  });
});
