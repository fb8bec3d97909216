/**
 * Interactions of a log laid over the history of a command-line agent. A bug here looks like a card at the wrong tool
 * block, a text that is drawn twice, or an answered card that asks again.
 */
import { describe, expect, it } from 'vitest';
import { alignHistory, HISTORY_SUBJECT } from '../../src/client/timeline/align.ts';
import { emptyTimeline, foldEvents } from '../../src/client/timeline/index.ts';
import type { DraftEvent, SessionEvent } from '../../src/protocol/schema/event.ts';
import type { HistoryEntry } from '../../src/protocol/types.ts';
import {
  AT,
  begins,
  calls,
  closes,
  ends,
  event,
  opens,
  reprompts,
  results,
  says,
  text,
} from './client-events.ts';

type Timed<T> = readonly [second: number, draft: T];

/** Entries of a turn `t` with responses `r`, as a transcript has them. */
const historyOf = (...entries: readonly Timed<DraftEvent>[]): HistoryEntry[] =>
  entries.map(([second, draft], n) => {
    const { payload, ...rest } = draft;
    const { subject: _subject, ...kept } = payload as Record<string, unknown>;
    return { ...rest, id: `line-${n}`, at: AT + second * 1_000, payload: kept } as HistoryEntry;
  });

const logOf = (...events: readonly Timed<DraftEvent | readonly DraftEvent[]>[]): SessionEvent[] =>
  events
    .flatMap(([second, drafts]) =>
      [drafts].flat().map((draft) => ({ ...draft, at: AT + second * 1_000 }) as SessionEvent),
    )
    .map((one, n) => ({ ...one, seq: n + 1 }));

const T = { turnId: 't', responseId: 'r' };
const run = (id: string, command = 'ls') => calls(id, T, { command });
const imported = (count: number) =>
  event('history_imported', {}, { provider: 'codex', cliSessionId: 's', entries: count } as never);

/** `type id`, where the id is that of the interaction or the call, or the text. */
function shown(events: readonly SessionEvent[]): string[] {
  return events.map(({ type, toolCallId, payload }) => {
    const isDone = type === 'interaction_pending' && !payload.pending;
    const text = 'text' in payload ? payload.text : '';
    const about = 'interactionId' in payload ? payload.interactionId : (toolCallId ?? text);
    return `${isDone ? 'done' : type.replace('interaction_', '')} ${about}`.trim();
  });
}

function stepsOf(events: readonly SessionEvent[]) {
  const { turns } = foldEvents(emptyTimeline(), events);
  const blocks = turns.flatMap(({ containers }) => containers.flatMap((one) => one.blocks));
  return blocks.flatMap((block) => {
    const steps =
      block.type === 'tool' ? block.steps : block.type === 'questionnaire' ? [block.step] : [];
    return steps.map(({ interactionId, status, outcome }) => ({
      interactionId,
      status,
      outcome,
      call: 'call' in block ? block.call : undefined,
    }));
  });
}

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

describe('a log without history', () => {
  it('[ALN-4] stays as it is, in the order of its numbers', () => {
    const log = logOf([1, begins()], [2, opens('a')], [3, closes('a', 'approved')]);
    expect(alignHistory([], log.toReversed())).toEqual(log);
    expect(alignHistory([], [...log, ...log])).toEqual(log);
    expect(alignHistory([], [])).toEqual([]);
  });
});
