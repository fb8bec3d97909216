/**
 * Requests that several people must approve. A bug here looks like a call that runs with too few approvals, one person who
 * counts twice, or two people who approved different things.
 */
import { describe, expect, it } from 'vitest';
import { announceEvent } from '../../src/core/announce-event.ts';
import { toAuditEntry } from '../../src/core/audit-entry.ts';
import { buildReport } from '../../src/core/report.ts';
import { answer, answerCall, askApproval, askPlan, sendMessage } from '../support/asks.ts';
import { person } from '../support/callers.ts';
import { MINUTE, startedWorld } from '../support/core-world.ts';
import { foldLog } from '../support/fold-log.ts';
import { accepted, outcomeOf, payloadOf, refused } from '../support/outcome.ts';
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

describe('two of several people', () => {
  it('[VOTE-3] the last approval is the settlement, with all votes', () => {
    const world = asked();
    expect(outcomeOf(give(world, 'ann'))).toEqual(VOTED);
    expect(world.record('call-1~1')).toMatchObject({
      status: 'open',
      votes: [{ by: { subject: 'ann', via: 'web' }, at: world.now }],
    });
    world.now += MINUTE;
    const last = give(world, 'bob');
    expect(outcomeOf(last)).toEqual(SETTLED);
    expect(payloadOf(last, 'interaction_response')).toMatchObject({
      outcome: 'approved',
      settledBy: { subject: 'bob' },
      votes: [{ by: { subject: 'ann' } }, { by: { subject: 'bob' } }],
    });
    expect(world.agentReply('call-1~1')).toMatchObject({ behavior: 'allow' });
    expect(foldLog(null, world.log, world.address)).toEqual(world.state);
  });

  /** Each step of each of two people, after a state of votes: the events, and who has voted then. */
  it.each<
    [string, readonly (readonly [string, Step])[], readonly string[] | 'approved' | 'denied']
  >([
    ['nobody', [], []],
    ['one', [['ann', 'yes']], ['ann']],
    [
      'one twice',
      [
        ['ann', 'yes'],
        ['ann', 'yes'],
      ],
      ['ann'],
    ],
    [
      'one, who thinks again',
      [
        ['ann', 'yes'],
        ['ann', 'withdraw'],
      ],
      [],
    ],
    [
      'one again',
      [
        ['ann', 'yes'],
        ['ann', 'withdraw'],
        ['ann', 'yes'],
      ],
      ['ann'],
    ],
    [
      'two',
      [
        ['ann', 'yes'],
        ['bob', 'yes'],
      ],
      'approved',
    ],
    [
      'one for something else',
      [
        ['ann', 'yes'],
        ['ann', 'other'],
      ],
      ['ann'],
    ],
    [
      'two for different things',
      [
        ['ann', 'yes'],
        ['bob', 'other'],
      ],
      ['bob'],
    ],
    [
      'two for the other thing',
      [
        ['ann', 'yes'],
        ['bob', 'other'],
        ['ann', 'other'],
      ],
      'approved',
    ],
    [
      'one and a withdrawal of the other',
      [
        ['ann', 'yes'],
        ['bob', 'withdraw'],
      ],
      ['ann'],
    ],
    ['a no', [['ann', 'no']], 'denied'],
    [
      'a yes and a no',
      [
        ['ann', 'yes'],
        ['bob', 'no'],
      ],
      'denied',
    ],
    [
      'a yes and the same person’s no',
      [
        ['ann', 'yes'],
        ['ann', 'no'],
      ],
      'denied',
    ],
    [
      'a withdrawal, then the other',
      [
        ['ann', 'yes'],
        ['ann', 'withdraw'],
        ['bob', 'yes'],
      ],
      ['bob'],
    ],
  ])('[VOTE-2, VOTE-4, VOTE-5, VOTE-6] after %s', (_, steps, expected) => {
    const world = asked(TWO, { allowEdit: true });
    const other = { ...YES, updatedInput: { command: 'ls' } };
    for (const [name, step] of steps) {
      if (step === 'withdraw') world.run(WITHDRAW, { caller: person(name) });
      else give(world, name, step === 'yes' ? YES : step === 'no' ? NO : other);
    }
    const { outcome } = world.record('call-1~1');
    expect(outcome ?? votesOf(world)).toEqual(expected);
  });

  it('[VOTE-4] a double click changes nothing, and a late one finds the outcome as its own', () => {
    const world = asked();
    give(world, 'ann');
    expect(outcomeOf(give(world, 'ann'))).toEqual([]);
    give(world, 'bob');
    for (const name of ['ann', 'bob']) {
      expect(refused(give(world, name)).details).toMatchObject({
        outcome: 'approved',
        yours: true,
      });
    }
    expect(refused(give(world, 'cem')).details).not.toHaveProperty('yours');
  });

  it('[VOTE-4] a rule for the session, a choice and a mode are things that all must mean', () => {
    const world = asked(TWO, { offers: ['once', 'session'] });
    give(world, 'ann', { ...YES, offer: 'session', everyCommand: true });
    give(world, 'bob');
    expect(votesOf(world)).toEqual(['bob']);
    expect(world.live.rules).toEqual([]);
    const plan = startedWorld();
    accepted(plan.run(askPlan(TWO)));
    for (const [name, decision] of [
      ['ann', 'edit'],
      ['bob', 'default'],
      ['ann', 'default'],
    ] as const) {
      accepted(give(plan, name, { decision }));
    }
    expect(plan.record('call-1~1')).toMatchObject({ outcome: 'approved' });
    expect(plan.live.info.permissionMode).toBe('default');
  });

  it('[VOTE-4] reasons may differ', () => {
    const world = asked(TWO, { choices: [{ id: 'a', label: 'Go', decision: 'approve' }] });
    give(world, 'ann', { choice: 'a' });
    expect(outcomeOf(give(world, 'bob', { choice: 'a' }))).toEqual(SETTLED);
  });

  it('[VOTE-5, TIME-2] time approves nothing, and keeps what was approved in sight', () => {
    const world = asked();
    give(world, 'ann');
    world.advance(11 * MINUTE);
    expect(world.record('call-1~1')).toMatchObject({ outcome: 'expired', votes: [{}] });
  });

  it('[VOTE-5] a changed request starts without votes, and asks for no fewer people', () => {
    const world = asked();
    give(world, 'ann');
    accepted(world.run(askApproval({ quorum: { approvals: 1 } }, { input: { command: 'ls' } })));
    expect(world.record('call-1~2')).toMatchObject({ quorum: { approvals: 2 } });
    expect(world.record('call-1~2')).not.toHaveProperty('votes');
    expect(world.run(answer('call-1~2', YES), { caller: person('ann') }).ok).toBe(true);
    expect(world.record('call-1~2').status).toBe('open');
  });

  it('[VOTE-1, INT-5] the same call with another number is another request', () => {
    const world = asked();
    expect(accepted(world.run(askApproval(TWO))).events).toEqual([]);
    const more = accepted(world.run(askApproval({ quorum: { approvals: 3 } })));
    expect(more.reply).toMatchObject({ interactionId: 'call-1~2' });
  });

  it('[VOTE-2] every way of answering is a vote: by id, by call, in words', () => {
    const { inputDigest } = asked().record('call-1~1');
    for (const command of [
      answer('call-1~1', YES),
      answerCall('call-1', { ...YES, inputDigest }),
      sendMessage('yes', 'call-1~1'),
    ]) {
      const world = asked();
      accepted(world.run(command, { caller: person('ann') }));
      expect(world.record('call-1~1')).toMatchObject({ status: 'open', votes: [{}] });
    }
  });

  it('[VOTE-8] is in the inbox, announced and audited with each vote', () => {
    const world = asked();
    give(world, 'ann');
    world.run(WITHDRAW, { caller: person('ann') });
    give(world, 'bob');
    const source = { incarnation: '', reportedAtMost: 0, unconfirmedHeads: [] };
    const report = buildReport(world.live, 0, world.log, source);
    expect(report.open).toMatchObject([
      { quorum: { approvals: 2 }, votes: [{ by: { subject: 'bob' } }] },
    ]);
    const announced = world.log.flatMap((event) => announceEvent(event) ?? []);
    expect(announced.slice(1)).toMatchObject([
      { type: 'interaction.requested', quorum: { approvals: 2 } },
      { type: 'interaction.updated', change: 'vote', approvedBy: ['ann'] },
      { change: 'vote_withdrawn', approvedBy: [] },
      { change: 'vote', approvedBy: ['bob'] },
    ]);
    const audit = world.log.flatMap((event) => toAuditEntry(world.live, event) ?? []);
    expect(audit).toMatchObject([
      { change: 'vote', subject: 'ann' },
      { change: 'vote_withdrawn', subject: 'ann' },
      { change: 'vote', subject: 'bob' },
    ]);
  });

  it('[VOTE-6, INT-19] any of them takes the decision back, and the votes start anew', () => {
    const world = asked();
    give(world, 'ann');
    give(world, 'bob');
    const undo = { type: 'interaction.undo', interactionId: 'call-1~1' } as const;
    expect(refused(world.run(undo, { caller: person('cem') })).code).toBe('forbidden');
    accepted(world.run(undo, { caller: person('ann') }));
    expect(world.record('call-1~2')).toMatchObject({ quorum: { approvals: 2 } });
    expect(world.record('call-1~2')).not.toHaveProperty('votes');
  });
});
