/**
 * Interactions and reports laid over a history by their content, where no id says what belongs together. A bug here looks like a text
 * that is drawn twice, or a card at another call with the same input.
 */
import { describe, expect, it } from 'vitest';
import { alignHistory, HISTORY_SUBJECT } from '../../src/client/timeline/align.ts';
import { emptyTimeline, foldEvents } from '../../src/client/timeline/index.ts';
import type { DraftEvent } from '../../src/protocol/schema/event.ts';
import { begins, closes, ends, event, opens, results, says, text } from './client-events.ts';
import { historyOf, logOf, T, run, shown, stepsOf } from './aligned-history.ts';

const imported = (count: number) =>
  event('history_imported', {}, { provider: 'codex', cliSessionId: 's', entries: count } as never);

describe('an interaction whose call has another id in the history', () => {
  const ask =
    (command: string | string[], toolName = 'holdpoint_ask') =>
    (drafts: readonly DraftEvent[]) =>
      drafts.map((draft) =>
        draft.type === 'interaction_request'
          ? {
              ...draft,
              payload: {
                ...draft.payload,
                toolName,
                correlate: {
                  plugin: 'holdpoint',
                  operation: 'ask',
                  tool: 'holdpoint_ask',
                  command,
                },
              },
            }
          : draft,
      );
  const history = historyOf(
    [1, begins('t')],
    [2, run('c1', 'holdpoint ask "Which color?" --option red')],
    [9, results('c1')],
    [10, run('c2', 'npx holdpoint ask "Which size?"')],
    [19, results('c2')],
    [20, run('c3', 'holdpoint ask "Which color?" --option red')],
    [29, results('c3')],
    [30, run('c4', 'run the task')],
  );
  const atOf = (second: number, command: string | string[], toolName?: string) => {
    const log = logOf(
      [second, ask(command, toolName)(opens('own', { kind: 'question' }))],
      [second + 1, closes('own', 'answered', { kind: 'question' })],
    );
    const aligned = alignHistory(history, log);
    const request = aligned.find(({ type }) => type === 'interaction_request');
    const before = shown(aligned)[shown(aligned).indexOf('pending own~1') - 1];
    expect(request?.payload).toMatchObject({
      interactionId: 'own~1',
      toolCallId: request?.toolCallId,
    });
    const ids = aligned.flatMap(({ payload }) =>
      'interactionId' in payload ? payload.toolCallId : [],
    );
    expect(new Set(ids).size).toBe(1);
    return [before, request?.toolCallId];
  };

  it('[ALN-3] goes to the call that has all words of its command, and takes its id', () => {
    expect(atOf(25, ['holdpoint', 'ask', 'Which size?'])).toEqual(['tool_call c2', 'c2']);
    expect(atOf(5, 'ask "Which size?"')).toEqual(['tool_call c2', 'c2']);
  });

  it('[ALN-3] goes to the nearest of several', () => {
    const command = ['ask', 'Which color?', '--option', 'red'];
    expect(atOf(5, command)).toEqual(['tool_call c1', 'c1']);
    expect(atOf(10, command)).toEqual(['tool_call c1', 'c1']);
    expect(atOf(11, command)).toEqual(['tool_call c1', 'c1']);
    expect(atOf(12, command)).toEqual(['tool_call c3', 'c3']);
  });

  it('[ALN-3] goes by the name of the tool if no call has the words', () => {
    expect(atOf(12, ['ask', 'Which shape?'])).toEqual(['tool_call c2', 'c2']);
    expect(atOf(31, ['ask', 'Which shape?'])).toEqual(['tool_call c3', 'c3']);
    expect(atOf(31, [], 'Bash')).toEqual(['tool_call c4', 'c4']);
  });

  it('[ALN-6] stays open although the call that it goes to has a result by now', () => {
    const history = historyOf([1, run('a')]);
    const log = logOf([2, opens('x')], [3, results('a')]);
    const aligned = alignHistory(history, log);
    expect(shown(aligned).indexOf('tool_result a')).toBeLessThan(
      shown(aligned).indexOf('request x~1'),
    );
    expect(stepsOf(aligned)).toMatchObject([{ interactionId: 'x~1', status: 'open' }]);
  });

  it('[ALN-6] stays open after a result that the history has under its own id, without the call', () => {
    const history = historyOf([1, run('a')], [2, results('b')]);
    const log = logOf([3, opens('a')], [4, opens('b')]);
    const aligned = shown(alignHistory(history, log));
    expect(aligned.indexOf('tool_result b')).toBeLessThan(aligned.indexOf('request b~1'));
  });

  it('[ALN-4] is placed by time if nothing matches, in the turn that runs then', () => {
    const log = logOf(
      [15, opens('own', { names: { turnId: 'live', responseId: 'live' } })],
      [40, closes('own', 'approved')],
    );
    const other = log.map((one) =>
      one.type === 'interaction_request'
        ? { ...one, payload: { ...one.payload, toolName: 'deploy' } }
        : one,
    );
    const aligned = alignHistory(history, other);
    expect(shown(aligned).slice(3, 7)).toEqual([
      'tool_call c2',
      'pending own~1',
      'request own~1',
      'tool_result c2',
    ]);
    expect(shown(aligned).slice(-2)).toEqual(['response own~1', 'done own~1']);
    const { turns } = foldEvents(emptyTimeline(), aligned);
    expect(turns.map(({ turnId }) => turnId)).toEqual(['t']);
  });

  it('[ALN-3] stands beside its call with an id of its own while another question of the call is open', () => {
    const log = logOf(
      [3, ask(['ask', 'Which color?'])(opens('x', { kind: 'question' }))],
      [4, ask(['ask', 'Which color?'])(opens('y', { kind: 'question' }))],
      [5, closes('x', 'answered', { kind: 'question' })],
      [6, closes('y', 'answered', { kind: 'question' })],
    );
    const steps = stepsOf(alignHistory(history, log));
    expect(steps.map(({ interactionId, outcome }) => [interactionId, outcome])).toEqual([
      ['x~1', 'answered'],
      ['y~1', 'answered'],
    ]);
  });

  it('[ALN-3] becomes the second step of a call that was itself approved', () => {
    const log = logOf(
      [3, opens('c1')],
      [4, closes('c1', 'approved')],
      [5, ask(['ask', 'Which color?'])(opens('own', { kind: 'question' }))],
      [6, closes('own', 'answered', { kind: 'question' })],
    );
    const steps = stepsOf(alignHistory(history, log));
    expect(steps.map(({ interactionId, call }) => [interactionId, call?.toolCallId])).toEqual([
      ['c1~1', 'c1'],
      ['own~1', 'c1'],
    ]);
  });
});

describe('what the agent reported and the transcript has too', () => {
  const history = historyOf(
    [10, begins('t')],
    [10, says('Hello', { turnId: 't' })],
    [11, text('I look.', T)],
    [12, run('a')],
    [13, results('a')],
    [14, text('Done.', T)],
  );

  it('[ALN-6] is drawn once, with everything that only the log has', () => {
    const log = logOf(
      [1, text('Before the command line.')],
      [9, begins()],
      [9, says('Hello')],
      [11, text('I look.')],
      [12, run('a')],
      [12, opens('a')],
      [12, closes('a', 'approved')],
      [13, results('a')],
      [
        13,
        event('session_updated', {}, {
          permissionMode: 'plan',
          by: { subject: 'm', via: 'web' },
        } as never),
      ],
      [15, text('Done.')],
      [15, ends()],
      [20, begins()],
      [21, text('Done.')],
      [22, run('b')],
    );
    expect(shown(alignHistory(history, log))).toEqual([
      'assistant_text Before the command line.',
      'turn_started',
      'user_message Hello',
      'assistant_text I look.',
      'tool_call a',
      'pending a~1',
      'request a~1',
      'response a~1',
      'done a~1',
      'tool_result a',
      'session_updated',
      'assistant_text Done.',
      'turn_ended',
      'turn_started',
      'assistant_text Done.',
      'tool_call b',
    ]);
  });

  it('[ALN-6] keeps a call of another agent that a person was asked about', () => {
    const log = logOf(
      [11, run('other')],
      [11, text('From another agent')],
      [11, opens('other')],
      [12, closes('other', 'approved')],
      [13, results('other')],
    );
    const named = log.map((one) =>
      one.type === 'interaction_request'
        ? { ...one, payload: { ...one.payload, toolName: 'deploy' } }
        : one,
    );
    expect(
      shown(alignHistory(history, named)).filter(
        (one) => one.endsWith('other') || one.includes('other~'),
      ),
    ).toEqual([
      'tool_call other',
      'pending other~1',
      'request other~1',
      'response other~1',
      'done other~1',
      'tool_result other',
    ]);
  });

  it('[ALN-6] keeps the result of a call that the transcript does not have yet', () => {
    const cut = history.slice(0, 4);
    const log = logOf([12, run('a')], [13, results('a')]);
    expect(shown(alignHistory(cut, log)).slice(-2)).toEqual(['tool_call a', 'tool_result a']);
  });

  it('[ALN-6] names the author of a message that the history does not name', () => {
    const [, message] = alignHistory(history, []);
    expect(message?.payload).toEqual({ text: 'Hello', subject: HISTORY_SUBJECT });
  });

  it('[ALN-4] is not older than all of the log because its clock is in the future', () => {
    const future = history.map((entry) => ({ ...entry, at: entry.at + 1e12 }));
    const log = logOf([20, imported(6)], [30, text('Live.')], [31, run('z')]);
    expect(shown(alignHistory(future, log)).slice(-3)).toEqual([
      'history_imported',
      'assistant_text Live.',
      'tool_call z',
    ]);
  });
});
