/**
 * A killed agent finds what it left behind. A bug here looks like a person who is asked twice, or like one answer that
 * allows two runs.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Interaction, OpenCommon } from '../../src/protocol/schema/interaction.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { rejectReassigned } from '../../src/core/reassign.ts';
import { isUnacknowledged } from '../../src/core/unacknowledged.ts';
import { answer, append, askApproval, askForm, askPlan, askQuestion } from '../support/asks.ts';
import { admin, agent, person } from '../support/callers.ts';
import { type CoreWorld, MINUTE, SECOND, startedWorld, worldAfter } from '../support/core-world.ts';
import { accepted } from '../support/outcome.ts';
import { countFor } from '../support/run-length.ts';

const FIRST = { agentInstance: 'instance-a' };
const NEXT = { toolCallId: 'call-2', agentInstance: 'instance-b' };
const APPROVE = answer('call-1~1', { decision: 'approve' });
const DENY = answer('call-1~1', { decision: 'deny', reason: 'no' });

/** The interaction that the next instance gets for its own call. */
function asksAgain(
  world: CoreWorld,
  common: Partial<OpenCommon> = {},
  request: JsonObject = {},
  caller = agent(),
): string {
  world.advance(SECOND);
  const decided = accepted(world.run(askApproval({ ...NEXT, ...common }, request), { caller }));
  const { reply } = decided;
  if (reply.type === 'gate') return `gate: ${reply.decision.behavior}`;
  return reply.type === 'interaction' ? reply.interactionId : reply.type;
}

describe('the next instance of an agent', () => {
  it('[ADP-2] gets the open question, which stays as it is for people; the log says so', () => {
    const world = worldAfter(askApproval(FIRST));
    const before = world.record('call-1~1');
    const head = world.log.length;
    expect(asksAgain(world)).toBe('call-1~1');
    const reassignedTo = { toolCallId: 'call-2', agentInstance: 'instance-b', at: world.now };
    expect(world.record('call-1~1')).toEqual({ ...before, reassignedTo, rev: before.rev + 1 });
    expect(world.log.slice(head)).toMatchObject([
      {
        type: 'interaction_update',
        toolCallId: 'call-1',
        payload: {
          interactionId: 'call-1~1',
          change: 'reassigned',
          reassignedTo,
          by: { subject: 'agent', via: 'api' },
        },
      },
    ]);
    accepted(world.run(APPROVE));
    expect(world.agentReply('call-1~1')).toMatchObject({ behavior: 'allow' });
    expect(asksAgain(world)).toBe('call-1~1');
  });

  it.each([
    ['an approval', APPROVE],
    ['a denial', DENY],
  ])('[ADP-2] gets %s that no call has acknowledged, until one has', (_, decide) => {
    const world = worldAfter(askApproval(FIRST), decide);
    expect(asksAgain(world)).toBe('call-1~1');
    expect(world.log.at(-1)).toMatchObject({ payload: { change: 'reassigned' } });
    expect(asksAgain(world)).toBe('call-1~1');
    const third = { toolCallId: 'call-3', agentInstance: 'instance-c' };
    expect(asksAgain(world, third)).toBe('call-1~1');
    world.acknowledge('call-1~1');
    expect(asksAgain(world, { ...third, toolCallId: 'call-4' })).toBe('call-4~1');
  });

  it.each([
    ['questions', askQuestion, { answers: { '0': 'Red' } }],
    ['a plan', askPlan, { decision: 'edit' }],
    ['a form', askForm, { values: { host: 'localhost' } }],
  ] as const)('[ADP-2] gets the answer to %s too', (_, ask, given) => {
    const world = worldAfter(ask(FIRST), answer('call-1~1', given));
    world.advance(SECOND);
    expect(accepted(world.run(ask(NEXT))).reply).toMatchObject({ interactionId: 'call-1~1' });
  });

  it('[ADP-2] gets the answer before an open question, and the oldest of several', () => {
    const world = worldAfter(
      askApproval({ ...FIRST, toolCallId: 'call-0' }),
      askApproval(FIRST),
      askApproval({ ...FIRST, toolCallId: 'call-x' }),
      APPROVE,
    );
    expect(asksAgain(world)).toBe('call-1~1');
    expect(asksAgain(world, { toolCallId: 'call-3' })).toBe('call-0~1');
    expect(asksAgain(world, { toolCallId: 'call-4' })).toBe('call-x~1');
    expect(asksAgain(world, { toolCallId: 'call-5' })).toBe('call-5~1');
  });

  it('[ADP-2] finds a question again that a third one has by then only under a new id', () => {
    const world = worldAfter(askApproval(FIRST));
    asksAgain(world);
    expect(asksAgain(world, { toolCallId: 'call-3', agentInstance: 'instance-c' })).toBe(
      'call-1~1',
    );
    expect(world.record('call-1~1').reassignedTo?.toolCallId).toBe('call-3');
    accepted(world.run(APPROVE));
    expect(asksAgain(world)).toBe('call-2~2');
    expect(asksAgain(world, { ...FIRST, toolCallId: 'call-1' })).toBe('call-1~2');
  });

  it('[ADP-2, PEND-5] may change its request; then the call that asked first no longer waits', () => {
    const world = worldAfter(askApproval(FIRST));
    asksAgain(world);
    const head = world.log.length;
    const changed = askApproval(NEXT, { input: { command: 'ls' } });
    expect(accepted(world.run(changed)).reply).toMatchObject({ interactionId: 'call-2~2' });
    expect(world.record('call-1~1')).toMatchObject({
      outcome: 'superseded',
      replacedBy: 'call-2~2',
    });
    const events = world.log
      .slice(head)
      .map(({ type, toolCallId, payload }) => [
        type,
        toolCallId,
        'pending' in payload ? payload.pending : undefined,
      ]);
    expect(events).toEqual([
      ['interaction_response', 'call-1', undefined],
      ['interaction_pending', 'call-1', false],
      ['interaction_pending', 'call-2', true],
      ['interaction_request', 'call-2', undefined],
    ]);
  });

  it('[ADP-2, APR-5] ends the question by the result of its own call', () => {
    const world = worldAfter(askApproval(FIRST));
    asksAgain(world);
    const result = {
      type: 'tool_result',
      toolCallId: 'call-2',
      payload: { output: 'done' },
    } as const;
    accepted(world.run(append(result)));
    expect(world.record('call-1~1')).toMatchObject({ outcome: 'cancelled' });
  });
});

describe('nothing is found', () => {
  const own = 'call-2~1';
  const audience = { subjects: ['ada'] };

  it.each<[string, () => CoreWorld, Partial<OpenCommon>?, JsonObject?]>([
    ['by the same instance', () => worldAfter(askApproval(FIRST)), FIRST],
    ['by the same instance, of an answer', () => worldAfter(askApproval(FIRST), APPROVE), FIRST],
    ['of an asker without an instance', () => worldAfter(askApproval(), APPROVE)],
    [
      'of an answer that a call has acknowledged',
      () => acknowledged(worldAfter(askApproval(FIRST), APPROVE)),
    ],
    [
      'for another input',
      () => worldAfter(askApproval(FIRST), APPROVE),
      {},
      { input: { command: 'ls' } },
    ],
    ['for another tool', () => worldAfter(askApproval(FIRST), APPROVE), { toolName: 'Shell' }],
    [
      'for a request that shows more',
      () => worldAfter(askApproval(FIRST), APPROVE),
      {},
      { description: 'Now' },
    ],
    [
      'for a request that may be edited',
      () => worldAfter(askApproval(FIRST), APPROVE),
      {},
      { allowEdit: true },
    ],
    ['for other people', () => worldAfter(askApproval(FIRST), APPROVE), { audience }],
    [
      'for fewer people',
      () => worldAfter(askApproval({ ...FIRST, audience: { subjects: ['ada', 'bob'] } })),
      { audience },
    ],
    ['after the deadline', () => passed(worldAfter(askApproval(FIRST)), 11 * MINUTE)],
    [
      'of a cancelled question',
      () =>
        worldAfter(askApproval(FIRST), { type: 'interaction.cancel', interactionId: 'call-1~1' }),
    ],
    [
      'of an answer from the day before',
      () => passed(worldAfter(askApproval(FIRST), APPROVE), LIMITS.unacknowledgedAnswerMs + 1),
    ],
  ])('[ADP-2] %s', (_, before, common, request) => {
    expect(asksAgain(before(), common, request)).toBe(own);
  });

  it('[ADP-2] without an instance', () => {
    const world = worldAfter(askApproval(FIRST), APPROVE);
    const { reply } = accepted(world.run(askApproval({ toolCallId: 'call-2' })));
    expect(reply).toMatchObject({ interactionId: own });
  });

  it('[ADP-2] by another credential, an administrator included', () => {
    for (const caller of [agent('other'), admin()]) {
      const world = worldAfter(askApproval(FIRST), APPROVE);
      expect(asksAgain(world, {}, {}, caller)).toBe(own);
    }
  });

  it('[ADP-2, TIME-6] of an answer that was declared for the deadline', () => {
    const onExpire = { answer: { answers: { '0': 'Red' } } };
    const world = worldAfter(askQuestion({ ...FIRST, onExpire, timeoutSeconds: 5 }));
    world.advance(6_000);
    expect(world.record('call-1~1').outcome).toBe('answered');
    expect(accepted(world.run(askQuestion(NEXT))).reply).toMatchObject({ interactionId: own });
  });

  it('[ADP-2, AUTH-8] of its own answer, where the asker must not answer', () => {
    const both = { ...agent(), key: 'cred-agent', scopes: ['agent', 'answer'] as const };
    const settings = { forbidSelfApproval: false };
    const asked = (world: CoreWorld) => {
      accepted(world.run(askApproval(FIRST), { caller: both }));
      accepted(world.run(APPROVE, { caller: both }));
      return world;
    };
    expect(asksAgain(asked(startedWorld(settings)), {}, {}, both)).toBe('call-1~1');
    const strict = startedWorld();
    const record = asked(startedWorld(settings)).record('call-1~1');
    accepted(strict.run(askApproval(FIRST), { caller: both }));
    accepted(strict.run(APPROVE, { caller: person() }));
    strict.records.set('call-1~1', record);
    expect(asksAgain(strict, {}, {}, both)).toBe(own);
  });
});

describe('a rule or the mode', () => {
  const setMode = (permissionMode: 'plan' | 'bypassPermissions') =>
    ({ type: 'session.update', changes: { permissionMode } }) as const;
  const inMode = (world: CoreWorld, mode: 'plan' | 'bypassPermissions') => {
    accepted(world.run(setMode(mode), { caller: admin() }));
    return world;
  };

  it('[ADP-2, GATE-1] that allows the call does not overrule a denial that no call has acknowledged', () => {
    const world = inMode(worldAfter(askApproval(FIRST), DENY), 'bypassPermissions');
    expect(asksAgain(world)).toBe('call-1~1');
    world.acknowledge('call-1~1');
    expect(asksAgain(world, { toolCallId: 'call-3' })).toBe('gate: allow');
  });

  it('[ADP-2, GATE-1] that denies the call is not overruled by an approval', () => {
    const world = inMode(worldAfter(askApproval(FIRST), APPROVE), 'plan');
    expect(asksAgain(world)).toBe('gate: deny');
  });

  it('[ADP-2, GATE-1] that allows the call decides while the earlier question is open', () => {
    const world = inMode(worldAfter(askApproval(FIRST)), 'bypassPermissions');
    expect(asksAgain(world)).toBe('gate: allow');
    expect(world.record('call-1~1').status).toBe('open');
  });
});

type Step =
  | {
      readonly type: 'ask';
      readonly instance: number;
      readonly call: number;
      readonly input: number;
    }
  | { readonly type: 'answer'; readonly which: number; readonly isYes: boolean }
  | { readonly type: 'acknowledge'; readonly which: number; readonly holder: number };

const small = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('ask' as const),
      instance: small,
      call: fc.nat(5),
      input: fc.nat(1),
    }),
  },
  fc.record({ type: fc.constant('answer' as const), which: fc.nat(9), isYes: fc.boolean() }),
  fc.record({ type: fc.constant('acknowledge' as const), which: fc.nat(9), holder: fc.nat(9) }),
);

/** Who has seen which interaction, and which calls may act on it. */
class Holders {
  readonly seen = new Map<string, Set<string>>();
  readonly acting = new Map<string, Set<string>>();

  static add(to: Map<string, Set<string>>, id: string, toolCallId: string): void {
    to.set(id, (to.get(id) ?? new Set()).add(toolCallId));
  }
}

it('[ADP-2] over any history one call acts on an answer, whoever else has seen it', () => {
  const play = (steps: readonly Step[]) => {
    const world = startedWorld();
    const holders = new Holders();
    const pick = (which: number) =>
      [...world.records.values()][which % Math.max(1, world.records.size)];
    for (const one of steps) {
      if (one.type === 'ask') checkAsk(world, holders, one);
      else move(world, holders, one, pick(one.which));
    }
    for (const calls of holders.acting.values()) expect(calls.size).toBe(1);
  };
  fc.assert(fc.property(fc.array(step, { maxLength: 40 }), play), {
    numRuns: countFor({ quick: 150, long: 5_000 }),
  });
});

function move(
  world: CoreWorld,
  { seen, acting }: Holders,
  one: Exclude<Step, { type: 'ask' }>,
  record: Interaction | undefined,
) {
  if (record === undefined) return;
  const { interactionId: id } = record;
  if (one.type === 'answer') {
    if (record.status === 'settled') return;
    return void accepted(world.run(answer(id, { decision: one.isYes ? 'approve' : 'deny' })));
  }
  const calls = [...(seen.get(id) ?? [])];
  const call = calls[one.holder % calls.length];
  if (call === undefined || record.status === 'open') return;
  if (rejectReassigned(call, record) !== undefined) return;
  Holders.add(acting, id, call);
  if (isUnacknowledged(record)) world.acknowledge(id);
}

function checkAsk(
  world: CoreWorld,
  { seen }: Holders,
  { instance, call, input }: Extract<Step, { type: 'ask' }>,
) {
  const toolCallId = `call-${instance}-${call}`;
  const agentInstance = `instance-${instance}`;
  const before = new Map(world.records);
  const common = { toolCallId, agentInstance };
  const { reply } = accepted(world.run(askApproval(common, { input: { input } })));
  if (reply.type !== 'interaction') throw new Error(reply.type);
  const record = world.record(reply.interactionId);
  Holders.add(seen, record.interactionId, toolCallId);
  const old = before.get(record.interactionId);
  expect(record.request).toEqual({ input: { input } });
  const isOwn = record.toolCallId === toolCallId || record.reassignedTo?.toolCallId === toolCallId;
  // A call that lost its open question to another call gets the record, which says so, and runs nothing.
  expect(isOwn || (record.status === 'open' && old === record)).toBe(true);
  const isMoved = old !== undefined && old.reassignedTo !== record.reassignedTo;
  if (!isMoved) return;
  expect((old.reassignedTo ?? old).agentInstance).not.toBe(agentInstance);
  expect(old.acknowledgedAt).toBeUndefined();
}

function acknowledged(world: CoreWorld): CoreWorld {
  world.acknowledge('call-1~1');
  return world;
}

function passed(world: CoreWorld, ms: number): CoreWorld {
  world.advance(ms);
  return world;
}
