/**
 * What a session asks its workspace about audiences, and what it does without an answer.
 *
 * A bug here puts the workspace on the path of every answer, or opens a request for everyone because a rule could not be
 * read.
 */
import { expect, it } from 'vitest';
import { withAudiences } from '../../src/session/audiences.ts';
import type { AudiencePolicy } from '../../src/protocol/schema/audience-rule.ts';
import { AgentWorld } from '../support/agent-world.ts';
import { answer, askApproval } from '../support/asks.ts';
import { admin, person } from '../support/callers.ts';
import { calls } from '../support/scripted-model.ts';
import { memoryStorage, SqliteStorage } from '../support/session-storage.ts';
import { SessionWorld } from '../support/session-world.ts';

const RULES: AudiencePolicy = {
  rules: [{ audience: { groups: ['ops'] } }],
  groups: [{ name: 'ops', subjects: ['ada'] }],
  gateRules: [],
  prices: [],
  targetNames: { tgt_1: 'pager' },
};
const APPROVE = answer('call-1~1', { decision: 'approve' });

function world(read: () => AudiencePolicy | Promise<AudiencePolicy>) {
  let reads = 0;
  const readAudiences = () => {
    reads += 1;
    return read();
  };
  const session = new SessionWorld(memoryStorage(), { readAudiences });
  session.must({ type: 'session.create' });
  return { session, reads: () => reads };
}

it('[ROUTE-2] asks nothing for an answer to a request that names no group and no target', () => {
  const { session, reads } = world(() => RULES);
  session.must(askApproval({ audience: { subjects: ['ada'] } }));
  const context = { caller: person(), timeouts: {} };
  expect(withAudiences(session.session, [APPROVE], context)).toBe(context);
  expect(reads()).toBe(0);
});

it('[ROUTE-2] reads the groups of the caller, and the name of a target, for one that does', () => {
  const { session } = world(() => RULES);
  session.must(askApproval({ audience: { groups: ['ops'] } }));
  const membershipOf = (caller: ReturnType<typeof person>) =>
    withAudiences(session.session, [APPROVE], { caller, timeouts: {} });
  expect(membershipOf(person('ada'))).toMatchObject({
    membership: { groups: ['ops'], targets: [] },
  });
  expect(membershipOf(person('Ada'))).toMatchObject({ membership: { groups: ['ops'] } });
  expect(membershipOf(person('Adam'))).toMatchObject({ membership: { groups: [] } });
  const target = { ...person('tgt_1'), credential: 'tgt_1' };
  expect(membershipOf(target)).toMatchObject({ membership: { groups: [], targets: ['pager'] } });
  const trick = { ...person('x'), credential: 'constructor' };
  expect(membershipOf(trick)).toMatchObject({ membership: { targets: [] } });
  const root = { caller: admin(), timeouts: {} };
  expect(withAudiences(session.session, [APPROVE], root)).toBe(root);
});

it('[ROUTE-2, ROUTE-3] refuses for now what needs a workspace that cannot be read', async () => {
  const { session } = world(() => Promise.reject(new Error('out of reach')));
  const context = { caller: person(), timeouts: {} };
  const opened = await withAudiences(session.session, [askApproval()], context);
  expect(opened).toMatchObject({ ok: false, code: 'unavailable' });
  session.must(askApproval({ audience: { groups: ['ops'] } }));
  const given = await withAudiences(session.session, [APPROVE], context);
  expect(given).toMatchObject({ ok: false, code: 'unavailable' });
  expect(session.record('call-1~1').status).toBe('open');
});

it('[ROUTE-3] gives requests of the built-in agent an audience, and waits while rules cannot be read', async () => {
  let failures = 2;
  const readAudiences = () => {
    failures -= 1;
    return failures < 0 ? Promise.resolve(RULES) : Promise.reject(new Error('out of reach'));
  };
  const agent = new AgentWorld(new SqliteStorage(), { readAudiences });
  const write = { id: 'toolu_1', name: 'Write', input: { path: 'a.md', content: 'Hello' } };
  agent.model.will(calls(write));
  await agent.sendMessage('Hello');
  expect(agent.warned).toHaveLength(2);
  expect(agent.ofType('interaction_request')[0]?.payload.audience).toEqual({ groups: ['ops'] });
});
