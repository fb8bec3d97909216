/**
 * Whom a request is for.
 *
 * A bug here lets a person approve what was meant for another, hides a request from those who are asked, or lets an
 * agent choose its own judge against a rule of the workspace.
 */
import { describe, expect, it } from 'vitest';
import type { Membership } from '../../src/core/audience.ts';
import type { Caller } from '../../src/protocol/caller.ts';
import { openCommand, type Command } from '../../src/protocol/schema/command.ts';
import type { AudienceRule } from '../../src/protocol/schema/audience-rule.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import {
  answer,
  answerCall,
  askApproval,
  askForm,
  askPlan,
  askQuestion,
  sendMessage,
} from '../support/asks.ts';
import { admin, agent, person, reader } from '../support/callers.ts';
import { CoreWorld, MINUTE, startedWorld } from '../support/core-world.ts';
import { accepted, refused } from '../support/outcome.ts';

const ANA = person('ana');
const BEN = person('ben');
const FOR_ANA = { audience: { subjects: ['ana'] } };
const FOR_OPS = { audience: { groups: ['ops'] } };
const OPS: Membership = { groups: ['ops'], targets: [] };
const APPROVE = answer('call-1~1', { decision: 'approve' });

function asked(common: Parameters<typeof askApproval>[0], rules: readonly AudienceRule[] = []) {
  const world = startedWorld({ audienceRules: rules });
  accepted(world.run(askApproval({ timeoutSeconds: 3600, ...common })));
  return world;
}

function mayAnswer(world: CoreWorld, caller: Caller, membership?: Membership): boolean {
  const how = membership === undefined ? { caller } : { caller, membership };
  const decided = world.run(APPROVE, how);
  if (!decided.ok) expect(decided.code).toBe('forbidden');
  return decided.ok;
}

describe('[ROUTE-1] the audience of a request', () => {
  it('is in the record, in the event, and in every later event about it', () => {
    const world = asked(FOR_ANA);
    expect(world.record('call-1~1')).toMatchObject(FOR_ANA);
    accepted(world.run({ type: 'interaction.extend', interactionId: 'call-1~1' }, { caller: ANA }));
    accepted(world.run(APPROVE, { caller: ANA }));
    const about = world.log.filter(({ type }) =>
      /^interaction_(request|update|response)$/.test(type),
    );
    expect(about.map(({ payload }) => payload)).toMatchObject([FOR_ANA, FOR_ANA, FOR_ANA]);
  });

  it.each([
    ['nothing', {}],
    ['empty lists', { subjects: [], groups: [], targets: [] }],
    [
      'too many',
      { subjects: Array.from({ length: LIMITS.audienceEntries + 1 }, (_, n) => `p${n}`) },
    ],
    ['an invisible character', { subjects: ['ana\u200b'] }],
    ['look-alike letters', { subjects: ['аna'] }],
    ['a name of the service', { subjects: ['admin'] }],
    ['a group in capitals', { groups: ['Ops'] }],
    ['a target that is no name and no id', { targets: ['tgt_a b'] }],
    ['another field', { roles: ['ops'] }],
    ['a list', ['ana']],
    ['null', null],
  ])('is refused with %s', (_what, audience) => {
    const body = { kind: 'approval', toolName: 'Bash', input: {}, audience } as never;
    expect(openCommand(body)).toMatchObject({ ok: false, code: 'invalid_request' });
  });

  it('stays, whatever a repeated opening names', () => {
    const world = asked(FOR_ANA);
    const wider = { audience: { subjects: ['ana', 'ben'] } };
    const { reply, events } = accepted(world.run(askApproval({ timeoutSeconds: 3600, ...wider })));
    expect({ reply, events }).toMatchObject({ reply: { created: false }, events: [] });
    expect(mayAnswer(world, BEN)).toBe(false);
  });

  it('is kept by a reprompt, unless the reprompt names another', () => {
    const world = asked(FOR_ANA);
    const again = (n: number, common = {}) => askApproval(common, { input: { n } });
    accepted(world.run(again(1)));
    expect(world.record('call-1~2')).toMatchObject(FOR_ANA);
    accepted(world.run(again(2, FOR_OPS)));
    expect(world.record('call-1~3').audience).toEqual(FOR_OPS.audience);
  });
});

describe('[ROUTE-2] who may answer', () => {
  it.each<[string, object, Caller, Membership | undefined, boolean]>([
    ['a named subject', { subjects: ['ana'] }, ANA, undefined, true],
    ['another subject', { subjects: ['ana'] }, BEN, undefined, false],
    ['the same subject in other case', { subjects: ['ana'] }, person('Ana'), undefined, true],
    ['a member of the group', { groups: ['ops'] }, ANA, OPS, true],
    ['a person in no group', { groups: ['ops'] }, ANA, undefined, false],
    [
      'a person in another group',
      { groups: ['ops'] },
      ANA,
      { groups: ['dev'], targets: [] },
      false,
    ],
    ['a person who is called like the group', { groups: ['ops'] }, person('ops'), undefined, false],
    ['a group that is called like a person', { subjects: ['ops'] }, ANA, OPS, false],
    [
      'a target by its id',
      { targets: ['tgt_1'] },
      { ...BEN, credential: 'tgt_1' },
      undefined,
      true,
    ],
    ['another target', { targets: ['tgt_1'] }, { ...BEN, credential: 'tgt_2' }, undefined, false],
    ['a target by its name', { targets: ['pager'] }, BEN, { groups: [], targets: ['pager'] }, true],
    [
      'a target for a named subject',
      { subjects: ['ana'] },
      { ...ANA, credential: 'tgt_1' },
      undefined,
      true,
    ],
    ['one of several', { subjects: ['cleo'], groups: ['ops'] }, ANA, OPS, true],
    ['an administrator', { subjects: ['ana'] }, admin(), undefined, true],
  ])('%s', (_who, audience, caller, membership, may) => {
    expect(mayAnswer(asked({ audience }), caller, membership)).toBe(may);
  });

  it('is said in the refusal', () => {
    const audience = { subjects: ['ana'], groups: ['ops'], targets: ['pager'] };
    const { message, details } = refused(asked({ audience }).run(APPROVE, { caller: BEN }));
    expect(message).toContain('ana, group ops and target pager');
    expect(details).toEqual({ audience });
  });

  it('counts at the time of the answer', () => {
    const world = asked(FOR_OPS);
    expect(mayAnswer(world, ANA)).toBe(false);
    expect(mayAnswer(world, ANA, OPS)).toBe(true);
  });

  const asks = {
    approval: askApproval({ timeoutSeconds: 600 }, { offers: ['once', 'session'] }),
    question: askQuestion({ timeoutSeconds: 600 }),
    plan: askPlan({ timeoutSeconds: 600 }),
    form: askForm({ timeoutSeconds: 600 }),
  };
  const target = { interactionId: 'call-1~1' };
  const ways: [string, keyof typeof asks, Command][] = [
    ['deny', 'approval', answer('call-1~1', { decision: 'deny' })],
    ['approve by tool call', 'approval', answerCall('call-1', { decision: 'approve' })],
    [
      'approve for the session',
      'approval',
      answer('call-1~1', { decision: 'approve', offer: 'session', everyCommand: true }),
    ],
    ['yes in the chat', 'approval', sendMessage('yes', 'call-1~1')],
    ['answers', 'question', answer('call-1~1', { answers: { '0': 'Red' } })],
    ['a step', 'question', answer('call-1~1', { question: 0, option: 0 })],
    ['a decline', 'question', answer('call-1~1', { decline: true })],
    ['text for a named question', 'question', sendMessage('Red', 'call-1~1')],
    ['a plan', 'plan', answer('call-1~1', { decision: 'edit' })],
    ['adjust', 'plan', answer('call-1~1', { decision: 'adjust' })],
    ['a form', 'form', answer('call-1~1', { values: { host: 'a' } })],
    ['more time', 'approval', { type: 'interaction.extend', ...target }],
    ['a cancel', 'approval', { type: 'interaction.cancel', ...target }],
  ];
  it.each(ways)('holds for every way: %s', (_way, kind, command) => {
    const world = startedWorld();
    const { common, ...ask } = asks[kind];
    accepted(world.run({ ...ask, common: { ...common, ...FOR_ANA } }));
    const { head } = world.live;
    expect(refused(world.run(command, { caller: BEN })).code).toBe('forbidden');
    expect(world.live.head).toBe(head);
    accepted(world.run(command, { caller: ANA }));
  });

  it('does not lead text of others to the request; it goes to the agent', () => {
    const world = startedWorld();
    accepted(world.run(askQuestion(FOR_ANA)));
    expect(accepted(world.run(sendMessage('Red'), { caller: BEN })).reply).toMatchObject({
      type: 'turn',
    });
    expect(world.record('call-1~1').status).toBe('open');
    expect(accepted(world.run(sendMessage('Red'), { caller: ANA })).reply).toMatchObject({
      type: 'answered-by-text',
    });
  });

  it('makes text unambiguous: only requests for the sender count', () => {
    const world = startedWorld();
    accepted(world.run(askQuestion(FOR_ANA)));
    accepted(world.run(askQuestion({ toolCallId: 'call-2', audience: { subjects: ['ben'] } })));
    accepted(world.run(sendMessage('Red'), { caller: BEN }));
    expect(world.record('call-1~1').status).toBe('open');
    expect(world.record('call-2~1').outcome).toBe('answered');
  });

  it('lets “cancel all” of a person end only what is for that person', () => {
    const world = asked(FOR_ANA);
    accepted(world.run(askApproval({ toolCallId: 'call-2' })));
    const { reply } = accepted(world.run({ type: 'interactions.cancel' }, { caller: BEN }));
    expect(reply).toMatchObject({ count: 1 });
    expect(world.record('call-1~1').status).toBe('open');
  });

  it('leaves an agent its own request, to cancel and to ask anew', () => {
    const world = asked(FOR_ANA);
    accepted(
      world.run({ type: 'interaction.cancel', interactionId: 'call-1~1' }, { caller: agent() }),
    );
    expect(world.record('call-1~1').outcome).toBe('cancelled');
  });

  it('keeps a second agent with the scope answer from replacing the request', () => {
    const world = asked(FOR_ANA);
    const both: Caller = { ...agent('other'), scopes: ['agent', 'answer'] };
    const decided = world.run(askApproval({}, { input: { n: 2 } }), { caller: both });
    expect(refused(decided).code).toBe('forbidden');
  });

  it('gives no rights: a named reader still may not answer', () => {
    const world = asked({ audience: { subjects: ['rita'] } });
    expect(refused(world.run(APPROVE, { caller: reader('rita') })).code).toBe('forbidden');
  });

  it('does not lift forbidSelfApproval', () => {
    const world = asked({ audience: { subjects: ['agent'] } });
    const self: Caller = { ...agent(), scopes: ['agent', 'answer'] };
    expect(refused(world.run(APPROVE, { caller: self })).details).toEqual({
      setting: 'forbidSelfApproval',
    });
  });

  it('says already_settled to everyone', () => {
    const world = asked(FOR_ANA);
    accepted(world.run(APPROVE, { caller: ANA }));
    expect(refused(world.run(APPROVE, { caller: BEN })).code).toBe('already_settled');
  });
});

describe('[ROUTE-3] a rule of the workspace', () => {
  const OPS_RULE: AudienceRule = { tools: ['Bash'], audience: { groups: ['ops'] } };
  const ALL_RULE: AudienceRule = { audience: { subjects: ['ana'] } };
  const audienceOf = (rules: AudienceRule[], common = {}) =>
    asked(common, rules).record('call-1~1').audience;

  it('gives an audience to a request without one; the first match counts', () => {
    expect(audienceOf([OPS_RULE, ALL_RULE])).toEqual({ groups: ['ops'] });
    expect(audienceOf([ALL_RULE, OPS_RULE])).toEqual({ subjects: ['ana'] });
    expect(audienceOf([OPS_RULE], { toolName: 'Read' })).toBeUndefined();
  });

  it.each<[string, Partial<AudienceRule>, boolean]>([
    ['the kind', { kinds: ['approval'] }, true],
    ['another kind', { kinds: ['form'] }, false],
    ['the beginning of the session id', { sessions: 'session' }, true],
    ['another beginning', { sessions: 'other' }, false],
    ['a label', { labels: { env: 'prod' } }, true],
    ['another value', { labels: { env: 'test' } }, false],
    ['a label that is missing', { labels: { constructor: 'x' } }, false],
    ['one of two labels', { labels: { env: 'prod', team: 'a' } }, false],
  ])('matches by %s', (_what, match, hits) => {
    const world = new CoreWorld({ audienceRules: [{ ...match, audience: { groups: ['ops'] } }] });
    accepted(world.run({ type: 'session.create', labels: { env: 'prod' } }));
    accepted(world.run(askApproval()));
    expect(world.record('call-1~1').audience !== undefined).toBe(hits);
  });

  it('gives way to what the request names, unless it says override', () => {
    const rule = { ...OPS_RULE, escalateAfter: 60, escalateTo: { subjects: ['olga'] } };
    const named = { ...FOR_ANA, escalateAfter: 30, escalateTo: { subjects: ['mallory'] } };
    expect(asked(named, [rule]).record('call-1~1')).toMatchObject({
      ...FOR_ANA,
      escalateTo: { subjects: ['mallory'] },
    });
    expect(asked(named, [{ ...rule, override: true }]).record('call-1~1')).toMatchObject({
      ...FOR_OPS,
      escalateTo: { subjects: ['olga'] },
    });
    const { audience, escalateTo } = asked(named, [{ ...OPS_RULE, override: true }]).record(
      'call-1~1',
    );
    expect({ audience, escalateTo }).toEqual({ ...FOR_OPS, escalateTo: undefined });
  });

  it('sets times that fit before the deadline, and refuses no request for the others', () => {
    const rule: AudienceRule = { ...ALL_RULE, remindAfter: 60, escalateAfter: 600 };
    const { remindAt, escalateAt, openedAt } = asked({ timeoutSeconds: 300 }, [rule]).record(
      'call-1~1',
    );
    expect({ remindAt, escalateAt }).toEqual({
      remindAt: openedAt + MINUTE,
      escalateAt: undefined,
    });
  });
});

describe('[TIME-5] an escalation', () => {
  const ESCALATING = { ...FOR_ANA, escalateAfter: 120, escalateTo: { groups: ['ops'] } };

  it('asks the next audience as well, and keeps the first', () => {
    for (const [caller, membership] of [
      [ANA, undefined],
      [BEN, OPS],
    ] as const) {
      const world = asked(ESCALATING);
      expect(mayAnswer(world, BEN, OPS)).toBe(false);
      world.advance(2 * MINUTE);
      expect(world.log.at(-1)).toMatchObject({
        payload: { change: 'escalated', escalatedTo: { groups: ['ops'] } },
      });
      expect(world.record('call-1~1').audience).toEqual({ subjects: ['ana'], groups: ['ops'] });
      expect(mayAnswer(world, caller, membership)).toBe(true);
    }
  });

  it('leaves a request for everyone one for everyone', () => {
    const world = asked({ escalateAfter: 60, escalateTo: { subjects: ['ana'] } });
    world.advance(MINUTE);
    expect(world.record('call-1~1').audience).toBeUndefined();
    expect(mayAnswer(world, BEN)).toBe(true);
  });

  it('does not come for a settled request, and does not move with the deadline', () => {
    const world = asked(ESCALATING);
    accepted(world.run({ type: 'interaction.extend', interactionId: 'call-1~1' }, { caller: ANA }));
    const { escalateAt, openedAt } = world.record('call-1~1');
    expect(escalateAt).toBe(openedAt + 2 * MINUTE);
    accepted(world.run(APPROVE, { caller: ANA }));
    const { head } = world.live;
    world.advance(10 * MINUTE);
    expect(world.live.head).toBe(head);
  });

  it.each([
    ['a reminder at the deadline', { timeoutSeconds: 60, remindAfter: 60 }],
    ['an escalation after the deadline', { timeoutSeconds: 60, escalateAfter: 61 }],
    ['a next audience without a time', { escalateTo: { subjects: ['ana'] } }],
  ])('is refused with %s', (_what, common) => {
    const decided = startedWorld().run(askApproval(common));
    expect(refused(decided).code).toBe('invalid_request');
  });

  it('may come after a deadline that only marks the request', () => {
    accepted(
      startedWorld().run(askApproval({ timeoutSeconds: 60, onExpire: 'keep', remindAfter: 90 })),
    );
  });
});
