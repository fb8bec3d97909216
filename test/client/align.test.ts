/**
 * Interactions of a log laid over the history of a command-line agent. A bug here looks like a card at the wrong tool
 * block, a text that is drawn twice, or an answered card that asks again.
 */
import { describe, expect, it } from 'vitest';
import { alignHistory } from '../../src/client/timeline/align.ts';
import { begins, closes, event, opens, reprompts, results, text } from './client-events.ts';
import { historyOf, logOf, T, run, shown, stepsOf } from './aligned-history.ts';

describe('an interaction whose call is in the history', () => {
  const history = historyOf(
    [1, begins('t')],
    [2, run('a')],
    [3, run('b')],
    [30, results('b')],
    [40, results('a')],
    [50, text('Done.', T)],
  );

  it('[ALN-2] stands between the call and its result', () => {
    const log = logOf(
      [5, opens('a')],
      [6, opens('b')],
      [20, closes('a', 'approved')],
      [25, closes('b', 'denied')],
    );
    const aligned = alignHistory(history, log);
    expect(shown(aligned)).toEqual([
      'turn_started',
      'tool_call a',
      'pending a~1',
      'request a~1',
      'tool_call b',
      'pending b~1',
      'request b~1',
      'response b~1',
      'done b~1',
      'tool_result b',
      'response a~1',
      'done a~1',
      'tool_result a',
      'assistant_text Done.',
    ]);
    expect(aligned.map(({ seq }) => seq)).toEqual(aligned.map((_, n) => n + 1));
  });

  it('[ALN-2] takes the turn and the response of its call', () => {
    const log = logOf([5, opens('a', { names: { turnId: 'live', responseId: 'other' } })]);
    for (const one of alignHistory(history, log).filter(({ type }) =>
      type.startsWith('interaction'),
    )) {
      expect(one).toMatchObject(T);
    }
  });

  it('[ALN-2] stands after the call if the call has no result', () => {
    const log = logOf([5, opens('a')], [20, closes('a', 'approved')]);
    expect(shown(alignHistory(history.slice(0, 3), log))).toEqual([
      'turn_started',
      'tool_call a',
      'pending a~1',
      'request a~1',
      'response a~1',
      'done a~1',
      'tool_call b',
    ]);
  });

  it('[ALN-2] keeps all steps of a call together, in the order of the log', () => {
    const log = logOf(
      [5, opens('a')],
      [6, opens('b')],
      [7, reprompts('a', 2)],
      [8, closes('a', 'approved', { step: 2 })],
      [9, opens('a', { step: 3, kind: 'question' })],
      [10, closes('b', 'approved')],
      [11, closes('a', 'answered', { step: 3, kind: 'question' })],
    );
    const aligned = alignHistory(history, log);
    const ofA = shown(aligned).filter((one) => one.includes(' a'));
    expect(ofA).toEqual([
      'tool_call a',
      'pending a~1',
      'request a~1',
      'response a~1',
      'pending a~2',
      'request a~2',
      'response a~2',
      'done a~2',
      'pending a~3',
      'request a~3',
      'response a~3',
      'done a~3',
      'tool_result a',
    ]);
    expect(shown(aligned).slice(1, 10)).toEqual(ofA.slice(0, 9));
    expect(stepsOf(aligned).map(({ interactionId, outcome }) => [interactionId, outcome])).toEqual([
      ['a~2', 'approved'],
      ['a~3', 'answered'],
      ['b~1', 'approved'],
    ]);
  });

  it('[ALN-6] stays settled, whenever the history arrives', () => {
    const log = logOf(
      [5, opens('a')],
      [20, closes('a', 'approved')],
      [60, opens('b')],
      [61, closes('b', 'expired')],
    );
    for (let length = 0; length <= history.length; length += 1) {
      const steps = stepsOf(alignHistory(history.slice(0, length), log));
      expect(
        steps.map(({ interactionId, status, outcome }) => [interactionId, status, outcome]),
      ).toEqual([
        ['a~1', 'settled', 'approved'],
        ['b~1', 'settled', 'expired'],
      ]);
    }
  });

  it('[ALN-2] stays open although the call has a result, because a person can still answer', () => {
    const open = logOf([5, opens('a')]);
    const [step] = stepsOf(alignHistory(history, open));
    expect(step).toMatchObject({
      interactionId: 'a~1',
      status: 'open',
      call: { status: 'pending' },
    });
  });

  it('[ALN-6] stays open although the agent reported a result before it asked again', () => {
    const log = logOf(
      [5, opens('a')],
      [6, closes('a', 'approved')],
      [7, results('a')],
      [8, opens('a', { step: 2 })],
    );
    const steps = stepsOf(alignHistory(history.slice(0, 2), log));
    expect(steps.map(({ interactionId, status }) => [interactionId, status])).toEqual([
      ['a~1', 'settled'],
      ['a~2', 'open'],
    ]);
  });

  it('[ALN-4] is not cancelled by a clear that came before it', () => {
    const cleared = event('context_cleared', {}, { by: { subject: 'm', via: 'web' } });
    // The clock of the command line is ten seconds behind.
    const changed = event('session_updated', {}, {
      permissionMode: 'plan',
      by: { subject: 'm', via: 'web' },
    } as never);
    const log = logOf([11, changed], [12, cleared], [13, opens('b')]);
    const aligned = alignHistory(history.slice(0, 3), log);
    expect(shown(aligned)).toEqual([
      'turn_started',
      'tool_call a',
      'session_updated',
      'context_cleared',
      'tool_call b',
      'pending b~1',
      'request b~1',
    ]);
    expect(stepsOf(aligned)).toMatchObject([{ status: 'open' }]);
  });
});

describe('a log without history', () => {
  it('[ALN-4] stays as it is, in the order of its numbers', () => {
    const log = logOf([1, begins()], [2, opens('a')], [3, closes('a', 'approved')]);
    expect(alignHistory([], log.toReversed())).toEqual(log);
    expect(alignHistory([], [...log, ...log])).toEqual(log);
    expect(alignHistory([], [])).toEqual([]);
  });
});
