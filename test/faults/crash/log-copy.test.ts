/**
 * The judge of the crash test finds every rule that is broken once.
 *
 * A judge that finds nothing looks exactly like a server without faults.
 */
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import type { Outcome } from '../../../src/protocol/schema/interaction.ts';
import { Findings } from '../../support/findings.ts';
import { Follower } from '../../support/follower.ts';
import { SeenEvents } from '../../support/seen-events.ts';
import { type Claim, problemWith } from './claims.ts';
import { LogCopy } from './log-copy.ts';

const DEADLINE = 1_000;
const ABOUT = { interactionId: 'call~1', toolCallId: 'call', toolName: 'Bash', kind: 'approval' };
const BY_PERSON = { subject: 'ann', via: 'web' } as const;
const BY_TIME = { subject: 'system', via: 'timeout' } as const;

type Draft = Pick<SessionEvent, 'type'> & { readonly payload: object; readonly at: number };

/** Only the fields that the judge reads; other tests prove the schema of events. */
function draft(type: SessionEvent['type'], payload: object, at = 1): Draft {
  return { type, payload, at };
}

const STARTED = draft('session_started', { permissionMode: 'default' });
const PENDING = draft('interaction_pending', { ...ABOUT, pending: true });
const REQUEST = draft('interaction_request', {
  ...ABOUT,
  request: { input: { mark: 'ask-1' } },
  expiresAt: DEADLINE,
});
const OVER = draft('interaction_pending', { ...ABOUT, pending: false });

function response(outcome: Outcome, at: number, settledBy: object = BY_PERSON, more = {}): Draft {
  return draft('interaction_response', { ...ABOUT, outcome, settledBy, ...more }, at);
}

const APPROVED = response('approved', 5, BY_PERSON, { reason: 'give-1' });
const WHOLE = [STARTED, PENDING, REQUEST, APPROVED, OVER];

function numbered(drafts: readonly Draft[]): SessionEvent[] {
  return drafts.map((event, index) => ({ ...event, seq: index + 1 }) as SessionEvent);
}

function judge(events: readonly SessionEvent[]) {
  const findings = new Findings();
  const copy = new LogCopy('ses', findings, new SeenEvents(findings));
  for (const event of events) copy.take(event);
  copy.close();
  return { copy, broken: findings.kept.map(({ rule }) => rule) };
}

describe('the judge of a log', () => {
  it('accepts a valid log', () => {
    expect(judge(numbered(WHOLE)).broken).toEqual([]);
  });

  const twice = [...WHOLE, APPROVED, OVER];
  const replaced = response('superseded', 5, BY_PERSON, { replacedBy: 'call~2' });
  it.each<[string, SessionEvent[], string]>([
    ['a settlement that comes twice', numbered(twice), 'I3'],
    ['a question that is asked twice', numbered([...WHOLE, PENDING, REQUEST]), 'I3'],
    ['a response to nothing', numbered([STARTED, APPROVED, OVER]), 'I3'],
    ['a gap', numbered(WHOLE).filter(({ seq }) => seq !== 2), 'I4'],
    ['a double', [...numbered([STARTED]), ...numbered([STARTED])], 'I4'],
    [
      'an expiry before the deadline',
      numbered([STARTED, PENDING, REQUEST, response('expired', 999, BY_TIME), OVER]),
      'I9',
    ],
    [
      'an answer at the deadline',
      numbered([STARTED, PENDING, REQUEST, response('approved', DEADLINE), OVER]),
      'I9',
    ],
    ['a response without pending false', numbered([STARTED, PENDING, REQUEST, APPROVED]), 'PEND'],
    ['a request without pending true', numbered([STARTED, REQUEST]), 'PEND'],
    ['a torn reprompt', numbered([STARTED, PENDING, REQUEST, replaced]), 'PEND'],
  ])('finds %s', (_name, events, rule) => {
    expect(judge(events).broken).toContain(rule);
  });

  it('counts an effect once, however often the log repeats it', () => {
    const step = (partialAnswers: object) =>
      draft('interaction_update', { ...ABOUT, change: 'step', partialAnswers }, 3);
    const answered = response('answered', 4, BY_PERSON, {
      answers: { 0: 'give-1', 1: 'give-2', 2: 'give-3' },
    });
    const { copy } = judge(
      numbered([
        STARTED,
        PENDING,
        REQUEST,
        step({ 0: 'give-1' }),
        step({ 0: 'give-1', 1: 'give-2' }),
        answered,
        OVER,
      ]),
    );
    expect([...copy.marks]).toEqual([
      ['ask-1', 1],
      ['give-1', 1],
      ['give-2', 1],
      ['give-3', 1],
    ]);
  });
});

describe('claims', () => {
  const what = 'a request';
  it.each<[string, Claim, string | undefined]>([
    ['what is there', { what, mark: 'give-1', times: 1, interactionId: 'call~1' }, undefined],
    ['the outcome', { what, interactionId: 'call~1', outcome: 'approved' }, undefined],
    ['what is lost', { what, mark: 'give-9', times: 1 }, 'I1'],
    ['a record that is lost', { what, interactionId: 'call~9' }, 'I1'],
    ['another outcome', { what, interactionId: 'call~1', outcome: 'denied' }, 'I2'],
    ['what was refused and done all the same', { what, mark: 'give-1', times: 0 }, 'I6'],
    ['half a batch', { what, mark: 'give-1', times: 2 }, 'I6'],
    ['text that waits nowhere', { what, mark: 'say-1', times: 'waiting' }, 'I1'],
  ])('compares %s', (_name, claim, rule) => {
    expect(problemWith(claim, judge(numbered(WHOLE)).copy)?.[0]).toBe(rule);
  });

  it('accounts for text that is still queued, and text that a clear dropped', () => {
    const queued = draft('session_updated', { queued: [{ text: 'say-1' }], by: BY_PERSON });
    const waiting: Claim = { what, mark: 'say-1', times: 'waiting' };
    expect(problemWith(waiting, judge(numbered([STARTED, queued])).copy)).toBeUndefined();
    const cleared = draft('context_cleared', { by: BY_PERSON });
    expect(problemWith(waiting, judge(numbered([STARTED, queued, cleared])).copy)).toBeUndefined();
    const message = draft('user_message', { text: 'say-1', subject: 'ann' });
    const emptied = draft('session_updated', { queued: [], by: BY_PERSON });
    const { copy } = judge(numbered([STARTED, queued, emptied, message]));
    expect(problemWith(waiting, copy)).toBeUndefined();
    expect(problemWith({ ...waiting, times: 0 }, copy)?.[0]).toBe('I6');
  });
});

describe('subscribers', () => {
  function follow() {
    const findings = new Findings();
    const seenEvents = new SeenEvents(findings);
    const one = new Follower('one', 'ses', { findings, seenEvents });
    const other = new Follower('other', 'ses', { findings, seenEvents });
    return { one, other, broken: () => findings.kept.map(({ rule }) => rule) };
  }
  const [first, second, third] = numbered([STARTED, PENDING, REQUEST]) as [
    SessionEvent,
    SessionEvent,
    SessionEvent,
  ];

  it('report a gap, a duplicate and a step back', () => {
    const { one, broken } = follow();
    for (const event of [first, second, second, first, third]) one.receive(event);
    expect(broken()).toEqual(['I7', 'I7', 'I7']);
  });

  it('report an event that differs between two readers', () => {
    const { one, other, broken } = follow();
    one.receive(first);
    other.receive({ ...first, at: 2 });
    expect(broken()).toEqual(['I5']);
  });
});
