/**
 * The announcements of a session, event by event. A bug would look like a question that opened and settled
 * between two reports without an announcement, an announced question that is never resolved, or a report
 * larger than its log.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countBytes } from '../../src/protocol/bytes.ts';
import { Announcement } from '../../src/protocol/schema/announcement.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { buildReport } from '../../src/core/report.ts';
import { arbitrarySteps, takeStep } from '../support/arbitrary-steps.ts';
import { answer, append, askApproval, askQuestion, COLOR, SIZES } from '../support/asks.ts';
import { CoreWorld, MINUTE, START, worldAfter } from '../support/core-world.ts';
import { countFor } from '../support/run-length.ts';

function announcedOf({ live, log }: CoreWorld, after = 0, head = log.length) {
  const teller = { incarnation: 'one', reportedAtMost: 0, unconfirmedHeads: [] };
  return buildReport(live, after, log.slice(after, head), teller).announcements;
}

const said = (world: CoreWorld) =>
  announcedOf(world).map((one) =>
    'interactionId' in one ? `${one.type} ${one.interactionId}` : one.type,
  );

describe('an announcement', () => {
  it('[OUT-2, QST-8] is made for each opening and each settlement, however quickly they follow', () => {
    const world = worldAfter(askApproval(), answer('call-1~1', { decision: 'approve' }));
    expect(announcedOf(world)).toEqual([
      {
        type: 'session.created',
        seq: 1,
        at: START,
        createdBy: { credential: 'cred-agent', subject: 'agent' },
      },
      {
        type: 'interaction.requested',
        seq: 3,
        at: START,
        interactionId: 'call-1~1',
        toolCallId: 'call-1',
        toolName: 'Bash',
        kind: 'approval',
        presentation: 'tool',
        request: { input: { command: 'rm -rf build' } },
        inputDigest: world.record('call-1~1').inputDigest,
        openedBy: { credential: 'cred-agent', subject: 'agent' },
        expiresAt: START + 10 * MINUTE,
      },
      {
        type: 'interaction.resolved',
        seq: 4,
        at: START,
        interactionId: 'call-1~1',
        toolCallId: 'call-1',
        toolName: 'Bash',
        kind: 'approval',
        outcome: 'approved',
        settledBy: { subject: 'ada', via: 'web' },
        inputDigest: world.record('call-1~1').inputDigest,
        authorizedDigest: world.record('call-1~1').inputDigest,
      },
    ]);
  });

  it.each([
    [{ choice: 'a' }, { choice: 'a' }],
    [{ decision: 'deny', stop: true }, { stop: true }],
  ])('[APR-6, APR-7, OUT-2] says by which choice, and whether the turn ends: %j', (given, told) => {
    const choices = [{ id: 'a', label: 'A', decision: 'approve' }];
    const world = worldAfter(askApproval({}, { choices }), answer('call-1~1', given));
    const resolved = announcedOf(world).at(-1);
    expect(resolved).toMatchObject({ type: 'interaction.resolved', ...told });
    expect(Announcement.safeParse(resolved).success).toBe(true);
  });

  it('[OUT-2] of a reprompt is a pair: the replaced request is resolved, and the new one is requested', () => {
    const world = worldAfter(askQuestion(), askQuestion({}, [SIZES]));
    expect(announcedOf(world, 3)).toMatchObject([
      { type: 'interaction.resolved', outcome: 'superseded', replacedBy: 'call-1~2' },
      { type: 'interaction.requested', interactionId: 'call-1~2', replaces: 'call-1~1' },
    ]);
  });

  it('[QST-8] is one requested and one resolved for a question of several steps', () => {
    const world = worldAfter(
      askQuestion({}, [COLOR, SIZES]),
      answer('call-1~1', { question: 0, option: 1 }),
      answer('call-1~1', { question: 1, options: [0] }),
    );
    expect(said(world).slice(1)).toEqual([
      'interaction.requested call-1~1',
      'interaction.updated call-1~1',
      'interaction.resolved call-1~1',
    ]);
  });

  it('[OUT-2, TIME-5] is also a reminder, an escalation, an extension, and an overdue interaction', () => {
    const world = worldAfter(
      askQuestion({ timeoutSeconds: 60, remindAfter: 10, escalateAfter: 20, onExpire: 'keep' }),
    );
    world.advance(30_000);
    world.run({ type: 'interaction.extend', interactionId: 'call-1~1' });
    world.advance(2 * MINUTE);
    expect(announcedOf(world).slice(2)).toMatchObject([
      { type: 'interaction.reminder' },
      { type: 'interaction.escalated' },
      { type: 'interaction.updated', change: 'extended', expiresAt: START + 2 * MINUTE },
      { type: 'interaction.updated', change: 'overdue', expiresAt: null },
    ]);
  });

  it('[HAND-2, OUT-2] of a handover holds the request for those who are still asked', () => {
    const world = worldAfter(askQuestion({ remindAfter: 10, escalateAfter: 20 }));
    world.advance(30_000);
    for (const name of ['ada', 'bob']) {
      world.advance(1_000);
      const audience = { subjects: [name] };
      world.run({ type: 'interaction.handover', interactionId: 'call-1~1', audience });
    }
    const told = announcedOf(world).filter((one) => one.type === 'interaction.escalated');
    expect(told.map(({ audience }) => audience?.subjects)).toEqual([undefined, ['ada'], ['bob']]);
    const whole = announcedOf(world).find((one) => one.type === 'interaction.requested');
    expect(told.map(({ request }) => request)).toEqual([undefined, undefined, whole?.request]);
  });

  it('[OUT-2] is also the end of a turn, and of the session', () => {
    const world = worldAfter(
      append({ type: 'turn_started', turnId: 'turn-1', payload: {} }),
      append({ type: 'turn_ended', turnId: 'turn-1', payload: { reason: 'error' } }),
      { type: 'session.delete' },
    );
    expect(announcedOf(world).slice(1)).toMatchObject([
      { type: 'turn.ended', turnId: 'turn-1', reason: 'error' },
      { type: 'session.deleted' },
    ]);
  });

  it('[OUT-2] has no request that is too large for a list', () => {
    const command = 'x'.repeat(LIMITS.inboxRequestChars);
    const world = worldAfter(askApproval({}, { input: { command } }));
    expect(announcedOf(world).at(-1)).toMatchObject({ request: null });
  });
});

/** What those who are asked later are told of a request that they have not seen. */
const heldRequests = (all: ReturnType<typeof announcedOf>) =>
  all.filter((one) => one.type === 'interaction.escalated' && one.request !== undefined);

function withoutHeldRequest(one: ReturnType<typeof announcedOf>[number]) {
  if (one.type !== 'interaction.escalated') return one;
  const { presentation: _p, request: _r, inputDigest: _i, openedBy: _o, ...told } = one;
  return told;
}

it('[OUT-2, QST-8] follow from the log alone, in pairs, and are never larger than it', () => {
  const property = fc.property(arbitrarySteps, fc.nat(200), (steps, cut) => {
    const world = new CoreWorld();
    world.run({ type: 'session.create' });
    for (const step of steps) {
      const { command, caller } = takeStep(world, step);
      world.run(command, { caller });
    }
    const all = announcedOf(world);
    const at = cut % (world.log.length + 1);
    expect([...announcedOf(world, 0, at), ...announcedOf(world, at)]).toEqual(all);
    for (const one of all) expect(Announcement.parse(one)).toEqual(one);
    const open = new Set<string>();
    for (const one of all) {
      if (one.type === 'interaction.requested') open.add(one.interactionId);
      else if ('interactionId' in one) expect(open.has(one.interactionId)).toBe(true);
      if (one.type === 'interaction.resolved') open.delete(one.interactionId);
    }
    expect([...open].toSorted()).toEqual([...world.live.open.keys()].toSorted());
    // An escalation and a handover hold the request of an open interaction again, but each only once.
    const held = heldRequests(all).map((one) => 'interactionId' in one && one.interactionId);
    for (const id of held) {
      expect(world.live.open.has(String(id))).toBe(true);
      expect(held.filter((other) => other === id).length).toBeLessThanOrEqual(2);
    }
    const bytes = countBytes(JSON.stringify(all.map(withoutHeldRequest)));
    expect(bytes).toBeLessThanOrEqual(countBytes(JSON.stringify(world.log)));
  });
  fc.assert(property, { numRuns: countFor({ quick: 75, long: 300 }) });
});
