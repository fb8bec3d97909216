/**
 * The log and its deltas as the stream of one message. A bug would look like text yielded twice, text of
 * another turn, or a stream that never ends.
 */
import { describe, expect, it } from 'vitest';
import type { Delta } from '../../src/client/transport.ts';
import { askedEvent, type TurnEvent } from '../../src/client/message-stream/turn-event.ts';
import { type MessageMatch, TurnStream } from '../../src/client/message-stream/turn-stream.ts';
import type { Snapshot } from '../../src/protocol/types.ts';
import type { DraftEvent } from '../../src/protocol/schema/event.ts';
import { answer, askApproval, askForm, askPlan, askQuestion } from '../support/asks.ts';
import { snapshot } from '../support/client/connection-cases.ts';
import { worldAfter } from '../support/core-world.ts';

const SAID: DraftEvent = {
  type: 'user_message',
  payload: { text: 'Hello', subject: 'mia', messageId: 'm1' },
};
const started = (turnId?: string): DraftEvent => ({
  type: 'turn_started',
  ...(turnId && { turnId }),
  payload: {},
});
const ended = (turnId?: string): DraftEvent => ({
  type: 'turn_ended',
  ...(turnId && { turnId }),
  payload: { reason: 'completed' },
});
const text = (words: string, turnId?: string): DraftEvent => ({
  type: 'assistant_text',
  responseId: 'r1',
  ...(turnId && { turnId }),
  payload: { text: words },
});

function stream(sent: Partial<MessageMatch> = {}, turn: Snapshot['session']['turn'] = null) {
  const base = snapshot(0);
  const turns = new TurnStream(
    { ...base, session: { ...base.session, turn } },
    { text: 'Hello', ...sent },
  );
  let seq = 0;
  const yielded: TurnEvent[] = [];
  return {
    turns,
    yielded,
    play(...drafts: readonly (DraftEvent | Delta)[]) {
      for (const draft of drafts) {
        if (!('type' in draft)) yielded.push(...turns.delta(draft));
        else {
          seq += 1;
          yielded.push(...turns.event({ ...draft, seq, at: seq }));
        }
      }
      return yielded;
    },
  };
}
const words = (events: readonly TurnEvent[]) =>
  events.map((event) => (event.type === 'text_delta' ? event.text : event.type));

describe('the stream of a message', () => {
  it('[STR-1] starts with its own message and ends with the turn that takes the message', () => {
    const { play, turns } = stream();
    const before = [started('t0'), text('before', 't0'), ended('t0')];
    const yielded = play(
      ...before,
      SAID,
      started('t1'),
      text('mine', 't1'),
      ended('t1'),
      text('x'),
    );
    expect(words(yielded)).toEqual(['mine', 'done']);
    expect(turns.isOver).toBe(true);
  });

  it('[STR-1] ends with the turn that was running when the message came', () => {
    const { play } = stream({}, { turnId: 't0', startedAt: 1 });
    expect(words(play(SAID, text('on it', 't0'), ended('t0')))).toEqual(['on it', 'done']);
  });

  it('[STR-1] leaves out events with the id of another turn', () => {
    const { play } = stream({ turnId: 't2' });
    const yielded = play(SAID, started('t1'), text('theirs', 't1'), ended('t1'), started('t2'));
    expect(words(yielded)).toEqual([]);
    expect(words(play(text('mine', 't2'), text('mine too'), ended()))).toEqual([
      'mine',
      'mine too',
      'done',
    ]);
  });

  it('[STR-1] recognizes a queued message by its id', () => {
    const { play } = stream({ messageId: 'm2' });
    const other = {
      ...SAID,
      payload: { ...SAID.payload, messageId: 'm2', text: 'edited' },
    } as DraftEvent;
    expect(words(play(SAID, started('t1'), text('theirs'), ended('t1')))).toEqual([]);
    expect(words(play(other, started('t2'), ended('t2')))).toEqual(['done']);
  });

  it('[STR-1, LOG-5] yields a previewed text once, and a voided text anew', () => {
    const { play, yielded } = stream();
    play(SAID, started(), { responseId: 'r1', text: 'Hel' }, { responseId: 'r1', text: 'lo' });
    play(text('Hello you'), { responseId: 'r1', text: 'Bye' }, text('Good night'), text(''));
    expect(yielded).toEqual([
      { type: 'text_delta', text: 'Hel', responseId: 'r1' },
      { type: 'text_delta', text: 'lo', responseId: 'r1' },
      { type: 'text_delta', text: ' you', responseId: 'r1' },
      { type: 'text_delta', text: 'Bye', responseId: 'r1' },
      { type: 'text_delta', text: 'Good night', responseId: 'r1', isReplacement: true },
    ]);
  });

  it('[STR-1] yields each interaction, of every kind, and its outcome', () => {
    const world = worldAfter(
      askQuestion({ toolCallId: 'c1' }),
      answer('c1~1', { answers: { '0': 'Red' } }),
      askPlan({ toolCallId: 'c2' }),
      askForm({ toolCallId: 'c3' }),
    );
    const { play } = stream();
    const yielded = play(SAID, ...world.log);
    expect(yielded).toMatchObject([
      { type: 'question_prompt', toolCallId: 'c1', interactionId: 'c1~1', questions: [{}] },
      {
        type: 'interaction_resolved',
        interactionId: 'c1~1',
        outcome: 'answered',
        interaction: { status: 'settled', answers: { '0': 'Red' } },
      },
      { type: 'plan_review_required', interactionId: 'c2~1', plan: '1. Look\n2. Leap' },
      { type: 'form_required', interactionId: 'c3~1', request: { schema: {} } },
    ]);
  });

  it('[STR-1, APR-6] yields the choices of an approval, without which it cannot be approved', () => {
    const choices = [{ id: 'go', label: 'Go', decision: 'approve' }];
    const { log } = worldAfter(askApproval(), askApproval({ toolCallId: 'call-2' }, { choices }));
    const asked = log.flatMap((event) =>
      event.type === 'interaction_request' ? [askedEvent(event.payload)] : [],
    );
    expect(asked[0]).not.toHaveProperty('choices');
    expect(asked[1]).toMatchObject({ type: 'approval_required', toolName: 'Bash', choices });
  });

  it('[STR-1] yields that a person must answer, also for a kind of a newer server', () => {
    const { play } = stream();
    const payload = {
      kind: 'riddle',
      toolName: 'Sphinx',
      toolCallId: 'c',
      interactionId: 'c~1',
      request: {},
    };
    const novelty = { type: 'interaction_request', payload } as unknown as DraftEvent;
    expect(play(SAID, novelty)).toMatchObject([{ type: 'session_status', status: 'idle' }]);
  });

  it('[STR-1] ends when the session is cleared or deleted, but not over an earlier clear', () => {
    const by = { subject: 'mia', via: 'web' } as const;
    const cleared: DraftEvent = { type: 'context_cleared', payload: { by } };
    expect(stream().play(cleared, SAID, cleared)).toEqual([{ type: 'done', reason: 'cleared' }]);
    const queued = { id: 'm9', text: 'Hello', subject: 'mia', at: 1 };
    const kept: DraftEvent = { type: 'session_updated', payload: { queued: [queued], by } };
    expect(stream({ messageId: 'm9' }).play(kept, cleared)).toHaveLength(1);
    const deleted: DraftEvent = { type: 'session_status', payload: { status: 'deleted' } };
    expect(stream().play(deleted, SAID)).toEqual([{ type: 'done', reason: 'deleted' }]);
  });

  it('[STR-1] yields the error before it yields done', () => {
    const failed: DraftEvent = {
      type: 'turn_ended',
      payload: { reason: 'error', message: 'Overloaded' },
    };
    const error: DraftEvent = { type: 'error', payload: { message: 'Odd', code: 'odd' } };
    expect(stream().play(SAID, error, failed)).toEqual([
      { type: 'error', message: 'Odd', code: 'odd' },
      { type: 'error', message: 'Overloaded' },
      { type: 'done', reason: 'error' },
    ]);
  });

  it('[STR-1, PEND-9] ends when the agent of the turn has failed, and not when another agent has', () => {
    const by = (credential: string) => ({ by: { credential, subject: credential } });
    const begun: DraftEvent = { type: 'turn_started', payload: by('one') };
    const failed = (who: string): DraftEvent => ({
      type: 'error',
      payload: { message: 'Gone', ...by(who) },
    });
    const over = (who: string): DraftEvent => ({
      type: 'turn_ended',
      payload: { reason: 'completed', ...by(who) },
    });
    const { play, turns } = stream();
    play(SAID, begun, failed('two'), over('two'));
    expect(turns.isOver).toBe(false);
    expect(play(failed('one')).at(-1)).toEqual({ type: 'done', reason: 'error' });
  });

  it('[STR-1, PEND-9] of the built-in agent continues when a program reports that it has failed', () => {
    const { play, turns } = stream({ turnId: 't1' });
    const by = { credential: 'key', subject: 'program' };
    play(SAID, started('t1'), { type: 'error', payload: { message: 'Gone', by } });
    expect(turns.isOver).toBe(false);
    play(ended('t1'));
    expect(turns.isOver).toBe(true);
  });
});
