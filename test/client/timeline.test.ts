/**
 * The timeline on the screen, rule by rule. A bug here looks like a card in the wrong place, a call shown
 * twice, or buttons that are active after a decision.
 *
 * `outline` writes a timeline down as a person would: one line a turn, its containers in brackets.
 */
import { describe, expect, it } from 'vitest';
import {
  emptyTimeline,
  foldDelta,
  foldEvents,
  withoutPreviews,
} from '../../src/client/timeline/index.ts';
import type { DraftEvent } from '../../src/protocol/schema/event.ts';
import {
  AT,
  begins,
  calls,
  closes,
  ends,
  event,
  logOf,
  opens,
  results,
  says,
  text,
} from './client-events.ts';
import { fold, outline, blocksOf, callOf, r1 } from './timeline-outline.ts';

describe('reminders and escalations', () => {
  const update = (change: 'reminder' | 'escalated' | 'extended', more: object = {}) =>
    event(
      'interaction_update',
      { toolCallId: 'a' },
      {
        interactionId: 'a~1',
        toolCallId: 'a',
        toolName: 'Bash',
        kind: 'approval',
        change,
        ...more,
      },
    );

  it('[ROUTE-8] stand after the call that they are about, and other changes do not', () => {
    const timeline = fold(
      begins('t'),
      calls('a', r1),
      ...opens('a'),
      text('Beside', { responseId: 'r2' }),
      update('reminder'),
      update('extended'),
      update('escalated', { audience: { groups: ['ops', 'leads'] } }),
    );
    const notices = 'interaction_update interaction_update';
    expect(outline(timeline)).toEqual([`t: [a(open) ${notices}] ["Beside"]`]);
    const tool = blocksOf(timeline).find((block) => block.type === 'tool');
    expect(tool?.steps[0]?.audience).toEqual({ groups: ['ops', 'leads'] });
  });
});

describe('turns and containers', () => {
  it('[TL-2] puts the blocks of a response into its container, and a call without a response into its own container', () => {
    const timeline = fold(
      begins('t'),
      text('One', r1),
      calls('a', r1),
      calls('b'),
      text('Two', { responseId: 'r2' }),
      calls('c', r1),
      results('b'),
      text('More of b', { toolCallId: 'b' }),
    );
    expect(outline(timeline)).toEqual(['t: ["One" {a c}] [b "More of b"] ["Two"]']);
    const types = timeline.turns[0]?.containers.map((container) => container.type);
    expect(types).toEqual(['response', 'tool-call-only', 'response']);
  });

  it('[TL-2] keeps a call in its first place, whatever its later events name', () => {
    const timeline = fold(
      begins('t'),
      calls('a'),
      results('a', false, { responseId: 'r9', turnId: 't9' }),
      calls('a', { responseId: 'r9', turnId: 't9' }),
      ...opens('a', { names: { responseId: 'r9', turnId: 't9' } }),
    );
    expect(outline(timeline)).toEqual(['t: [a(open)]']);
  });

  it('[TL-2] treats the same response id in another turn as another response', () => {
    const timeline = fold(begins('t'), text('1', r1), ends('t'), begins('u'), text('2', r1));
    expect(outline(timeline)).toEqual(['t: ["1"]', 'u: ["2"]']);
  });

  it('[TL-3] puts an event without a turn to its call, else into the open turn, else into a new turn', () => {
    const timeline = fold(
      calls('a'),
      text('Before any turn'),
      begins('t'),
      text('In t'),
      results('a'),
      text('About a', { toolCallId: 'a' }),
      ends('t'),
      text('After'),
      calls('b'),
      says('Hello'),
      text('Hi'),
    );
    expect(outline(timeline)).toEqual([
      'turn-1: [a "About a"] ["Before any turn"]',
      't: ["In t"]',
      'turn-8: ["After"] [b]',
      'turn-10: [user "Hello"] ["Hi"]',
    ]);
  });

  it('[TL-3] makes another turn after a turn in between, and never takes the id of a turn', () => {
    const timeline = fold(text('1'), text('2', { turnId: 'turn-1' }), text('3'));
    expect(outline(timeline)).toEqual(['turn-1: ["1"]', 'turn-1: ["2"]', 'turn-3: ["3"]']);
    expect(timeline.turns.map((turn) => turn.seq)).toEqual([1, 2, 3]);
  });

  it('[TL-3] leaves a call in its turn when a later turn runs, also a call with its own response', () => {
    const late = text('x', { toolCallId: 'a', responseId: 'r5' });
    const timeline = fold(begins('t'), calls('a'), ends('t'), begins('u'), late);
    expect(outline(timeline)).toEqual(['t: [a] ["x"]', 'u: ']);
  });

  it('[TL-3] makes another turn once an earlier turn has started', () => {
    const one = { turnId: 't' };
    const timeline = fold(text('1', one), text('2'), begins('t'), ends('t'), text('3'));
    expect(outline(timeline)).toEqual(['t: ["1"]', 'turn-2: ["2"]', 'turn-5: ["3"]']);
  });

  it('[TL-3] leaves the message of a person in the turn that runs', () => {
    expect(outline(fold(begins('t'), says('Stop')))).toEqual(['t: [user "Stop"]']);
  });

  it('[TL-1] shows when a turn started and how it ended', () => {
    const [turn] = fold(
      event('turn_started', { turnId: 't' }, { title: 'Deploy' }),
      event('turn_ended', { turnId: 't' }, { reason: 'error', message: 'No' }),
    ).turns;
    const ended = { reason: 'error', message: 'No', at: AT + 1_000 };
    expect(turn).toMatchObject({ title: 'Deploy', startedAt: AT, ended });
  });
});

describe('groups', () => {
  const three = [calls('a', r1), calls('b', r1), calls('c', r1)];

  it('[TL-4] groups neighbors, and no calls across another block', () => {
    const timeline = fold(...three, text('And', r1), calls('d', r1));
    expect(outline(timeline)).toEqual(['turn-1: [{a b c} "And" d]']);
  });

  it.each([
    ['a', '[a(open) {b c}]'],
    ['b', '[a b(open) c]'],
    ['c', '[{a b} c(open)]'],
  ])('[TL-4] takes %s out of its group when a person is asked about it', (id, expected) => {
    expect(outline(fold(...three, ...opens(id)))).toEqual([`turn-1: ${expected}`]);
  });

  it('[TL-4] splits a group in the middle, and dissolves a group of a single call', () => {
    const five = [...three, calls('d', r1), calls('e', r1)];
    expect(outline(fold(...five, ...opens('c')))).toEqual(['turn-1: [{a b} c(open) {d e}]']);
    const two = [calls('a', r1), calls('b', r1)];
    expect(outline(fold(...two, ...opens('b')))).toEqual(['turn-1: [a b(open)]']);
  });

  it('[TL-4] never groups the call again, and still groups its neighbors', () => {
    const timeline = fold(
      calls('a', r1),
      calls('b', r1),
      ...opens('b'),
      ...closes('b', 'approved'),
      results('b'),
      calls('c', r1),
      calls('d', r1),
    );
    expect(outline(timeline)).toEqual(['turn-1: [a b(approved) {c d}]']);
  });

  it('[TL-4] takes a call out for a questionnaire, too', () => {
    const timeline = fold(...three, ...opens('b', { kind: 'question' }));
    expect(outline(timeline)).toEqual(['turn-1: [a b ask b~1(open) c]']);
  });

  it('[TL-4, TL-10] changes one call of a group in its place', () => {
    const timeline = fold(...three, results('b'));
    expect(outline(timeline)).toEqual(['turn-1: [{a b c}]']);
    expect(callOf(timeline, 'b')?.status).toBe('complete');
    expect(callOf(timeline, 'a')?.status).toBe('running');
  });
});

describe('everything else on the screen', () => {
  const by = { subject: 'mia', via: 'web' } as const;

  it('[TL-1] shows text, thinking, errors and changes of the session', () => {
    const rule = {
      id: 'r',
      toolName: 'Bash',
      createdAt: 1,
      createdBy: 'mia',
      interactionId: 'a~1',
    };
    const timeline = fold(
      event('thinking', {}, { text: 'Hm' }),
      event('error', {}, { message: 'Overloaded', code: 'busy' }),
      event('session_updated', {}, { permissionMode: 'plan', by }),
      event('session_updated', {}, { ruleAdded: rule, by }),
      event('session_updated', {}, { title: 'Other', by }),
      event('session_updated', {}, { queued: [], by }),
      event('history_imported', {}, { provider: 'p', cliSessionId: 'c', entries: 3, rev: 1 }),
      event('context_cleared', {}, { by }),
    );
    expect(outline(timeline)).toEqual([
      'turn-1: [thinking error] [session_updated session_updated]',
      'turn-8: [context_cleared]',
    ]);
  });

  it('[TL-1] shows an event of an unknown type, or with missing fields', () => {
    const timeline = fold(
      event('assistant_text', r1, { text: 'Hi' }),
      { type: 'image', responseId: 'r1', payload: { url: 'x' } } as unknown as DraftEvent,
      { type: 'user_message', payload: null } as unknown as DraftEvent,
      { type: 'tool_call', payload: { toolName: 'Bash' } } as unknown as DraftEvent,
    );
    expect(outline(timeline)).toEqual([
      'turn-1: ["Hi" unknown image] [unknown user_message unknown tool_call]',
    ]);
  });
});

describe('streamed text', () => {
  const delta = (words: string, responseId = 'r1') => ({ turnId: 't', responseId, text: words });

  it('[LOG-5] grows at the end of its response, and the stored text takes its place', () => {
    const log = logOf(begins('t'), calls('a', { ...r1, turnId: 't' }), text('Hello', r1));
    const started = foldEvents(emptyTimeline(), log.slice(0, 2));
    const streamed = foldDelta(foldDelta(started, delta('Hel')), delta('lo'));
    expect(outline(streamed)).toEqual(['t: [a "Hello…"]']);
    const stored = foldEvents(streamed, log);
    expect(outline(stored)).toEqual(['t: [a "Hello"]']);
    const [before, after] = [streamed, stored].map((one) => one.turns[0]?.containers[0]);
    expect(after?.id).toBe(before?.id);
    expect(after?.blocks.at(-1)?.id).toBe(before?.blocks.at(-1)?.id);
    expect(after?.blocks[0]).toBe(before?.blocks[0]);
  });

  it('[LOG-5] makes the container that its text will be in', () => {
    const streamed = foldDelta(foldEvents(emptyTimeline(), logOf(begins('t'))), delta('Hi'));
    const stored = foldEvents(streamed, logOf(begins('t'), text('Hi', r1)));
    expect(streamed.turns[0]?.containers[0]?.id).toBe(stored.turns[0]?.containers[0]?.id);
  });

  it('[LOG-5] is dropped when the model is tried again, the turn ends, or the connection is lost', () => {
    const log = logOf(begins('t'));
    const streamed = foldDelta(foldEvents(emptyTimeline(), log), delta('Hel'));
    const after = (draft: DraftEvent) => foldEvents(streamed, logOf(begins('t'), draft));
    expect(outline(after(event('session_status', {}, { status: 'retrying' })))).toEqual(['t: ']);
    expect(outline(after(ends('t')))).toEqual(['t: ']);
    expect(outline(withoutPreviews(streamed))).toEqual(['t: ']);
    expect(outline(after(text('Other', { responseId: 'r2' })))).toEqual(['t: ["Other"] ["Hel…"]']);
  });
});

describe('object identity', () => {
  it('[TL-1] stays the same for every turn, container and block that an event does not name', () => {
    const log = logOf(
      begins('t'),
      calls('a', r1),
      ends('t'),
      begins('u'),
      calls('b', { responseId: 'r2' }),
      text('x', { responseId: 'r3' }),
      text('y', { responseId: 'r2' }),
    );
    const before = foldEvents(emptyTimeline(), log.slice(0, 6));
    const after = foldEvents(before, log);
    expect(after.turns[0]).toBe(before.turns[0]);
    expect(after.turns[1]).not.toBe(before.turns[1]);
    expect(after.turns[1]?.containers[1]).toBe(before.turns[1]?.containers[1]);
    expect(after.turns[1]?.containers[0]?.blocks[0]).toBe(
      before.turns[1]?.containers[0]?.blocks[0],
    );
    expect(foldEvents(after, log)).toBe(after);
  });
});
