/**
 * A decision that is taken back. A bug here looks like a call that runs although its approval was taken back, like two open
 * questions about one call, or like a person who undoes the decision of another.
 */
import { describe, expect, it } from 'vitest';
import {
  answer,
  append,
  askApproval,
  askForm,
  askLink,
  askPlan,
  askQuestion,
} from '../../support/asks.ts';
import { admin, agent, person } from '../../support/callers.ts';
import { type CoreWorld, MINUTE, SECOND, worldAfter } from '../../support/core-world.ts';
import { accepted, outcomeOf, payloadOf, refused } from '../../support/outcome.ts';
import { toAuditEntry } from '../../../src/core/audit-entry.ts';
import { announceEvent } from '../../../src/core/announce-event.ts';
import { foldLog } from '../../support/fold-log.ts';

const UNDO = { type: 'interaction.undo', interactionId: 'call-1~1' } as const;
const APPROVE = answer('call-1~1', { decision: 'approve' });

const approved = () => worldAfter(askApproval(), APPROVE);

describe('a decision that no agent has', () => {
  it('[INT-19, PEND-2] is taken back in one commit, and the same is asked again with a digest of its own', () => {
    const world = approved();
    const before = world.record('call-1~1');
    world.now += MINUTE;
    const undone = accepted(world.run(UNDO));
    expect(outcomeOf(undone)).toEqual([
      'interaction_update',
      'interaction_pending',
      'interaction_request',
    ]);
    expect(payloadOf(undone, 'interaction_pending')).toMatchObject({
      pending: true,
      interactionId: 'call-1~2',
    });
    expect(undone.reply).toMatchObject({ interactionId: 'call-1~2', created: true });
    const next = world.record('call-1~2');
    expect(next).toMatchObject({
      status: 'open',
      request: before.request,
      requestDigest: before.requestDigest,
      openedBy: before.openedBy,
      expiresAt: (before.expiresAt ?? 0) + MINUTE,
      undoes: {
        interactionId: 'call-1~1',
        outcome: 'approved',
        settledBy: before.settledBy,
        by: { subject: 'ada' },
      },
    });
    expect(next.inputDigest).not.toBe(before.inputDigest);
    expect(foldLog(null, world.log, world.address)).toEqual(world.state);
  });

  it('[INT-19] leaves nothing in its record that an executor could run', () => {
    const edit = { decision: 'approve', updatedInput: { command: 'ls' } };
    const world = worldAfter(askApproval({}, { allowEdit: true }), answer('call-1~1', edit));
    accepted(world.run(UNDO));
    const record = world.record('call-1~1');
    expect(record).toMatchObject({
      status: 'settled',
      outcome: 'superseded',
      replacedBy: 'call-1~2',
      undone: { outcome: 'approved', by: { subject: 'ada' }, at: world.now },
    });
    expect(record).not.toHaveProperty('updatedInput');
    expect(record).not.toHaveProperty('authorizedDigest');
    expect(world.agentReply('call-1~1')).toMatchObject({ behavior: 'deny' });
  });

  it('[INT-19, INT-12] is decided anew: an answer to the first request, or without a digest by its call, counts for nothing', () => {
    const world = approved();
    const { inputDigest } = world.record('call-1~1');
    accepted(world.run(UNDO));
    expect(refused(world.run(APPROVE))).toMatchObject({
      code: 'already_settled',
      details: { outcome: 'superseded', replacedBy: 'call-1~2' },
    });
    const byCall = { type: 'interaction.answer', target: { toolCallId: 'call-1' } } as const;
    const stale = { decision: 'approve', inputDigest };
    expect(refused(world.run({ ...byCall, answer: stale }))).toMatchObject({
      code: 'input_changed',
    });
    expect(refused(world.run({ ...byCall, answer: { decision: 'approve' } }))).toMatchObject({
      code: 'input_changed',
    });
    expect(outcomeOf(world.run(answer('call-1~2', { decision: 'deny' })))).toEqual([
      'interaction_response',
      'interaction_pending',
    ]);
  });

  it('[INT-19] is found by the agent that asks again', () => {
    const world = approved();
    accepted(world.run(UNDO));
    expect(accepted(world.run(askApproval())).reply).toMatchObject({
      interactionId: 'call-1~2',
      created: false,
    });
  });

  it('[INT-19, ADP-2] belongs to the call that had the question last, and to the next instance of the agent', () => {
    const first = { agentInstance: 'instance-a' };
    const world = worldAfter(
      askApproval(first),
      askApproval({ toolCallId: 'call-2', agentInstance: 'instance-b' }),
      APPROVE,
    );
    accepted(world.run(UNDO));
    expect(world.record('call-1~2').reassignedTo).toMatchObject({ toolCallId: 'call-2' });
    const next = askApproval({ toolCallId: 'call-3', agentInstance: 'instance-c' });
    expect(accepted(world.run(next)).reply).toMatchObject({ interactionId: 'call-1~2' });
  });

  it('[INT-19] is announced as a request that says what it undoes, and is in the audit list', () => {
    const world = approved();
    accepted(world.run(UNDO));
    const announced = world.log.slice(-3).flatMap((event) => announceEvent(event) ?? []);
    expect(announced).toMatchObject([
      {
        type: 'interaction.requested',
        interactionId: 'call-1~2',
        undoes: { interactionId: 'call-1~1', outcome: 'approved', by: { subject: 'ada' } },
      },
    ]);
    const entries = world.log.slice(-3).flatMap((event) => toAuditEntry(world.live, event) ?? []);
    expect(entries).toMatchObject([
      { what: 'interaction', change: 'undone', subject: 'ada', interactionId: 'call-1~1' },
    ]);
  });

  it('[INT-19] a repeat by the same person finds the request that is open again', () => {
    const world = approved();
    accepted(world.run(UNDO));
    const again = accepted(world.run(UNDO));
    expect(again.events).toEqual([]);
    expect(again.reply).toMatchObject({ interactionId: 'call-1~2', created: false });
    expect(refused(world.run(UNDO, { caller: admin() }))).toMatchObject({ code: 'not_undoable' });
  });

  it('[INT-19] keeps what a person typed into a form', () => {
    const values = { host: 'db.example', port: 5432 };
    const world = worldAfter(askForm(), answer('call-1~1', { values }));
    accepted(world.run(UNDO));
    expect(world.record('call-1~2').typedValues).toEqual(values);
  });

  it('[INT-19] takes its rule along, and what the rule would have allowed asks again', () => {
    const offers = { offers: ['once', 'session'] };
    const world = worldAfter(
      askApproval({}, offers),
      answer('call-1~1', { decision: 'approve', offer: 'session', everyCommand: true }),
    );
    expect(world.live.rules).toHaveLength(1);
    accepted(world.run(UNDO));
    expect(world.live.rules).toEqual([]);
    expect(outcomeOf(world.run(askApproval({ toolCallId: 'call-2' })))).toContain(
      'interaction_request',
    );
  });

  it.each([
    ['edit', 'acceptEdits'],
    ['default', 'default'],
  ])('[INT-19] a plan that was approved with "%s" gives the mode back', (decision, mode) => {
    const world = worldAfter(
      { type: 'session.update', changes: { permissionMode: 'plan' } },
      askPlan(),
      answer('call-1~1', { decision }),
    );
    expect(world.live.info.permissionMode).toBe(mode);
    accepted(world.run(UNDO));
    expect(world.live.info.permissionMode).toBe('plan');
  });

  it('[INT-19] leaves a mode that a person has set since, and never returns to one that asks nobody', () => {
    const world = worldAfter(askPlan(), answer('call-1~1', { decision: 'edit' }));
    world.run({ type: 'session.update', changes: { permissionMode: 'plan' } });
    accepted(world.run(UNDO));
    expect(world.live.info.permissionMode).toBe('plan');
    const open = worldAfter(askPlan());
    const changes = { permissionMode: 'bypassPermissions' } as const;
    accepted(open.run({ type: 'session.update', changes }, { caller: admin() }));
    accepted(open.run(answer('call-1~1', { decision: 'edit' })));
    accepted(open.run(UNDO));
    expect(open.live.info.permissionMode).toBe('acceptEdits');
  });

  it('[INT-19] may be taken back by who decided and by an administrator, and by no one else', () => {
    for (const caller of [person('bob'), agent(), agent('other')]) {
      expect(refused(approved().run(UNDO, { caller })).code).toBe('forbidden');
    }
    for (const caller of [person(), admin()]) {
      expect(outcomeOf(approved().run(UNDO, { caller }))).toHaveLength(3);
    }
  });
});

const ENDED = { type: 'turn_ended', payload: { reason: 'completed' } } as const;

describe('a decision that stays', () => {
  it.each<[string, string, (world: CoreWorld) => void]>([
    ['an agent has read it', 'delivered', (world) => world.deliver('call-1~1')],
    ['an agent has acknowledged it', 'delivered', (world) => world.acknowledge('call-1~1')],
    ['an agent is connected', 'delivered', (world) => void (world.hasAgent = true)],
    ['ten minutes have passed', 'late', (world) => void (world.now += 10 * MINUTE + 1)],
    [
      'the call was reported',
      'moved_on',
      (world) =>
        void world.run(
          append({
            type: 'tool_call',
            toolCallId: 'call-1',
            payload: { toolName: 'Bash', input: {} },
          }),
        ),
    ],
    [
      'its result was reported',
      'moved_on',
      (world) =>
        void world.run(
          append({ type: 'tool_result', toolCallId: 'call-1', payload: { output: '' } }),
        ),
    ],
    [
      'the call asked something else',
      'moved_on',
      (world) => void world.run(askApproval({}, { input: { command: 'ls' } })),
    ],
    ['the run of its agent ended', 'moved_on', (world) => void world.run(append(ENDED))],
    ['the session was cleared', 'moved_on', (world) => void world.run({ type: 'session.clear' })],
  ])('[INT-19] where %s', (_, because, follow) => {
    const world = approved();
    follow(world);
    expect(refused(world.run(UNDO))).toMatchObject({ code: 'not_undoable', details: { because } });
  });

  it('[INT-19] may be taken back to the last millisecond, and what other agents do does not matter', () => {
    const world = approved();
    world.run(append(ENDED), { caller: agent('other') });
    world.run(append({ type: 'assistant_text', payload: { text: 'Elsewhere' } }));
    world.now += 10 * MINUTE;
    expect(outcomeOf(world.run(UNDO))).toHaveLength(3);
  });

  it('[INT-19] where no person decided: a cancel, a deadline, a default answer, a reprompt', () => {
    const cancelled = worldAfter(askApproval(), {
      type: 'interaction.cancel',
      interactionId: 'call-1~1',
    });
    const expired = worldAfter(askApproval());
    expired.advance(11 * MINUTE);
    const onExpire = { answer: { answers: { '0': 'Red' } } };
    const defaulted = worldAfter(askQuestion({ onExpire, timeoutSeconds: 10 }));
    defaulted.advance(11 * SECOND);
    const replaced = worldAfter(askApproval(), askApproval({}, { input: { command: 'ls' } }));
    for (const world of [cancelled, expired, defaulted, replaced]) {
      expect(refused(world.run(UNDO))).toMatchObject({
        code: 'not_undoable',
        details: { because: 'not_decided' },
      });
    }
  });

  it('[INT-19] where a person opened a link; a declined one is asked again', () => {
    const opened = worldAfter(askLink(), answer('call-1~1', { opened: true }));
    expect(refused(opened.run(UNDO))).toMatchObject({ details: { because: 'final' } });
    const declined = worldAfter(askLink(), answer('call-1~1', { decline: true }));
    expect(outcomeOf(declined.run(UNDO))).toHaveLength(3);
  });

  it('[INT-19, LIM-2] after twenty times', () => {
    const world = approved();
    for (let step = 1; step <= 20; step += 1) {
      accepted(world.run({ type: 'interaction.undo', interactionId: `call-1~${step}` }));
      accepted(world.run(answer(`call-1~${step + 1}`, { decision: 'approve' })));
    }
    const last = { type: 'interaction.undo', interactionId: 'call-1~21' } as const;
    expect(refused(world.run(last)).code).toBe('not_undoable');
  });
});
