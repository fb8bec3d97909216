/**
 * Whom a request is for, over every way to the server.
 *
 * A bug here is a way to answer that forgot to look, or a person who was taken out of a group and still decides.
 */
import { afterAll, expect, it } from 'vitest';
import { call, must } from './support/api.ts';
import { minted } from './support/credentials.ts';
import { answer, approval, createSession, open, question } from './support/session.ts';
import { connect } from './support/socket.ts';
import { until } from './support/until.ts';

const ALL = ['read', 'answer', 'send'];
const APPROVE = { decision: 'approve' };
const person = async (subject: string) => (await minted(undefined, ALL, { subject })).token;
const group = (...subjects: string[]) => must('PUT', '/v1/groups/ops', { body: { subjects } });
const settings = (audiences?: object[]) =>
  must('PUT', '/v1/settings', { body: { timeouts: {}, ...(audiences && { audiences }) } });
afterAll(() => settings());

it('[ROUTE-2, ROUTE-4] a member of the group answers, over HTTP, in a batch and over a socket', async () => {
  const session = await createSession();
  await group('ana');
  const [ana, ben] = [await person('ana'), await person('ben')];
  const audience = { groups: ['ops'] };
  for (const [token, status, ok] of [
    [ben, 403, false],
    [ana, 200, true],
  ] as const) {
    const first = await open(session, approval({ audience }));
    const direct = await answer(session, first.interactionId, APPROVE, { token });
    expect([direct.status, direct.body.error?.details]).toEqual([
      status,
      ok ? undefined : { audience },
    ]);

    const second = await open(session, approval({ audience }));
    const { toolCallId } = second;
    const decisions = [{ toolCallId, answer: APPROVE }];
    const batch = await call('POST', `${session.path}/interactions/decide`, {
      token,
      body: { decisions },
    });
    expect(batch.body.results?.[0]?.ok).toBe(ok);
    const short = await call('POST', `${session.path}/approve`, { token, body: { toolCallId } });
    expect(short.status).toBe(ok ? 409 : 403);

    const third = await open(session, approval({ audience }));
    const socket = await connect(session, { token });
    const { interactionId } = third;
    socket.send({ type: 'answer', id: 'f1', interactionId, answer: APPROVE });
    expect((await socket.next('result')).ok).toBe(ok);
    socket.close();
  }
});

it('[ROUTE-8] a credential learns who it is, and the groups of its own subject alone', async () => {
  await group('ana');
  await must('PUT', '/v1/groups/leads', { body: { subjects: ['ben', 'ana'] } });
  const me = async (token: string, query = '') =>
    (await call('GET', `/v1/me${query}`, { token })).body;
  const workspace = 'main';
  const noMember = { provesPerson: true, name: null, role: null };
  const [ana, ben, cleo] = [await person('ana'), await person('ben'), await person('anna')];
  expect(await me(ana)).toEqual({
    subject: 'ana',
    scopes: ALL,
    workspace,
    groups: ['leads', 'ops'],
    ...noMember,
  });
  const ofBen = { subject: 'ben', scopes: ALL, workspace, groups: ['leads'], ...noMember };
  expect(await me(ben)).toEqual(ofBen);
  expect(await me(cleo)).toMatchObject({ subject: 'anna', groups: [] });
  expect((await call('GET', '/v1/me?subject=ana', { token: ben })).status).toBe(400);
  await must('DELETE', '/v1/groups/leads');
  expect(await me(ben)).toMatchObject({ groups: [] });
});

it('[ROUTE-2, ROUTE-4] who leaves the group may no longer answer, also on an open socket', async () => {
  const session = await createSession();
  await group('ana');
  const token = await person('ana');
  const { interactionId } = await open(session, approval({ audience: { groups: ['ops'] } }));
  const socket = await connect(session, { token });
  await group('ben');
  socket.send({ type: 'answer', id: 'f1', interactionId, answer: APPROVE });
  expect(await socket.next('result')).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  socket.close();
  await must('DELETE', '/v1/groups/ops');
  expect((await answer(session, interactionId, APPROVE, { token })).status).toBe(403);
  expect((await answer(session, interactionId)).status).toBe(200);
});

it('[ROUTE-2] frames of a socket keep their order while groups are read', async () => {
  const session = await createSession();
  await group('ana');
  const token = await person('ana');
  const { interactionId } = await open(session, question({ audience: { groups: ['ops'] } }));
  const socket = await connect(session, { token });
  socket.send({ type: 'answer', id: 'f1', interactionId, answer: { answers: { '0': 'Red' } } });
  socket.send({ type: 'interrupt', id: 'f2' });
  const results = [await socket.next('result'), await socket.next('result')];
  expect(results).toMatchObject([
    { id: 'f1', ok: true },
    { id: 'f2', ok: true },
  ]);
  socket.close();
});

it('[ROUTE-2] the token of another session, of another workspace and of the agent answer nothing', async () => {
  const [session, other] = [await createSession(), await createSession()];
  const audience = { subjects: ['ana'] };
  const { interactionId } = await open(session, approval({ audience }));
  const elsewhere = await minted(undefined, ALL, { subject: 'ana', session: other });
  const foreign = await answer(session, interactionId, APPROVE, { token: elsewhere.token });
  expect(foreign.status).toBe(404);
  const ben = await person('ben');
  const renamed = await call('POST', '/v1/tokens', {
    token: ben,
    body: { scopes: ['answer'], subject: 'ana' },
  });
  expect(renamed.status).toBe(403);
  const own = await minted(ben, ['answer'], {});
  expect((await answer(session, interactionId, APPROVE, { token: own.token })).status).toBe(403);
  expect(
    (await answer(session, interactionId, APPROVE, { token: await person('ana') })).status,
  ).toBe(200);
});

it('[ROUTE-3] a rule of the workspace gives an audience, over HTTP and over a socket', async () => {
  const labels = { env: 'production' };
  const session = await createSession({ labels });
  await settings([{ labels, tools: ['Bash'], audience: { subjects: ['ana'] } }]);
  expect((await open(session, approval())).audience).toEqual({ subjects: ['ana'] });
  const socket = await connect(session);
  socket.send({ type: 'open', id: 'f1', ...approval() });
  expect(await socket.next('result')).toMatchObject({
    ok: true,
    value: { interaction: { audience: { subjects: ['ana'] } } },
  });
  socket.close();
  await until(async () => {
    const { interactions } = await must('GET', '/v1/inbox?limit=1000');
    const listed = interactions?.find(({ sessionId }) => sessionId === session.id);
    return listed?.audience?.subjects?.[0] === 'ana';
  });
  await settings();
  expect((await open(session, approval())).audience).toBeUndefined();
});
