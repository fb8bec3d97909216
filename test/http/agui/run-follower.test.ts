/**
 * One run of an AG-UI client. A bug here looks like a run that ends before the answer counts, never ends, or ends as
 * done while a person is asked.
 */
import { describe, expect, it } from 'vitest';
import type { AguiEvent } from '../../../src/http/agui/agui-event.ts';
import { RunFollower } from '../../../src/http/agui/run-follower.ts';
import { listOpenInteractions, viewSession } from '../../../src/core/state.ts';
import type { Command } from '../../../src/protocol/schema/command.ts';
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import { readRuns } from '../../support/agui-runs.ts';
import { answer, append, askApproval, askPlan, sendMessage } from '../../support/asks.ts';
import { type CoreWorld, worldAfter } from '../../support/core-world.ts';

const RUN = { threadId: 'session-1', runId: 'run-a' };
const TURN = append({ type: 'turn_started', payload: {} });
const END = append({ type: 'turn_ended', payload: { reason: 'completed' } });
const SAY = append({ type: 'assistant_text', payload: { text: 'Done' } });

/** A run over a session: the events that it sends, and the frames of its commands. */
class Run {
  readonly world: CoreWorld;
  readonly follower: RunFollower;
  readonly sent: AguiEvent[] = [];
  #received: number;

  constructor(...before: readonly Command[]) {
    this.world = worldAfter(...before);
    const { live, now } = this.world;
    const open = listOpenInteractions(live);
    const snapshot = { session: viewSession(live), head: live.head, open, now };
    this.follower = new RunFollower(RUN, snapshot);
    this.#received = live.head;
  }

  begin(): this {
    this.sent.push(...this.follower.begin([]));
    return this;
  }

  /** The answer of this run itself. */
  answered(interactionId: string, given: Parameters<typeof answer>[1]): this {
    this.world.run(answer(interactionId, given));
    this.follower.expectAnswer(this.world.record(interactionId));
    return this;
  }

  /** Everything since, as one frame. */
  receive(...commands: readonly Command[]): this {
    for (const command of commands) this.world.run(command);
    const events: SessionEvent[] = this.world.log.filter(({ seq }) => seq > this.#received);
    this.#received = this.world.live.head;
    this.sent.push(...this.follower.events(events));
    return this;
  }

  get ended() {
    return readRuns(this.sent)[0]?.ended;
  }
}

describe('a run that answers', () => {
  it('[AGUI-2] goes on to the end of the turn, under the id of the client', () => {
    const run = new Run(TURN, askApproval()).answered('call-1~1', { decision: 'approve' }).begin();
    expect(run.ended).toBeUndefined();
    run.receive().receive(SAY);
    expect([run.ended, run.follower.isIdle]).toEqual([undefined, false]);
    run.receive(END);
    expect(run.sent).toMatchObject([
      { type: 'RUN_STARTED', threadId: 'session-1', runId: 'run-a' },
      { type: 'TEXT_MESSAGE_START' },
      { type: 'TEXT_MESSAGE_CONTENT', delta: 'Done' },
      { type: 'TEXT_MESSAGE_END' },
      { type: 'RUN_FINISHED', runId: 'run-a', outcome: { type: 'success' } },
    ]);
  });

  it('[AGUI-2] does not end with the question that it has answered, before the event is there', () => {
    const run = new Run(askApproval()).answered('call-1~1', { decision: 'approve' }).begin();
    expect(run.sent).toHaveLength(1);
    expect(run.follower.isIdle).toBe(false);
  });

  it('[AGUI-2] ends with the questions that it left open', () => {
    const both = [askApproval({ toolCallId: 'a' }), askApproval({ toolCallId: 'b' })];
    const run = new Run(...both).answered('a~1', { decision: 'deny' }).begin().receive();
    expect(run.ended).toEqual(['b~1']);
  });

  it('[AGUI-2] ends with all questions of one commit, described in full', () => {
    const run = new Run(TURN, askApproval()).answered('call-1~1', { decision: 'approve' }).begin();
    run.receive(askApproval({ toolCallId: 'x' }), askPlan({ toolCallId: 'y' }));
    expect(run.ended).toEqual(['x~1', 'y~1']);
    expect(run.sent.at(-1)).toMatchObject({
      outcome: { interrupts: [{ responseSchema: {} }, { responseSchema: {} }] },
    });
  });

  it('[AGUI-2] ends with the question again after one of its steps', () => {
    const run = new Run(askPlan()).answered('call-1~1', { decision: 'adjust' }).begin().receive();
    expect(run.ended).toEqual(['call-1~1']);
    expect(run.sent.at(-1)).toMatchObject({
      outcome: { interrupts: [{ metadata: { holdpoint: { awaitingFeedback: true } } }] },
    });
  });

  it('[AGUI-2] ends without a turn as soon as its answer is in the log', () => {
    const run = new Run(askApproval()).answered('call-1~1', { decision: 'approve' }).begin();
    expect(run.ended).toBeUndefined();
    run.receive();
    expect([run.ended, run.follower.isIdle]).toEqual(['success', false]);
  });
});

describe('a run that ends at once', () => {
  it('[AGUI-2] has the open questions for a client that has just come', () => {
    expect(new Run(TURN, askApproval()).begin().ended).toEqual(['call-1~1']);
  });

  it('[AGUI-2] names each refusal, and does not wait where another person was faster', () => {
    const run = new Run(askApproval());
    run.world.run(answer('call-1~1', { decision: 'deny' }));
    run.follower.noteSettled('call-1~1');
    expect(run.follower.isWaiting).toBe(false);
    const refused = { of: 'call-1~1', code: 'already_settled', message: 'Too late' };
    run.sent.push(...run.follower.begin([refused]));
    expect(run.sent.at(-1)).toEqual({ type: 'CUSTOM', name: 'holdpoint.refused', value: refused });
    run.receive();
    expect(run.ended).toBe('success');
  });
});

describe('a run with a message', () => {
  it('[AGUI-2] leaves out its own message and shows those of others', () => {
    const run = new Run();
    run.follower.expectMessage('msg-1');
    run.begin();
    const message = { type: 'user_message', at: 1 } as const;
    run.sent.push(
      ...run.follower.events([
        { ...message, seq: 90, payload: { text: 'Mine', subject: 'ada', messageId: 'msg-1' } },
        { ...message, seq: 91, payload: { text: 'Theirs', subject: 'bob', messageId: 'msg-2' } },
      ]),
    );
    expect(JSON.stringify(run.sent)).toContain('Theirs');
    expect(JSON.stringify(run.sent)).not.toContain('Mine');
  });

  it('[AGUI-2] outlives the turn before the one of its message', () => {
    const run = new Run(TURN);
    run.follower.expectMessage('msg-1');
    run.begin().receive(END);
    expect(run.ended).toBeUndefined();
    const own = { type: 'user_message', at: 1, seq: 90 } as const;
    const payload = { text: 'Mine', subject: 'ada', messageId: 'msg-1' };
    run.sent.push(
      ...run.follower.events([
        { type: 'turn_started', at: 1, seq: 89, turnId: 't', payload: {} },
        { ...own, turnId: 't', payload },
      ]),
    );
    expect(run.ended).toBeUndefined();
    run.sent.push(
      ...run.follower.events([
        { type: 'turn_ended', at: 1, seq: 91, turnId: 't', payload: { reason: 'completed' } },
      ]),
    );
    expect(run.ended).toBe('success');
  });
});

describe('a run that fails', () => {
  it.each<[string, readonly Command[], string]>([
    [
      'interrupted',
      [append({ type: 'turn_ended', payload: { reason: 'interrupted' } })],
      'cancelled',
    ],
    ['deleted', [{ type: 'session.delete' }], 'cancelled'],
    ['cleared', [{ type: 'session.clear' }], 'cancelled'],
    ['failed', [append({ type: 'error', payload: { message: 'No credit' } })], 'error'],
  ])('[AGUI-2] ends with its turn: %s', (_name, commands, ended) => {
    expect(new Run(TURN).begin().receive(...commands).ended).toBe(ended);
  });

  it('[AGUI-2] ends once, with the reason, when its stream breaks', () => {
    const run = new Run(TURN).begin();
    run.sent.push(...run.follower.fail('Gone', 'unavailable'));
    run.receive(SAY, END);
    run.sent.push(...run.follower.fail('Again'));
    expect(run.sent).toHaveLength(2);
    expect(run.sent.at(-1)).toEqual({ type: 'RUN_ERROR', message: 'Gone', code: 'unavailable' });
  });

  it('[AGUI-2] goes on after a message of a person', () => {
    const run = new Run(TURN).begin().receive(sendMessage('Hello'));
    expect(run.ended).toBeUndefined();
  });
});
