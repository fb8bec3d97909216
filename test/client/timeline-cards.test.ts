/** Interactions and calls on the timeline. A bug here looks like buttons that are active after a decision, or a call in a wrong state. */
import { describe, expect, it } from 'vitest';
import { emptyTimeline, foldEvents } from '../../src/client/timeline/index.ts';
import type { DraftEvent } from '../../src/protocol/schema/event.ts';
import {
  asks,
  AT,
  begins,
  calls,
  closes,
  ends,
  event,
  logOf,
  opens,
  QUESTIONS,
  reprompts,
  results,
  settles,
  text,
  waits,
} from './client-events.ts';
import { fold, outline, blocksOf, callOf, r1, by } from './timeline-outline.ts';

const startedBy = (who: string, turnId?: string) =>
  event('turn_started', turnId === undefined ? {} : { turnId }, by(who));

const endedBy = (who: string) => event('turn_ended', {}, { reason: 'completed', ...by(who) });

const failedBy = (who: string) => event('error', {}, { message: 'Out of credit', ...by(who) });

describe('the interactions of a timeline', () => {
  it('[TL-5] attach to the block, or stand alone after the block', () => {
    expect(outline(fold(calls('a'), ...opens('a')))).toEqual(['turn-1: [a(open)]']);
    const alone = fold(calls('a', r1), text('x', r1), ...opens('a', { kind: 'form' }));
    expect(outline(alone)).toEqual(['turn-1: [a ask a~1(open) "x"]']);
  });

  it('[TL-5] stand in the container of the response, else in the container of the call', () => {
    const asked = opens('a', { kind: 'question', names: r1 });
    expect(outline(fold(text('x', r1), ...asked))).toEqual(['turn-1: ["x" ask a~1(open)]']);
    const nowhere = fold(text('x', r1), ...opens('a', { kind: 'question' }));
    expect(outline(nowhere)).toEqual(['turn-1: ["x"] [ask a~1(open)]']);
  });

  it('[TL-6] show a reprompt in the place of the replaced request', () => {
    const tool = fold(calls('a', r1), text('x', r1), ...opens('a'), ...reprompts('a', 2));
    expect(outline(tool)).toEqual(['turn-1: [a(open) "x"]']);
    expect(blocksOf(tool)[0]).toMatchObject({ steps: [{ interactionId: 'a~2' }] });
    const form = { kind: 'form' };
    const alone = fold(...opens('a', form), ...opens('b', form), ...reprompts('a', 2, form));
    expect(outline(alone)).toEqual(['turn-2: [ask a~2(open)] [ask b~1(open)]']);
  });

  it('[TL-6] keep the first request beside the changed request, until the change is decided and another is asked', () => {
    const twice = [...opens('a'), ...reprompts('a', 2), ...reprompts('a', 3)];
    const changed = { steps: [{ interactionId: 'a~3' }], changedFrom: { interactionId: 'a~1' } };
    expect(blocksOf(fold(...twice))[0]).toMatchObject(changed);
    const decided = fold(
      ...twice,
      ...closes('a', 'denied', { step: 3 }),
      ...opens('a', { step: 4 }),
    );
    expect(blocksOf(decided)[0]).not.toHaveProperty('changedFrom');
    const form = { kind: 'form' };
    const alone = fold(...opens('a', form), ...reprompts('a', 2, form));
    expect(blocksOf(alone)[0]).toMatchObject({ changedFrom: { interactionId: 'a~1' } });
  });

  it('[TL-6] keep the first request also where the change took two steps', () => {
    const again = opens('a', { step: 2 }).map((event) =>
      event.type === 'interaction_request'
        ? { ...event, payload: { ...event.payload, inputChanged: true as const } }
        : event,
    );
    const timeline = fold(...opens('a'), ...closes('a', 'cancelled'), ...again);
    expect(blocksOf(timeline)[0]).toMatchObject({
      steps: [{ interactionId: 'a~1' }, { interactionId: 'a~2' }],
      changedFrom: { interactionId: 'a~1' },
    });
  });

  it('[TL-6] keep a settled step, and show the next step after it', () => {
    const tool = fold(...opens('a'), ...closes('a', 'denied'), ...opens('a', { step: 2 }));
    expect(outline(tool)).toEqual(['turn-2: [?a(denied, open)]']);
    const form = { kind: 'form' };
    const alone = fold(
      ...opens('a', form),
      ...closes('a', 'answered', form),
      ...opens('a', { ...form, step: 2 }),
    );
    expect(outline(alone)).toEqual(['turn-2: [ask a~1(answered) ask a~2(open)]']);
  });

  it('[TL-6] follow a reprompt from one presentation to another', () => {
    const other = { kind: 'question' };
    const [superseded] = reprompts('a', 2);
    const next = asks('a', { ...other, step: 2, replaces: 'a~1' });
    const timeline = fold(calls('a'), ...opens('a'), superseded as DraftEvent, next);
    expect(outline(timeline)).toEqual(['turn-1: [a ask a~2(open)]']);
    const back = fold(
      ...opens('a', other),
      settles('a', 'superseded', other),
      asks('a', { step: 2, replaces: 'a~1' }),
    );
    expect(outline(back)).toEqual(['turn-2: [?a(open)]']);
  });

  it('[TL-6, TL-7] leave no empty placeholder behind after a change of presentation', () => {
    const next = asks('a', { kind: 'question', step: 2, replaces: 'a~1' });
    const [superseded] = reprompts('a', 2);
    const timeline = fold(...opens('a'), superseded as DraftEvent, next);
    expect(outline(timeline)).toEqual(['turn-2: [ask a~2(open)]']);
    expect(callOf(timeline)).toMatchObject({ toolName: 'AskUserQuestion', status: 'pending' });
  });

  it('[TL-7] make a placeholder that the call fills when it arrives', () => {
    for (const kind of ['approval', 'plan_review']) {
      const before = fold(...opens('a', { kind, names: r1 }));
      expect(outline(before)).toEqual(['turn-2: [?a(open)]']);
      const after = fold(
        ...opens('a', { kind, names: r1 }),
        calls('b', r1),
        calls('a', r1, { command: 'ls -l' }),
      );
      expect(outline(after)).toEqual(['turn-2: [a(open) b]']);
      expect(callOf(after)).toMatchObject({ input: { command: 'ls -l' }, status: 'pending' });
    }
  });

  it('[TL-7, APR-1] show the input of the approval in a placeholder', () => {
    expect(callOf(fold(...opens('a')))?.input).toEqual({ command: 'ls' });
  });

  it('[TL-7] make no block of a result that belongs to a questionnaire, or to no call', () => {
    const question = { kind: 'question' };
    const timeline = fold(
      ...opens('a', question),
      ...closes('a', 'answered', question),
      results('a'),
    );
    expect(outline(timeline)).toEqual(['turn-2: [ask a~1(answered)]']);
    expect(outline(fold(results('a')))).toEqual([]);
    const late = fold(results('a'), calls('a'));
    expect(callOf(late)).toMatchObject({ status: 'complete', result: { output: 'out' } });
  });

  it('[TL-5, TL-7] put a late call before the questionnaire that stood alone', () => {
    const timeline = fold(...opens('a', { kind: 'question' }), calls('a'));
    expect(outline(timeline)).toEqual(['turn-2: [a ask a~1(open)]']);
  });

  it('[TL-8] join a response that arrived first to its request', () => {
    const early = settles('a', 'approved');
    expect(outline(fold(early))).toEqual([]);
    const timeline = fold(early, asks('a'));
    expect(outline(timeline)).toEqual(['turn-2: [?a(approved)]']);
    expect(callOf(timeline)?.status).toBe('running');
    expect(timeline).toEqual(
      foldEvents(foldEvents(emptyTimeline(), logOf(early)), logOf(early, asks('a'))),
    );
  });

  it('[TL-9] show as cancelled at once when the tool fails, before the log has the cancel', () => {
    for (const kind of ['approval', 'question']) {
      const drafts = [...opens('a', { kind }), results('a', true)];
      const block = blocksOf(fold(...drafts))[0];
      const step = block?.type === 'tool' ? block.steps[0] : undefined;
      const shownStep = block?.type === 'questionnaire' ? block.step : step;
      expect(shownStep).toMatchObject({ status: 'settled', outcome: 'cancelled' });
      expect(callOf(fold(...drafts))?.status).toBe('error');
      const said = fold(...drafts, ...closes('a', 'cancelled', { kind }));
      expect(callOf(said)?.status).toBe('error');
      expect(JSON.stringify(said.turns)).toContain('"subject":"mia"');
    }
  });
});

describe('the state of a call', () => {
  it('[TL-10] is one entry, for any number and order of its events', () => {
    const timeline = fold(
      calls('a', r1),
      calls('a', r1),
      ...opens('a'),
      calls('a', { responseId: 'r2' }),
      ...closes('a', 'approved'),
      results('a'),
      results('a'),
    );
    expect(outline(timeline)).toEqual(['turn-1: [a(approved)]']);
    expect(callOf(timeline)).toEqual({
      toolCallId: 'a',
      toolName: 'Bash',
      input: { n: 1 },
      status: 'complete',
      result: { output: 'out', isError: false },
      interactiveType: 'approval',
    });
  });

  it('[TL-10] of a question has its tool name, no input, and the questions', () => {
    expect(callOf(fold(...opens('a', { kind: 'question' })))).toEqual({
      toolCallId: 'a',
      toolName: 'AskUserQuestion',
      input: '',
      status: 'pending',
      interactiveType: 'question',
      questions: QUESTIONS,
    });
  });

  it('[TL-11] is running, pending while a person is asked, running again, then complete', () => {
    const log = [calls('a'), ...opens('a'), ...closes('a', 'approved'), results('a')];
    const statuses = log.map((_, n) => callOf(fold(...log.slice(0, n + 1)))?.status);
    expect(statuses).toEqual(['running', 'pending', 'pending', 'pending', 'running', 'complete']);
  });

  it.each(['denied', 'expired', 'cancelled'] as const)(
    '[TL-11] is in error when the answer was %s, because no tool runs then',
    (outcome) => {
      const timeline = fold(calls('a'), ...opens('a'), ...closes('a', outcome));
      expect(callOf(timeline)?.status).toBe('error');
      const asked = fold(...opens('a'), ...closes('a', outcome), ...opens('a', { step: 2 }));
      expect(callOf(asked)?.status).toBe('pending');
    },
  );

  it('[TL-11] is in error when its turn ends without a result', () => {
    const timeline = fold(begins('t'), calls('a'), calls('b'), results('b'), ends('t'));
    expect(callOf(timeline)?.status).toBe('error');
    expect(callOf(timeline, 'b')?.status).toBe('complete');
    const again = fold(begins('t'), ends('t'), begins('t'), calls('a'), ends('t'));
    expect(callOf(again)?.status).toBe('error');
  });

  it.each([
    ['an end without a name', [begins()], endedBy('one')],
    ['an end, where nobody said that a turn began', [], ends()],
    ['an end of its agent, where nobody said that a turn began', [], endedBy('one')],
    ['an error of its agent', [begins()], failedBy('one')],
    ['an error, where nobody said that a turn began', [], failedBy('one')],
    ['the start of another turn', [begins('t')], begins('u')],
    ['the start of another turn without a name', [begins()], begins()],
    ['the first start after it', [], begins('t')],
  ] as const)('[TL-11, PEND-9] is in error after %s', (_what, before, end) => {
    const timeline = fold(...before, calls('a'), calls('b'), results('b'), end);
    expect(callOf(timeline)?.status).toBe('error');
    expect(callOf(timeline, 'b')?.status).toBe('complete');
    const late = fold(...before, calls('a'), calls('b'), end, results('a'));
    expect(callOf(late)?.status).toBe('complete');
  });

  it('[TL-11, PEND-9] stays when another agent ends its turn, fails in it or starts a turn', () => {
    for (const [start, end] of [
      [startedBy('one', 't'), endedBy('two')],
      [startedBy('one'), endedBy('two')],
      [startedBy('one'), failedBy('two')],
      [startedBy('one'), startedBy('two')],
    ] as const) {
      const timeline = fold(start, calls('a'), end);
      expect(callOf(timeline)?.status).toBe('running');
      expect(callOf(foldEvents(timeline, [{ ...endedBy('one'), seq: 9, at: AT }]))?.status).toBe(
        'error',
      );
    }
  });

  it('[TL-11] of the built-in agent continues after an error that its session logs', () => {
    const error = event('error', { turnId: 't' }, { message: 'Left out' });
    expect(callOf(fold(begins('t'), calls('a'), error))?.status).toBe('running');
  });

  it('[TL-3] an end without a turn id closes the turn made for events without a turn id', () => {
    const timeline = fold(text('1'), endedBy('one'), text('2'));
    expect(outline(timeline)).toEqual(['turn-1: ["1"]', 'turn-3: ["2"]']);
    expect(timeline.turns[0]?.ended).toEqual({ reason: 'completed', at: AT + 1_000 });
  });

  it('[TL-11] outlives its turn while it waits detached, and runs when it is approved', () => {
    const log = [begins('t'), ...opens('a', { names: { turnId: 't' }, detached: true }), ends('t')];
    expect(callOf(fold(...log))?.status).toBe('pending');
    expect(callOf(fold(...log, ...closes('a', 'approved')))?.status).toBe('running');
  });

  it('[TL-11, GATE-4] shows the decision of a rule or the mode', () => {
    const decided = { behavior: 'deny', by: { mode: 'plan' } } as const;
    const timeline = fold(
      event('tool_call', { toolCallId: 'a' }, { toolName: 'Bash', input: {}, decided }),
    );
    expect(blocksOf(timeline)[0]).toMatchObject({ decided, call: { status: 'error' } });
  });
});

describe('waiting for a person', () => {
  it('[PEND-8] follows interaction_pending, not request and response', () => {
    const log = [calls('a'), ...opens('a'), settles('a', 'approved')];
    expect(callOf(fold(...log))?.status).toBe('pending');
    expect(callOf(fold(calls('a'), waits('a', true)))?.status).toBe('pending');
    expect(callOf(fold(...log, waits('a', false)))?.status).toBe('running');
  });

  it('[PEND-4, TL-6] continues through a reprompt', () => {
    const log = [...opens('a'), ...reprompts('a', 2)];
    const statuses = log.map((_, n) => callOf(fold(...log.slice(0, n + 1)))?.status);
    expect(statuses.slice(1)).toEqual(['pending', 'pending', 'pending', 'pending']);
  });

  it('[PEND-4, TL-6] shows the same of an older log, which has no pending event of a reprompt', () => {
    const log = [calls('a'), ...opens('a'), ...reprompts('a', 2)];
    const older = log.filter((_, at) => at !== log.length - 2);
    expect(outline(fold(...older))).toEqual(outline(fold(...log)));
    expect(callOf(fold(...older))?.status).toBe('pending');
  });

  it('[TL-9, PEND-8] ends with a result, whatever the log holds of the call afterwards', () => {
    const again = { step: 2 };
    const log = [...opens('a'), results('a'), asks('a', again), settles('a', 'denied', again)];
    expect(callOf(fold(...log))?.status).toBe('complete');
  });

  it('[PEND-8, TL-1] does not change in a timeline that several later timelines extend', () => {
    const log = logOf(waits('a', true));
    const waiting = foldEvents(emptyTimeline(), log);
    foldEvents(waiting, logOf(waits('a', true), waits('a', false)));
    const timeline = foldEvents(waiting, logOf(waits('a', true), calls('a')));
    expect(callOf(timeline)?.status).toBe('pending');
  });

  it('[PEND-8] follows request and response where the log has no interaction_pending', () => {
    expect(callOf(fold(asks('a'), settles('a', 'superseded')))?.status).toBe('pending');
    expect(callOf(fold(asks('a')))?.status).toBe('pending');
    expect(callOf(fold(asks('a'), settles('a', 'approved')))?.status).toBe('running');
    expect(callOf(fold(asks('a'), settles('a', 'expired')))?.status).toBe('error');
    const left = fold(begins('t'), asks('a', { names: { turnId: 't' } }), ends('t'));
    expect(outline(left)).toEqual(['t: [?a(cancelled)]']);
    expect(callOf(left)?.status).toBe('error');
  });
});
