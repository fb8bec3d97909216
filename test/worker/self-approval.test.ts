/**
 * The opener does not answer, unless a setting of the workspace allows it.
 *
 * A bug would look like an agent that approves over the socket a call that it may not approve over HTTP, or a
 * setting without an effect.
 */
import { afterAll, expect, it } from 'vitest';
import { must } from './support/api.ts';
import { createKey } from './support/credentials.ts';
import { answer, createSession, open, type TestSession } from './support/session.ts';
import { connect } from './support/socket.ts';

const set = (settings: object) =>
  must('PUT', '/v1/settings', { body: { timeouts: {}, ...settings } });
afterAll(() => set({}));

/** Asks and answers with one key, over HTTP and over a socket of its own. */
async function tries(session: TestSession) {
  const { token } = await createKey(['agent', 'answer', 'read'], 'both');
  const first = await open(session, undefined, { token });
  const byHttp = await answer(session, first.interactionId, undefined, { token });
  const second = await open(session, undefined, { token });
  const socket = await connect(session, { token });
  const { interactionId } = second;
  socket.send({ type: 'answer', id: 'f1', interactionId, answer: { decision: 'approve' } });
  const bySocket = await socket.next('result');
  socket.close();
  return { byHttp, bySocket };
}

it('[AUTH-8] is the default, over HTTP and over the socket', async () => {
  const { byHttp, bySocket } = await tries(await createSession());
  const details = { setting: 'forbidSelfApproval' };
  expect([byHttp.status, byHttp.body.error?.details]).toEqual([403, details]);
  expect(byHttp.body.error?.message).toContain('forbidSelfApproval');
  expect(bySocket).toMatchObject({ ok: false, error: { code: 'forbidden', details } });
});

it('[AUTH-8] is lifted by a setting of the workspace, and restored', async () => {
  const session = await createSession();
  await set({ forbidSelfApproval: false });
  const lifted = await tries(session);
  expect([lifted.byHttp.status, lifted.bySocket.ok]).toEqual([200, true]);
  await set({ forbidSelfApproval: true });
  const again = await tries(session);
  expect([again.byHttp.status, again.bySocket.ok]).toEqual([403, false]);
  const { entries = [] } = await must('GET', '/v1/audit?limit=1000');
  const changes = entries.filter(({ what }) => what === 'settings').slice(0, 2);
  expect(changes.map((entry) => entry.forbidSelfApproval)).toEqual([true, false]);
});
