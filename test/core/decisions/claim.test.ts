/** Who takes care of a request. A bug here looks like a claim that locks others out, or a request that nobody may answer. */
import { describe, expect, it } from 'vitest';
import { announceEvent, announceHandover } from '../../../src/core/announce-event.ts';
import { toAuditEntry } from '../../../src/core/audit-entry.ts';
import { matchesTarget } from '../../../src/core/delivery/webhook-body.ts';
import { nextDeadline } from '../../../src/core/deadlines.ts';
import type { Announcement as AnyAnnouncement } from '../../../src/protocol/schema/announcement.ts';
import type { Audience } from '../../../src/protocol/schema/audience.ts';
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import { answer, askApproval } from '../../support/asks.ts';
import { admin, agent, person } from '../../support/callers.ts';
import { MINUTE, worldAfter } from '../../support/core-world.ts';
import { accepted, outcomeOf, refused } from '../../support/outcome.ts';

type Announcement = Extract<AnyAnnouncement, { type: 'interaction.requested' }>;

const CLAIM = { type: 'interaction.claim', interactionId: 'call-1~1' } as const;
const RELEASE = { ...CLAIM, release: true } as const;
const TO_BOB: Audience = { subjects: ['bob'] };
const APPROVE = answer('call-1~1', { decision: 'approve' });
const ann = { caller: person('ann') };
const bob = { caller: person('bob') };
const handOver = (audience: Audience, note?: string) =>
  ({
    type: 'interaction.handover',
    interactionId: 'call-1~1',
    audience,
    ...(note !== undefined && { note }),
  }) as const;

const asked = () => worldAfter(askApproval({ timeoutSeconds: null }));

describe('a claim', () => {
  it('[HAND-1] is in the record for five minutes, sets no timer, and others answer all the same', () => {
    const world = asked();
    accepted(world.run(CLAIM, ann));
    expect(world.record('call-1~1').claim).toMatchObject({
      by: { subject: 'ann' },
      until: world.now + 5 * MINUTE,
    });
    expect(nextDeadline(world.live)).toBeNull();
    accepted(world.run(APPROVE, bob));
    expect(world.record('call-1~1')).not.toHaveProperty('claim');
  });

  it('[HAND-1] is repeated without an event at first, renewed later, taken over and released', () => {
    const world = asked();
    accepted(world.run(CLAIM, ann));
    world.now += 2 * MINUTE;
    expect(outcomeOf(world.run(CLAIM, ann))).toEqual([]);
    world.now += MINUTE;
    expect(outcomeOf(world.run(CLAIM, ann))).toEqual(['interaction_update']);
    expect(outcomeOf(world.run(RELEASE, bob))).toEqual([]);
    accepted(world.run(CLAIM, bob));
    expect(world.record('call-1~1').claim?.by.subject).toBe('bob');
    accepted(world.run(RELEASE, bob));
    expect(world.record('call-1~1')).not.toHaveProperty('claim');
  });

  it('[HAND-1] is for those who may answer, and is not announced', () => {
    const world = worldAfter(askApproval({ audience: TO_BOB }));
    expect(refused(world.run(CLAIM, ann)).code).toBe('forbidden');
    expect(refused(world.run(CLAIM, { caller: agent() })).code).toBe('forbidden');
    accepted(world.run(CLAIM, bob));
    expect(world.log.slice(-1).flatMap((event) => announceEvent(event) ?? [])).toEqual([]);
  });
});

describe('a handover', () => {
  it('[HAND-2] goes back and forth ten times at most, and the request can still be answered', () => {
    const world = asked();
    const both = [bob, ann];
    for (let n = 0; n < 10; n += 1) {
      const [to, from] = n % 2 === 0 ? [TO_BOB, ann] : [{ subjects: ['ann'] }, bob];
      accepted(world.run(handOver(to), from));
    }
    const before = world.log.length;
    for (const how of [...both, { caller: admin() }]) {
      expect(refused(world.run(handOver(TO_BOB), how)).code).toMatch(/limit_reached|forbidden/);
    }
    expect(refused(world.run(handOver(TO_BOB), ann))).toMatchObject({
      code: 'limit_reached',
      details: { limit: 'handovers', max: 10 },
    });
    expect(world.log).toHaveLength(before);
    accepted(world.run(APPROVE, ann));
  });

  it('[HAND-2] asks others in place of those who were asked', () => {
    const world = worldAfter(askApproval({ audience: { subjects: ['ann'] } }));
    world.run(CLAIM, ann);
    expect(refused(world.run(handOver(TO_BOB), bob)).code).toBe('forbidden');
    accepted(world.run(handOver(TO_BOB, 'You know this one'), ann));
    expect(world.record('call-1~1')).toMatchObject({
      audience: TO_BOB,
      handover: { by: { subject: 'ann' }, to: TO_BOB, note: 'You know this one' },
    });
    expect(world.record('call-1~1')).not.toHaveProperty('claim');
    expect(refused(world.run(APPROVE, ann)).code).toBe('forbidden');
    expect(outcomeOf(world.run(APPROVE, bob))).toHaveLength(2);
  });

  it('[HAND-2] is announced to those who are asked now, and audited', () => {
    const world = asked();
    accepted(world.run(handOver({ groups: ['ops'] }, 'Please'), { caller: admin() }));
    const last = world.log.slice(-1);
    expect(
      last.flatMap((event) => announceEvent(event, world.live.open.get('call-1~1')) ?? []),
    ).toMatchObject([
      {
        type: 'interaction.escalated',
        audience: { groups: ['ops'] },
        request: { input: {} },
        by: { subject: 'olga' },
        note: 'Please',
      },
    ]);
    expect(last.flatMap((event) => toAuditEntry(world.live, event) ?? [])).toMatchObject([
      { what: 'interaction', change: 'handed_over', subject: 'olga' },
    ]);
  });

  it.each<[string, Audience | undefined, Announcement['audience']]>([
    [
      'those who were asked',
      { subjects: ['ann'], groups: ['dev'] },
      { subjects: ['ann'], groups: ['dev'] },
    ],
    ['everyone, where everyone was', undefined, undefined],
  ])('[HAND-2] is announced to %s before, without the request', (_, audience, former) => {
    const world = worldAfter(askApproval({ ...(audience && { audience }) }));
    accepted(world.run(handOver(TO_BOB, 'Not for you'), { caller: admin() }));
    const [announced] = world.log.slice(-1).flatMap((event) => announceHandover(event) ?? []);
    expect(announced).toMatchObject({
      type: 'interaction.handed_over',
      to: TO_BOB,
      by: { subject: 'olga' },
    });
    expect(announced && 'audience' in announced ? announced.audience : undefined).toEqual(former);
    expect(JSON.stringify(announced)).not.toContain('Not for you');
    expect(announced).not.toHaveProperty('request');
    const party = (subject: string) => ({
      sessionId: 's',
      labels: {},
      party: () => ({ subject, groups: [], targets: [] }),
    });
    const any = { events: ['*'] as const };
    if (announced === undefined) throw new Error('Nothing was announced');
    expect(matchesTarget(any, party('ann'), announced)).toBe(true);
    expect(matchesTarget(any, party('bob'), announced)).toBe(false);
    expect(matchesTarget(any, party('eve'), announced)).toBe(former === undefined);
  });

  it('[HAND-2] of an older version, which does not say who was asked before, retires nothing', () => {
    const world = asked();
    accepted(world.run(handOver(TO_BOB), { caller: admin() }));
    const event = world.log.at(-1);
    if (event?.type !== 'interaction_update') throw new Error('No handover');
    const { from: _from, ...handover } = event.payload.handover ?? {};
    const older = { ...event, payload: { ...event.payload, handover } } as SessionEvent;
    expect(announceHandover(older)).toBeUndefined();
  });

  it('[HAND-2, VOTE-1] leaves those whose approvals are needed', () => {
    const quorum = { approvals: 1, of: { subjects: ['zoe'] } };
    const world = worldAfter(askApproval({ quorum }));
    accepted(world.run(handOver(TO_BOB), { caller: person('zoe') }));
    expect(world.record('call-1~1').audience).toEqual({ subjects: ['bob', 'zoe'] });
  });
});
