/**
 * [VOTE-2, VOTE-3, VOTE-6, VOTE-7] Two people approve over HTTP: with tokens of every sort, by a link, in a batch, at once. A
 * bug here looks like a call that runs with one approval, or like one person who is counted as two.
 */
import { describe, expect, it } from 'vitest';
import type { Scope } from '../../src/protocol/schema/actor.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { type Reachable, ask, send } from '../support/http/call.ts';
import { keyWith } from '../support/http/credentials.ts';
import { startRoutes } from '../support/http/local-app.ts';
import { countFor } from '../support/run-length.ts';

const server: Reachable = await startRoutes();
const agent = await keyWith('agent');
const SCOPES: readonly Scope[] = ['read', 'answer', 'send'];

/** As an administrator makes it; with a `token`, as the holder of that makes another. */
async function tokenOf(subject: string, token?: string): Promise<string> {
  const json = { subject, scopes: [...SCOPES] };
  const by = token === undefined ? {} : { token };
  const made = await ask(server, { method: 'POST', path: '/v1/tokens', json, ...by });
  return made['token'] as string;
}

const ann = await tokenOf('ann');
const [annsPhone, bob, annAgain] = await Promise.all([
  tokenOf('ann', ann),
  tokenOf('bob'),
  tokenOf('ann'),
]);
let sessions = 0;

async function asked(
  more: JsonObject = {},
): Promise<{ readonly id: string; readonly path: string }> {
  sessions += 1;
  const id = `quorum-${sessions}`;
  await ask(server, { method: 'POST', path: '/v1/sessions', json: { id } });
  const path = `/v1/sessions/${id}/interactions`;
  const request = {
    kind: 'approval',
    toolName: 'Deploy',
    toolCallId: 'call_1',
    input: { to: 'eu' },
  };
  const json = { ...request, quorum: { approvals: 2 }, ...more };
  await ask(server, { method: 'POST', path, token: agent, json });
  return { id, path };
}

const approve = (path: string, token: string, json: JsonObject = { decision: 'approve' }) =>
  send(server, { method: 'POST', path: `${path}/call_1~1/answer`, token, json });

async function read(path: string): Promise<JsonObject> {
  const reply = await ask(server, { method: 'GET', path: `${path}/call_1~1` });
  return reply['interaction'] as JsonObject;
}

describe('two of several people', () => {
  it('[VOTE-2, VOTE-3] one with many tokens counts once, and a second one settles', async () => {
    const { path } = await asked();
    for (const token of [ann, annsPhone, annAgain, ann]) {
      expect((await approve(path, token)).status).toBe(200);
    }
    expect(await read(path)).toMatchObject({ status: 'open', votes: [{ by: { subject: 'ann' } }] });
    await approve(path, bob);
    expect(await read(path)).toMatchObject({
      outcome: 'approved',
      settledBy: { subject: 'bob' },
      votes: [{ by: { subject: 'ann' } }, { by: { subject: 'bob' } }],
    });
  });

  it('[VOTE-2] a key, a token that a key named, and the administrator’s key do not count, and may deny', async () => {
    const { path } = await asked();
    const backend = await keyWith('answer', 'read', 'send');
    const forged = [await tokenOf('ann', backend), await tokenOf('bob', backend)];
    for (const token of [...forged, backend]) {
      const refused = await approve(path, token);
      expect(refused.status).toBe(403);
      expect(refused.text).toContain('prove who you are');
    }
    const asAdmin = {
      method: 'POST',
      path: `${path}/call_1~1/answer`,
      json: { decision: 'approve' },
    };
    expect((await send(server, asAdmin)).status).toBe(403);
    expect(await read(path)).not.toHaveProperty('votes');
    expect((await approve(path, forged[0] ?? '', { decision: 'deny' })).status).toBe(200);
  });

  it('[VOTE-2, LINK-1] a link counts as its person where an administrator made it, and else not', async () => {
    const { path } = await asked();
    const link = async (subject: string, token?: string) => {
      const made = await ask(server, {
        method: 'POST',
        path: `${path}/call_1~1/links`,
        json: { subject, answers: ['approve'] },
        ...(token !== undefined && { token }),
      });
      return new URL(made['url'] as string).pathname;
    };
    const own = await send(server, {
      method: 'POST',
      path: await link('zoe', ann),
      token: null,
      json: { answer: { decision: 'approve' } },
    });
    expect(own.status).toBe(403);
    await approve(path, ann);
    for (const [subject, outcome] of [
      ['ann', null],
      ['bob', 'approved'],
    ] as const) {
      const json = { answer: { decision: 'approve' } };
      const reply = await send(server, {
        method: 'POST',
        path: await link(subject),
        token: null,
        json,
      });
      expect(reply.status).toBe(200);
      expect((await read(path))['outcome']).toBe(outcome);
    }
  });

  it('[VOTE-8] the page of a link says how far it is, and that the approval counts', async () => {
    const { path } = await asked();
    const json = { subject: 'bob', answers: ['approve'] };
    const made = await ask(server, { method: 'POST', path: `${path}/call_1~1/links`, json });
    const link = { path: new URL(made['url'] as string).pathname, token: null };
    const headers = { Accept: 'text/html' };
    const before = await send(server, { ...link, method: 'GET', headers });
    expect(before.text).toContain('0 of 2 approvals. One denial ends it.');
    const answer = { answer: { decision: 'approve' } };
    await send(server, { ...link, method: 'POST', json: answer });
    const after = await send(server, { ...link, method: 'GET', headers });
    expect(after.text).toContain('1 of 2 approvals: bob. Your approval counts');
  });

  it('[VOTE-3] in a batch and by the short form too', async () => {
    const { path, id } = await asked();
    const { inputDigest } = await read(path);
    const decisions = [{ toolCallId: 'call_1', inputDigest, answer: { decision: 'approve' } }];
    await ask(server, {
      method: 'POST',
      path: `${path}/decide`,
      token: ann,
      json: { decisions } as JsonObject,
    });
    expect(await read(path)).toMatchObject({ status: 'open', votes: [{}] });
    const short = { method: 'POST', path: `/v1/sessions/${id}/approve`, token: bob };
    await ask(server, { ...short, json: { toolCallId: 'call_1' } });
    expect(await read(path)).toMatchObject({ outcome: 'approved' });
  });

  it('[VOTE-6] a voter withdraws, with the client; without a vote there is nothing to withdraw', async () => {
    const { path, id } = await asked();
    const transport = new HttpTransport({ ...server, token: ann });
    expect(await transport.answer(id, 'call_1~1', { decision: 'approve' })).toMatchObject({
      interaction: { status: 'open', votes: [{}] },
    });
    expect(await transport.withdraw(id, 'call_1~1')).toMatchObject({ votes: [] });
    await expect(transport.withdraw(id, 'call_1~1')).rejects.toMatchObject({ code: 'no_vote' });
    expect(await read(path)).toMatchObject({ status: 'open', votes: [] });
  });

  it('[VOTE-3] of everybody at once, k settle it once, and each counts once', async () => {
    const names = ['ann', 'bob', 'cem', 'dee'];
    const tokens = await Promise.all(names.flatMap((name) => [tokenOf(name), tokenOf(name)]));
    for (let round = 0; round < countFor({ quick: 10, long: 100 }); round += 1) {
      const approvals = 1 + (round % names.length);
      const { id, path } = await asked({ quorum: { approvals } });
      const replies = await Promise.all(tokens.map((token) => approve(path, token)));
      expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true);
      const record = await read(path);
      expect(record['outcome']).toBe('approved');
      const votes = record['votes'] as { readonly by: { readonly subject: string } }[];
      expect(new Set(votes.map(({ by }) => by.subject)).size).toBe(approvals);
      expect(votes).toHaveLength(approvals);
      const log = await ask(server, { method: 'GET', path: `/v1/sessions/${id}/events` });
      const events = log['events'] as { readonly type: string }[];
      expect(events.filter(({ type }) => type === 'interaction_response')).toHaveLength(1);
    }
  });

  it('[VOTE-7] who asked decides nothing, not even as an administrator', async () => {
    sessions += 1;
    const path = `/v1/sessions/quorum-${sessions}/interactions`;
    await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: `quorum-${sessions}` } });
    const request = {
      kind: 'approval',
      toolName: 'Deploy',
      toolCallId: 'call_1',
      input: { to: 'eu' },
    };
    const json = { ...request, notRequester: true };
    await ask(server, { method: 'POST', path, json });
    for (const decision of ['approve', 'deny']) {
      const own = { method: 'POST', path: `${path}/call_1~1/answer`, json: { decision } };
      expect((await send(server, own)).status).toBe(403);
    }
    expect((await approve(path, bob)).status).toBe(200);
  });

  it('[VOTE-1] nonsense is refused', async () => {
    const path = `/v1/sessions/quorum-1/interactions`;
    for (const quorum of [
      0,
      2,
      {},
      { approvals: 0 },
      { approvals: 11 },
      { approvals: 1.5 },
      { approvals: 2, of: {} },
      { approvals: 2, min: 1 },
    ]) {
      const request = { kind: 'approval', toolName: 'Deploy', input: {} };
      const reply = await send(server, {
        method: 'POST',
        path,
        token: agent,
        json: { ...request, quorum },
      });
      expect(reply.status).toBe(400);
    }
  });
});
