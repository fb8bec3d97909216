/**
 * The draft of a decision. A bug would look like a row that contradicts the log, because the decision and the
 * write used different folds.
 */
import { describe, expect, it } from 'vitest';
import {
  addDecision,
  addEvents,
  draftEvents,
  insertEventsBefore,
  stamp,
  startDraft,
} from '../../src/core/session-draft.ts';
import type { DraftEvent } from '../../src/protocol/schema/event.ts';
import { askApproval } from '../support/asks.ts';
import { START, worldAfter } from '../support/core-world.ts';
import { foldLog } from '../support/fold-log.ts';

const ABOUT = {
  interactionId: 'call-1~1',
  toolCallId: 'call-1',
  toolName: 'Bash',
  kind: 'approval',
};
const STARTED: DraftEvent = { type: 'turn_started', turnId: 'turn-7', payload: {} };
const WORDS: DraftEvent = { type: 'assistant_text', payload: { text: 'Hm' } };
const OVERDUE: DraftEvent = {
  type: 'interaction_update',
  payload: { ...ABOUT, change: 'overdue', expiresAt: null },
};
const DENIED: DraftEvent = {
  type: 'interaction_response',
  payload: {
    ...ABOUT,
    action: 'deny',
    outcome: 'denied',
    settledBy: { subject: 'ada', via: 'web' },
    settledAt: START,
    inputDigest: '',
  },
};

const { live: before, address } = worldAfter(askApproval());

function folded(events: readonly DraftEvent[]) {
  return foldLog(before, stamp(before.head, events, START), address);
}

describe('a draft', () => {
  it('[LOG-4] has the state that its log will fold to, and does not change the state before', () => {
    const copy = structuredClone(before);
    const draft = draftEvents(before, [STARTED, OVERDUE, DENIED], START);
    expect(draft.state).toEqual(folded(draft.events));
    expect(draft.state.info.turn?.turnId).toBe('turn-7');
    expect(before).toEqual(copy);
  });

  it('[INT-1] has each record once, as the last event about it leaves it', () => {
    const draft = addEvents(draftEvents(before, [OVERDUE], START), [DENIED], START);
    expect([...draft.records.keys()]).toEqual(['call-1~1']);
    const record = draft.records.get('call-1~1');
    expect(record).toMatchObject({ status: 'settled', overdue: true, expiresAt: null, rev: 3 });
  });

  it('[INT-6] accepts no event about a settled record', () => {
    const draft = draftEvents(before, [DENIED], START);
    expect(() => addEvents(draft, [OVERDUE], START)).toThrow('call-1~1, which is not open');
  });

  it('[LOG-1] adopts a decision on its state', () => {
    const first = draftEvents(before, [OVERDUE], START);
    const whole = addDecision(first, draftEvents(first.state, [DENIED, WORDS], START));
    expect(whole).toEqual(draftEvents(before, [OVERDUE, DENIED, WORDS], START));
  });

  it('[LOG-1] puts events before others, and its head counts them', () => {
    const draft = draftEvents(before, [DENIED, WORDS], START);
    const after = insertEventsBefore(draft, 1, (one) => addEvents(one, [STARTED], START));
    expect(after.events).toEqual([DENIED, STARTED, WORDS]);
    expect(after.state).toEqual(folded(after.events));
    expect(after.state.head).toBe(before.head + 3);
  });

  it('[LOG-1] without events is the state it began with', () => {
    expect(addEvents(startDraft(before), [], START)).toEqual({
      events: [],
      state: before,
      records: new Map(),
    });
  });
});

it('[LOG-1] events are numbered from the head', () => {
  expect(stamp(41, [WORDS, WORDS], START).map(({ seq, at }) => [seq, at])).toEqual([
    [42, START],
    [43, START],
  ]);
});
