/**
 * [VOTE-9] Votes whose voter is gone before the last approval. A bug here looks like a call that runs with the approval of
 * a person who was removed an hour ago.
 */
import { expect, it } from 'vitest';
import { call, freshName, must } from './support/api.ts';
import { minted } from './support/credentials.ts';
import { answer, approval, createSession, open } from './support/session.ts';

const ALL = ['read', 'answer', 'send'];
const tokenOf = (subject: string) => minted(undefined, ALL, { subject });

async function asked(more: object = {}) {
  const session = await createSession();
  const { interactionId } = await open(session, approval({ quorum: { approvals: 2, ...more } }));
  const approve = async (token: string) => {
    const { body } = await answer(session, interactionId, undefined, { token });
    const { status, votes = [] } = body.interaction ?? {};
    return [status, votes.map(({ by }) => by.subject)];
  };
  return approve;
}

it('[VOTE-9] a vote whose token was revoked does not count at the next approval', async () => {
  const approve = await asked();
  const [va, vb, vc] = [await tokenOf('va'), await tokenOf('vb'), await tokenOf('vc')];
  expect(await approve(va.token)).toEqual(['open', ['va']]);
  await must('DELETE', `/v1/tokens/${va.id}`);
  expect(await approve(vb.token)).toEqual(['open', ['vb']]);
  expect(await approve(vc.token)).toEqual(['settled', ['vb', 'vc']]);
});

it('[VOTE-9] nor one whose token descends from what was revoked; its person votes again', async () => {
  const approve = await asked();
  const [va, vb] = [await tokenOf('va'), await tokenOf('vb')];
  const phone = await minted(va.token, ALL);
  expect(await approve(phone.token)).toEqual(['open', ['va']]);
  await must('DELETE', `/v1/tokens/${va.id}`);
  expect(await approve(vb.token)).toEqual(['open', ['vb']]);
  expect(await approve((await tokenOf('va')).token)).toEqual(['settled', ['vb', 'va']]);
});

it('[VOTE-9] nor one of a person who was removed', async () => {
  const approve = await asked();
  const email = `${freshName('ana')}@example.com`;
  await must('POST', '/v1/people', { body: { email, role: 'answerer' } });
  const [ana, vb] = [await tokenOf(email), await tokenOf('vb')];
  expect(await approve(ana.token)).toEqual(['open', [email]]);
  await must('DELETE', `/v1/people/${email}`);
  expect(await approve(vb.token)).toEqual(['open', ['vb']]);
});

it('[VOTE-9] nor one of a person who left the group that the quorum asks', async () => {
  const group = (...subjects: string[]) => must('PUT', '/v1/groups/voters', { body: { subjects } });
  await group('va', 'vb', 'vc');
  const approve = await asked({ of: { groups: ['voters'] } });
  const [va, vb, vc] = [await tokenOf('va'), await tokenOf('vb'), await tokenOf('vc')];
  expect(await approve(va.token)).toEqual(['open', ['va']]);
  await group('vb', 'vc');
  expect(await approve(vb.token)).toEqual(['open', ['vb']]);
  expect(await approve(vc.token)).toEqual(['settled', ['vb', 'vc']]);
});

it('[VOTE-9] votes of people who are still there all count, also in a batch', async () => {
  const session = await createSession();
  const body = approval({ quorum: { approvals: 2 } });
  const { toolCallId } = await open(session, body);
  const decisions = [{ toolCallId, answer: { decision: 'approve' } }];
  const path = `${session.path}/interactions/decide`;
  for (const subject of ['va', 'vb']) {
    const { token } = await tokenOf(subject);
    const { body: given } = await call('POST', path, { token, body: { decisions } });
    expect(given.results).toMatchObject([{ ok: true }]);
  }
  const { interactions = [] } = await must('GET', `${session.path}/interactions?status=settled`);
  expect(interactions.map(({ outcome }) => outcome)).toEqual(['approved']);
});
