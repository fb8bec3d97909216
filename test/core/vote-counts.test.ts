/** Whose approval counts, and which requests need several. A bug here looks like one person who counts twice. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Caller, provesPerson } from '../../src/protocol/caller.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import type { AudienceRule } from '../../src/protocol/schema/audience-rule.ts';
import { answer, askApproval, askQuestion } from '../support/asks.ts';
import { admin, agent, person } from '../support/callers.ts';
import { CoreWorld, startedWorld } from '../support/core-world.ts';
import { Invariants } from '../support/invariants.ts';
import { accepted, outcomeOf, refused } from '../support/outcome.ts';
import {
  TWO,
  YES,
  NO,
  WITHDRAW,
  SETTLED,
  VOTED,
  asked,
  votesOf,
  give,
  type Step,
} from './voting.ts';

const token = (subject: string, more: Partial<Caller> = {}): Caller => ({
  ...person(subject),
  credential: `tok_${subject}`,
  key: 'admin',
  root: `tok_${subject}`,
  ...more,
});

describe('who counts', () => {
  it.each<[string, Caller, boolean]>([
    ['a token that an administrator made', token('ann'), true],
    ['a token made from that one', token('ann', { credential: 'tok_phone', key: 'tok_ann' }), true],
    ['a terminal of that person', token('ann', { via: 'cli' }), true],
    ['a token that a key made', token('ann', { key: 'key_1', root: 'key_1' }), false],
    [
      'a token of such a token',
      token('ann', { credential: 'tok_2', key: 'key_1', root: 'key_1' }),
      false,
    ],
    ['a key', token('key', { via: 'api', credential: 'key_1', key: 'key_1' }), false],
    ['the administrator’s key', token('admin', { via: 'api', scopes: ['admin'] }), false],
    ['a link that a token made', token('ann', { via: 'link' }), false],
    [
      'a link that a person made in the own name',
      token('ann', { via: 'link', isOwnLink: true }),
      true,
    ],
    [
      'such a link of a token that a key made',
      token('ann', { via: 'link', isOwnLink: true, key: 'key_1', root: 'key_1' }),
      false,
    ],
    [
      'a link of an administrator',
      token('ann', { via: 'link', scopes: ['answer', 'admin'] }),
      true,
    ],
    ['a link of a target', token('ann', { via: 'link', credential: 'tgt_1' }), true],
    ['a user of a chat with a name here', token('ann', { via: 'chat', credential: 'tgt_1' }), true],
    [
      'a user of a chat without one',
      token('slack:T1/U1', { via: 'chat', credential: 'tgt_1' }),
      false,
    ],
    ['a target that stands for a person', token('ann', { via: 'api', credential: 'tgt_1' }), true],
    ['a target that stands for itself', token('tgt_1', { via: 'api', credential: 'tgt_1' }), false],
    [
      'a role of a process',
      token('ann', { via: 'api', credential: 'in-process answer  ann' }),
      true,
    ],
    ['a hook', token('ann', { via: 'hook' }), false],
    ['an agent over MCP', token('ann', { via: 'mcp' }), false],
  ])('[VOTE-2] %s', (_, caller, counts) => {
    expect(provesPerson(caller)).toBe(counts);
    const world = asked();
    const given = give(world, '', YES, { ...caller, scopes: [...caller.scopes, 'answer'] });
    if (counts) expect(outcomeOf(given)).toEqual(VOTED);
    else expect(refused(given)).toMatchObject({ code: 'forbidden', details: { quorum: 'person' } });
    expect(world.record('call-1~1').status).toBe('open');
    expect(outcomeOf(give(asked(), '', NO, caller))).toEqual(SETTLED);
  });

  it.each(['ANN', 'ａnn', 'Ann'])('[VOTE-2] %s is no second voter beside ann', (spelling) => {
    const world = asked();
    give(world, 'ann');
    give(world, spelling);
    expect(world.record('call-1~1')).toMatchObject({ status: 'open' });
    expect(votesOf(world)).toEqual(['ann']);
    accepted(world.run(WITHDRAW, { caller: person(spelling) }));
    expect(votesOf(world)).toEqual([]);
  });

  it('[VOTE-2] one person with several tokens, a link, a chat and a terminal counts once', () => {
    const world = asked();
    const ways: readonly Partial<Caller>[] = [
      {},
      { credential: 'tok_other', root: 'tok_other' },
      { via: 'cli', credential: 'tok_cli', root: 'tok_cli' },
      { via: 'link', credential: 'tgt_mail' },
      { via: 'chat', credential: 'tgt_slack' },
    ];
    for (const way of ways) give(world, '', YES, token('ann', way));
    expect(votesOf(world)).toEqual(['ann']);
    expect(outcomeOf(give(world, '', YES, token('bob')))).toEqual(SETTLED);
  });

  it('[VOTE-1, VOTE-2] only those whom `of` names, administrators included; others who are asked may deny', () => {
    const quorum = { approvals: 2, of: { subjects: ['ann'], groups: ['ops'] } };
    const common = { quorum, audience: { subjects: ['zoe'] } };
    const world = asked(common);
    expect(world.record('call-1~1').audience).toEqual({
      subjects: ['zoe', 'ann'],
      groups: ['ops'],
    });
    expect(refused(give(world, 'zoe')).details).toEqual({ quorum: 'of' });
    expect(refused(give(world, 'olga', YES, admin())).details).toEqual({ quorum: 'of' });
    expect(refused(give(world, 'eve')).code).toBe('forbidden');
    accepted(give(world, 'ann'));
    const ops = { caller: person('bob'), membership: { groups: ['ops'], targets: [] } };
    expect(outcomeOf(world.run(answer('call-1~1', YES), ops))).toEqual(SETTLED);
    expect(outcomeOf(give(asked(common), 'zoe', NO))).toEqual(SETTLED);
  });

  it('[VOTE-6] a credential that proves nobody withdraws nobody’s vote', () => {
    const world = asked();
    give(world, '', YES, token('ann'));
    const forged = token('ann', { key: 'key_1', root: 'key_1' });
    expect(refused(world.run(WITHDRAW, { caller: forged })).code).toBe('no_vote');
    expect(refused(world.run(WITHDRAW, { caller: token('bob') })).code).toBe('no_vote');
    expect(votesOf(world)).toEqual(['ann']);
  });
});

describe('what demands it', () => {
  it('[VOTE-1] a rule of the workspace, of which a request may ask for more', () => {
    const rules: AudienceRule[] = [
      { tools: ['Bash'], quorum: { approvals: 2 }, notRequester: true },
    ];
    const demanded = (common: JsonObject) => asked(common, {}, rules).record('call-1~1');
    expect(demanded({})).toMatchObject({ quorum: { approvals: 2 }, notRequester: true });
    expect(demanded({ quorum: { approvals: 1 } })).toMatchObject({ quorum: { approvals: 2 } });
    expect(demanded({ quorum: { approvals: 3 } })).toMatchObject({ quorum: { approvals: 3 } });
    const world = startedWorld({ audienceRules: [{ quorum: { approvals: 2 } }] });
    accepted(world.run(askQuestion()));
    expect(world.record('call-1~1')).not.toHaveProperty('quorum');
  });

  it('[VOTE-1] a question is answered by one person', () => {
    expect(refused(startedWorld().run(askQuestion(TWO)))).toMatchObject({
      code: 'invalid_request',
    });
  });

  it('[VOTE-1, GATE-1] no rule of one person and no mode allows it, and a mode still denies it', () => {
    const world = startedWorld();
    accepted(world.run(askApproval({ toolCallId: 'call-0' }, { offers: ['once', 'session'] })));
    accepted(world.run(answer('call-0~1', { ...YES, offer: 'session', everyCommand: true })));
    expect(accepted(world.run(askApproval({ toolCallId: 'call-9' }))).reply.type).toBe('gate');
    for (const [call, common] of [
      ['call-1', TWO],
      ['call-2', { notRequester: true as const }],
    ] as const) {
      const opened = accepted(world.run(askApproval({ toolCallId: call, ...common })));
      expect(opened.reply.type).toBe('interaction');
    }
  });

  it('[VOTE-1, ADP-2] an answer that one person gave is not enough where a rule has come to demand two', () => {
    const world = startedWorld({ audienceRules: [] });
    accepted(world.run(askApproval({ agentInstance: 'instance-a' })));
    accepted(give(world, 'ann'));
    const rules: AudienceRule[] = [{ quorum: { approvals: 2 } }];
    const later = new CoreWorld({ audienceRules: rules });
    Object.assign(later, { state: world.state, records: world.records });
    const next = askApproval({ toolCallId: 'call-2', agentInstance: 'instance-b' });
    expect(accepted(later.run(next)).reply).toMatchObject({
      interactionId: 'call-2~1',
      created: true,
    });
  });
});

describe('not who asked', () => {
  const common = { notRequester: true as const };

  it.each<[string, Caller]>([
    ['the credential', { ...agent(), scopes: ['agent', 'answer'] }],
    ['a token of its root', { ...person('ann'), root: 'cred-agent' }],
    ['the same subject', { ...person('agent'), credential: 'cred-other' }],
    ['an administrator of that subject', { ...admin('agent'), credential: 'cred-admin' }],
    ['an administrator’s key that asked', { ...admin(), credential: 'cred-agent' }],
  ])('[VOTE-7] %s decides nothing, in either direction', (_, caller) => {
    for (const given of [YES, NO]) {
      const world = asked(common);
      expect(refused(give(world, '', given, caller))).toMatchObject({
        code: 'forbidden',
        details: { notRequester: true },
      });
    }
  });

  it('[VOTE-7] also where self-approval is allowed; another person decides, and who asked may cancel', () => {
    const world = startedWorld({ forbidSelfApproval: false });
    accepted(world.run(askApproval(common)));
    const self = { ...agent(), scopes: ['agent', 'answer'] as const };
    expect(refused(give(world, '', YES, self)).code).toBe('forbidden');
    expect(outcomeOf(give(world, 'ann'))).toEqual(SETTLED);
    const cancelled = asked(common);
    const cancel = { type: 'interaction.cancel', interactionId: 'call-1~1' } as const;
    expect(outcomeOf(cancelled.run(cancel, { caller: agent() }))).toEqual(SETTLED);
  });
});

it('[VOTE-2, VOTE-3, VOTE-4, VOTE-5, VOTE-6] holds whatever k of n people do, in any order', () => {
  const NAMES = ['ann', 'bob', 'cem', 'dee', 'eve'];
  const step = fc.record({
    who: fc.nat(NAMES.length - 1),
    what: fc.constantFrom<Step>('yes', 'yes', 'yes', 'yes', 'other', 'withdraw', 'no'),
    way: fc.constantFrom<Partial<Caller>>({}, { via: 'cli' }, { credential: 'tok_phone' }),
  });
  let approvals = 0;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 25 }), (k, steps) => {
      const world = new CoreWorld();
      const invariants = new Invariants(world);
      invariants.check(world.run({ type: 'session.create' }));
      const opening = askApproval({ quorum: { approvals: k } }, { allowEdit: true });
      invariants.check(world.run(opening));
      // The model: what each person approves now, and since when all approve the same.
      let model = new Map<string, Step>();
      let end: string | null = null;
      for (const { who, what, way } of steps) {
        const name = NAMES[who] ?? '';
        const caller = token(name, way);
        const other = { ...YES, updatedInput: { command: 'ls' } };
        const given = what === 'no' ? NO : what === 'yes' ? YES : other;
        const decided =
          what === 'withdraw' ? world.run(WITHDRAW, { caller }) : give(world, name, given, caller);
        invariants.check(decided);
        if (end !== null) continue;
        if (what === 'withdraw') model.delete(name);
        else if (what === 'no') end = 'denied';
        else {
          if ([...model.values()].some((one) => one !== what)) model = new Map();
          model.set(name, what);
          if (model.size >= k) end = 'approved';
        }
      }
      if (end === 'approved') approvals += 1;
      const record = world.record('call-1~1');
      expect(record.outcome).toBe(end);
      expect(new Set(votesOf(world))).toEqual(new Set(model.keys()));
      expect(world.log.filter(({ type }) => type === 'interaction_response')).toHaveLength(
        end === null ? 0 : 1,
      );
    }),
    { numRuns: 300 },
  );
  expect(approvals).toBeGreaterThan(30);
});
