/**
 * Four decisions on a plan. A bug would look like work that starts in a mode that the person did not choose,
 * or an old "please adjust" that turns up as the reason of a later decision.
 */
import { describe, expect, it } from 'vitest';
import { digestInput } from '../../../src/core/digest.ts';
import { PlanDecision } from '../../../src/protocol/schema/kinds/plan-review.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { answer, askPlan } from '../../support/asks.ts';
import { admin } from '../../support/callers.ts';
import { MINUTE, startedWorld, worldAfter } from '../../support/core-world.ts';
import { accepted, outcomeOf, payloadOf, refused } from '../../support/outcome.ts';

const decide = (decision: string, more: JsonObject = {}) =>
  answer('call-1~1', { decision, ...more });

describe('an approved plan', () => {
  it.each([
    ['edit', { clearContext: false, targetMode: 'edit' }, 'acceptEdits'],
    ['clean_edit', { clearContext: true, targetMode: 'edit' }, 'acceptEdits'],
    ['default', { clearContext: true, targetMode: 'default' }, 'default'],
  ] as const)('[PLN-2, PLN-5, PLN-6] by %s', (decision, grants, mode) => {
    const world = startedWorld();
    const planning = { type: 'session.update', changes: { permissionMode: 'plan' } } as const;
    world.run(planning);
    world.run(askPlan());
    const decided = world.run(decide(decision));

    expect(outcomeOf(decided)).toEqual([
      'interaction_response',
      'interaction_pending',
      'session_updated',
    ]);
    expect(payloadOf(decided, 'interaction_response')).toMatchObject({
      action: 'approve',
      outcome: 'approved',
      decision: { permission: 'allow', ...grants },
    });
    expect(PlanDecision.parse(world.record('call-1~1').decision)).toEqual({
      permission: 'allow',
      ...grants,
    });
    expect(world.live.info.permissionMode).toBe(mode);
    expect(world.agentReply('call-1~1')).toMatchObject({ behavior: 'allow' });
  });

  it('[PLN-2] logs no change to a mode that is set already', () => {
    const world = worldAfter(askPlan());
    expect(outcomeOf(world.run(decide('default')))).toEqual([
      'interaction_response',
      'interaction_pending',
    ]);
  });

  it('[PLN-2] ends a bypass that was set before', () => {
    const world = startedWorld();
    const bypass = { type: 'session.update', changes: { permissionMode: 'bypassPermissions' } };
    world.run(bypass as Parameters<typeof world.run>[0], { caller: admin() });
    world.run(askPlan());
    world.run(decide('edit'));
    expect(world.live.info.permissionMode).toBe('acceptEdits');
  });

  it.each([{}, { plan: '' }, { plan: ' \n' }])(
    '[PLN-1] without a plan is one sentence, in record, event, digest and reply: %j',
    (request) => {
      const plan = 'The agent sent no plan text.';
      const world = startedWorld();
      const decided = world.run({ ...askPlan(), request });
      expect(payloadOf(decided, 'interaction_request').request).toEqual({ plan });
      const record = world.record('call-1~1');
      expect(record.request).toEqual({ plan });
      const at = { workspace: 'acme', session: 'session-1', interactionId: 'call-1~1' };
      expect(record.inputDigest).toBe(digestInput({ ...at, toolName: 'ExitPlanMode' }, { plan }));
      expect(accepted(world.run({ ...askPlan(), request: { plan } })).reply).toMatchObject({
        interactionId: 'call-1~1',
        created: false,
      });
      world.run(decide('edit'));
      expect(world.agentReply('call-1~1')).toEqual({ behavior: 'allow', updatedInput: { plan } });
    },
  );
});

describe('adjust', () => {
  it('[PLN-3] alone waits for feedback, and is logged', () => {
    const world = worldAfter(askPlan());
    const decided = world.run(decide('adjust'));
    expect(outcomeOf(decided)).toEqual(['interaction_update']);
    expect(payloadOf(decided, 'interaction_update')).toMatchObject({
      change: 'feedback',
      awaitingFeedback: true,
      by: { subject: 'ada', via: 'web' },
    });
    expect(world.record('call-1~1')).toMatchObject({ status: 'open', awaitingFeedback: true });
  });

  it.each([
    ['in one request', []],
    ['after adjust was pressed', [decide('adjust')]],
  ])(
    '[PLN-3] with feedback %s denies with it, and the agent stays in plan mode',
    (_when, before) => {
      const planning = { type: 'session.update', changes: { permissionMode: 'plan' } } as const;
      const world = worldAfter(planning, askPlan(), ...before);
      world.run(decide('adjust', { feedback: ' Smaller steps. ' }));
      expect(world.agentReply('call-1~1')).toEqual({ behavior: 'deny', message: 'Smaller steps.' });
      expect(world.record('call-1~1')).toMatchObject({ outcome: 'denied' });
      expect(world.record('call-1~1')).not.toHaveProperty('decision');
      expect(world.record('call-1~1')).not.toHaveProperty('awaitingFeedback');
      expect(world.live.info.permissionMode).toBe('plan');
    },
  );

  it.each(['', '  '])(
    '[PLN-3] with empty feedback %j gives the agent a default sentence',
    (feedback) => {
      const world = worldAfter(askPlan(), decide('adjust', { feedback }));
      expect(world.agentReply('call-1~1')).toEqual({
        behavior: 'deny',
        message: 'Please adjust the plan.',
      });
    },
  );

  it('[PLN-5] yields no decision that permits a tool', () => {
    const world = worldAfter(askPlan(), decide('adjust', { feedback: 'No.' }));
    expect(world.record('call-1~1')).not.toHaveProperty('decision');
  });

  it('[PLN-3] can still be followed by an approval', () => {
    const world = worldAfter(askPlan(), decide('adjust'), decide('edit'));
    expect(world.record('call-1~1')).toMatchObject({ outcome: 'approved' });
    expect(world.record('call-1~1')).not.toHaveProperty('awaitingFeedback');
  });

  it('[PLN-7] leaves no feedback behind for the next plan', () => {
    const world = worldAfter(askPlan(), decide('adjust', { feedback: 'Smaller steps.' }));
    world.run(askPlan({}, 'A better plan'));
    world.run(answer('call-1~2', { decision: 'default' }));
    expect(world.record('call-1~2')).not.toHaveProperty('reason');
    expect(world.agentReply('call-1~2')).toEqual({
      behavior: 'allow',
      updatedInput: { plan: 'A better plan' },
    });
  });

  it('[PLN-7] awaited on a replaced plan is not awaited on the new plan', () => {
    const world = worldAfter(askPlan(), decide('adjust'), askPlan({}, 'A better plan'));
    expect(world.record('call-1~2')).not.toHaveProperty('awaitingFeedback');
    expect(world.record('call-1~1')).toMatchObject({ outcome: 'superseded' });
  });
});

describe('a plan without a decision', () => {
  it.each([
    ['at once', []],
    ['while feedback is awaited', [decide('adjust')]],
  ])('[PLN-4, CAN-2] cancelled %s is denied', (_when, before) => {
    const world = worldAfter(askPlan(), ...before, { type: 'interactions.cancel' });
    expect(world.agentReply('call-1~1')).toEqual({
      behavior: 'deny',
      message: 'Plan review cancelled',
    });
  });

  it.each([
    ['at once', []],
    ['while feedback is awaited', [decide('adjust')]],
  ])('[PLN-4, TIME-2] out of time %s is denied after five minutes', (_when, before) => {
    const world = worldAfter(askPlan(), ...before);
    world.advance(5 * MINUTE - 1);
    expect(world.record('call-1~1').status).toBe('open');
    world.advance(1);
    expect(world.agentReply('call-1~1')).toEqual({
      behavior: 'deny',
      message: 'Plan review timed out',
    });
  });

  it.each<[JsonObject]>([
    [{ decision: 'edit', feedback: 'But smaller' }],
    [{ decision: 'reject' }],
    [{ feedback: 'Smaller' }],
    [{}],
  ])('[INT-10] %j decides nothing', (given) => {
    const world = worldAfter(askPlan());
    expect(refused(world.run(answer('call-1~1', given))).code).toBe('invalid_answer');
    expect(world.record('call-1~1').status).toBe('open');
  });
});
