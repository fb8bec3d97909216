/** The judge of votes sees each fault that it is there for. A judge that finds nothing proves nothing. */
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import type { InteractionView } from '../../../src/protocol/schema/interaction.ts';
import { judgeRace } from './judge-race.ts';
import type { QuorumRace, VoteStep } from './quorum-race.ts';

const step = (person: string, act: VoteStep['act'], status = 200, code?: string): VoteStep => ({
  person,
  device: 0,
  act,
  afterMs: 0,
  status,
  ...(code !== undefined && { code }),
});

const RACE: QuorumRace = {
  session: 's',
  interactionId: 'call_1~1',
  approvals: 2,
  people: ['ann', 'bob', 'cem'],
  atOnce: [step('ann', 'approve'), step('bob', 'approve')],
  inOrder: [],
  forged: step('cem', 'approve', 403, 'forbidden'),
};

type Logged = readonly [what: 'vote' | 'vote_withdrawn' | 'approved' | 'denied', by: string];

function eventsOf(logged: readonly Logged[]): SessionEvent[] {
  return logged.map(([what, subject], at) => {
    const by = { subject, via: 'web' };
    return what === 'approved' || what === 'denied'
      ? { seq: at + 2, type: 'interaction_response', payload: { outcome: what, settledBy: by } }
      : { seq: at + 2, type: 'interaction_update', payload: { change: what, by } };
  }) as unknown as SessionEvent[];
}

function judged(
  logged: readonly Logged[],
  outcome: string | null,
  votes: readonly string[],
  race: Partial<QuorumRace> = {},
): string[] {
  const rules: string[] = [];
  const record = {
    status: outcome === null ? 'open' : 'settled',
    outcome,
    votes: votes.map((subject) => ({ by: { subject, via: 'web' } })),
  } as unknown as InteractionView;
  judgeRace({ ...RACE, ...race }, { events: eventsOf(logged), record }, (rule) => rules.push(rule));
  return [...new Set(rules)].toSorted();
}

const GOOD: readonly Logged[] = [
  ['vote', 'ann'],
  ['approved', 'bob'],
];

describe('the judge of votes', () => {
  it('finds nothing where nothing is wrong', () => {
    expect(judged(GOOD, 'approved', ['ann', 'bob'])).toEqual([]);
    const late = [step('ann', 'approve'), step('bob', 'deny')];
    expect(
      judged(
        [
          ['vote', 'ann'],
          ['denied', 'bob'],
        ],
        'denied',
        ['ann'],
        { atOnce: late },
      ),
    ).toEqual([]);
    const regret = [[step('bob', 'approve'), step('bob', 'withdraw')]];
    const logged: Logged[] = [
      ['vote', 'ann'],
      ['vote_withdrawn', 'ann'],
      ['vote', 'ann'],
    ];
    expect(judged(logged, null, ['ann'], { atOnce: [step('ann', 'approve')] })).toEqual([]);
    const taken: Logged[] = [
      ['vote', 'bob'],
      ['vote_withdrawn', 'bob'],
      ['vote', 'ann'],
    ];
    const one = { atOnce: [step('ann', 'approve')], inOrder: regret };
    expect(judged(taken, null, ['ann'], one)).toEqual([]);
  });

  it.each<[string, string, readonly string[]]>([
    [
      'Q1',
      'an approval by one person alone',
      judged([['approved', 'bob']], 'approved', ['bob'], { atOnce: [step('bob', 'approve')] }),
    ],
    [
      'Q2',
      'a person who is counted twice',
      judged(
        [
          ['vote', 'ann'],
          ['vote', 'ann'],
        ],
        null,
        ['ann', 'ann'],
      ),
    ],
    [
      'Q2',
      'a forged vote that counts',
      judged(GOOD, 'approved', ['ann', 'bob'], { forged: step('cem', 'approve', 200) }),
    ],
    ['Q3', 'a vote that is lost', judged([['vote', 'ann']], null, ['ann'])],
    [
      'Q3',
      'a vote that was taken back and counts',
      judged([['vote', 'ann']], null, ['ann'], {
        atOnce: [],
        inOrder: [[step('ann', 'approve'), step('ann', 'withdraw')]],
      }),
    ],
    [
      'Q3',
      'a record that counts other people than the log',
      judged(GOOD, 'approved', ['ann', 'cem']),
    ],
    [
      'Q4',
      'an event after the end',
      judged([...GOOD, ['vote', 'cem']], 'approved', ['ann', 'bob']),
    ],
    ['Q4', 'a record with another end than the log', judged(GOOD, 'denied', ['ann', 'bob'])],
    [
      'Q4',
      'a denial that was acknowledged and did not count',
      judged(GOOD, 'approved', ['ann', 'bob'], { atOnce: [...RACE.atOnce, step('cem', 'deny')] }),
    ],
    [
      'Q4',
      'a person who is told of an end that there is not',
      judged([['vote', 'ann']], null, ['ann'], {
        atOnce: [step('ann', 'approve', 409, 'already_settled')],
      }),
    ],
    [
      'Q4',
      'a request that is neither done nor refused',
      judged(GOOD, 'approved', ['ann', 'bob'], {
        atOnce: [...RACE.atOnce, step('cem', 'approve', 422, 'invalid_values')],
      }),
    ],
    [
      'Q5',
      'enough approvals of an open request',
      judged(
        [
          ['vote', 'ann'],
          ['vote', 'bob'],
        ],
        null,
        ['ann', 'bob'],
      ),
    ],
  ])('finds with %s %s', (rule, _what, found) => {
    expect(found).toContain(rule);
  });
});
