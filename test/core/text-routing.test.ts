/**
 * A chat message finds the question it answers, or becomes a message. A bug would look like "yes" that
 * approves the wrong tool, an answer that starts a turn, or a message that is lost.
 */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/protocol/limits.ts';
import { SendMessage } from '../../src/protocol/schema/command.ts';
import {
  answer,
  append,
  askApproval,
  askForm,
  askPlan,
  askQuestion,
  COLOR,
  NOTE,
  sendMessage,
} from '../support/asks.ts';
import { person, sender } from '../support/callers.ts';
import { MINUTE, startedWorld, worldAfter } from '../support/core-world.ts';
import { accepted, outcomeOf, refused } from '../support/outcome.ts';

const SETTLED = ['interaction_response', 'interaction_pending'];

describe('commands', () => {
  it.each(['/clear', '  /clear \n'])(
    '[TXT-1, LOG-9] %j clears, even while a question is open',
    (text) => {
      const world = worldAfter(askQuestion());
      const decided = world.run(sendMessage(text));
      expect(outcomeOf(decided)).toEqual([...SETTLED, 'context_cleared']);
      expect(accepted(decided).reply).toEqual({ type: 'cancelled', count: 1 });
    },
  );

  it('[TXT-1] /cancel cancels all open interactions', () => {
    const world = worldAfter(askQuestion(), askApproval({ toolCallId: 'call-2' }));
    expect(accepted(world.run(sendMessage('/cancel'))).reply).toEqual({
      type: 'cancelled',
      count: 2,
    });
    expect(world.live.open.size).toBe(0);
  });

  it('[TXT-1] /cancel needs the scope answer', () => {
    const world = worldAfter(askQuestion());
    expect(refused(world.run(sendMessage('/cancel'), { caller: sender() })).code).toBe('forbidden');
    expect(world.live.open.size).toBe(1);
  });

  it.each(['/clear all', '/CLEAR', 'please /clear', '/cancel it', 'clear'])(
    '[TXT-1] %j is no command',
    (text) => {
      const world = worldAfter(askQuestion(), sendMessage(text));
      expect(world.record('call-1~1').answers).toEqual({ '0': text });
    },
  );
});

describe('exactly one interaction takes text', () => {
  it('[TXT-2, QST-5] a question is answered, and no message is logged', () => {
    const world = worldAfter(askQuestion());
    const decided = accepted(world.run(sendMessage('2')));
    expect(decided.events.map((event) => event.type)).toEqual(SETTLED);
    expect(decided.reply).toEqual({
      type: 'answered-by-text',
      interactionId: 'call-1~1',
      adjust: false,
    });
    expect(world.record('call-1~1')).toMatchObject({
      answers: { '0': 'Green' },
      settledBy: { subject: 'ada', via: 'text' },
    });
  });

  it('[TXT-2, QST-4] the text answers the current one of several questions', () => {
    const world = worldAfter(askQuestion({}, [COLOR, COLOR]));
    expect(outcomeOf(world.run(sendMessage('Red')))).toEqual(['interaction_update']);
    expect(outcomeOf(world.run(sendMessage('Blue')))).toEqual(SETTLED);
    expect(world.record('call-1~1').answers).toEqual({ '0': 'Red', '1': 'Blue' });
  });

  it.each([
    ['at once', []],
    ['after adjust was pressed', [answer('call-1~1', { decision: 'adjust' })]],
  ])(
    '[TXT-2, PLN-3] for a plan the text is feedback %s, even the word "approve"',
    (_when, before) => {
      const world = worldAfter(askPlan(), ...before);
      expect(accepted(world.run(sendMessage('approve'))).reply).toMatchObject({ adjust: true });
      expect(world.agentReply('call-1~1')).toEqual({ behavior: 'deny', message: 'approve' });
    },
  );

  it('[TXT-1] a form of one text field accepts the text', () => {
    const world = worldAfter(askForm({}, NOTE), sendMessage('Bring milk'));
    expect(world.record('call-1~1').values).toEqual({ note: 'Bring milk' });
  });

  it('[TXT-1, FORM-1] a form of one text field refuses text that does not fit', () => {
    const world = worldAfter(askForm({}, NOTE));
    expect(refused(world.run(sendMessage('milk '.repeat(10)))).code).toBe('invalid_values');
    expect(world.record('call-1~1').status).toBe('open');
  });

  it('[TXT-2] approvals beside it do not matter', () => {
    const world = worldAfter(
      askApproval(),
      askQuestion({ toolCallId: 'call-2' }),
      sendMessage('yes'),
    );
    expect(world.record('call-2~1').answers).toEqual({ '0': 'yes' });
    expect(world.record('call-1~1').status).toBe('open');
  });
});

describe('several interactions take text', () => {
  const open = [askQuestion(), askPlan({ toolCallId: 'call-2' })];

  it('[TXT-3] the text is ambiguous, and the refusal names the candidates', () => {
    const world = worldAfter(...open, askApproval({ toolCallId: 'call-3' }));
    expect(refused(world.run(sendMessage('Red')))).toMatchObject({
      code: 'ambiguous_text',
      details: {
        candidates: [
          { interactionId: 'call-1~1', toolName: 'AskUserQuestion', kind: 'question' },
          { interactionId: 'call-2~1', toolName: 'ExitPlanMode', kind: 'plan_review' },
        ],
      },
    });
    expect(world.live.open.size).toBe(3);
  });

  it('[TXT-3] replyTo picks a candidate', () => {
    const world = worldAfter(...open, sendMessage('Red', 'call-1~1'));
    expect(world.record('call-1~1').outcome).toBe('answered');
    expect(world.record('call-2~1').status).toBe('open');
  });

  it('[TXT-3, INT-7] replyTo with an unknown or settled id answers no other interaction', () => {
    const world = worldAfter(...open, answer('call-1~1', { decline: true }));
    expect(refused(world.run(sendMessage('Red', 'call-9~1'))).code).toBe('not_found');
    expect(refused(world.run(sendMessage('Red', 'call-1~1'))).code).toBe('already_settled');
    expect(world.record('call-2~1').status).toBe('open');
  });

  it('[TXT-3] a form of several fields does not take text by name either', () => {
    const world = worldAfter(askForm());
    expect(refused(world.run(sendMessage('localhost', 'call-1~1'))).code).toBe(
      'text_not_an_answer',
    );
  });
});

describe('an approval', () => {
  it.each([
    ['yes', 'approved'],
    ['Approve', 'approved'],
    [' ALLOW ', 'approved'],
    ['no', 'denied'],
    ['Deny', 'denied'],
    ['reject', 'denied'],
  ])('[TXT-4] named by replyTo is answered by %j', (text, outcome) => {
    const world = worldAfter(askApproval(), sendMessage(text, 'call-1~1'));
    expect(world.record('call-1~1').outcome).toBe(outcome);
  });

  it.each(['yes please', 'y', 'ok', 'yes!', 'no, approve', 'approved', '1', 'yes\u200b'])(
    '[TXT-4] named by replyTo is not answered by %j',
    (text) => {
      const world = worldAfter(askApproval());
      expect(refused(world.run(sendMessage(text, 'call-1~1'))).code).toBe('text_not_an_answer');
      expect(world.record('call-1~1').status).toBe('open');
    },
  );

  it.each(['yes', 'approve', 'no'])(
    '[TXT-4] without replyTo is not answered by %j: the text is queued',
    (text) => {
      const world = worldAfter(askApproval());
      const decided = accepted(world.run(sendMessage(text)));
      expect(decided.reply.type).toBe('queued');
      expect(world.record('call-1~1').status).toBe('open');
      expect(world.live.info.queued).toMatchObject([{ text, subject: 'ada' }]);
      expect(world.log.some((event) => event.type === 'user_message')).toBe(false);
    },
  );
});

describe('queued text', () => {
  it('[TXT-4] is logged in order, in the commit that settles the last approval', () => {
    const world = worldAfter(
      askApproval(),
      askApproval({ toolCallId: 'call-2' }),
      sendMessage('First'),
      sendMessage('Second'),
      answer('call-1~1', { decision: 'approve' }),
    );
    expect(world.live.info.queued).toHaveLength(2);
    const decided = accepted(world.run(answer('call-2~1', { decision: 'deny' })));
    expect(decided.events.map((event) => event.type)).toEqual([
      ...SETTLED,
      'session_updated',
      'user_message',
      'user_message',
    ]);
    const said = world.log.filter((event) => event.type === 'user_message');
    expect(said.map(({ payload }) => payload.text)).toEqual(['First', 'Second']);
    expect(world.live.info.queued).toEqual([]);
  });

  it('[TXT-4] keeps its id', () => {
    const world = worldAfter(askApproval());
    const { reply } = accepted(world.run(sendMessage('Later')));
    world.run(answer('call-1~1', { decision: 'approve' }));
    const said = world.log.find((event) => event.type === 'user_message');
    expect(reply).toEqual({ type: 'queued', messageId: said?.payload.messageId });
  });

  it.each([
    ['expiry', (world: ReturnType<typeof startedWorld>) => world.advance(10 * MINUTE)],
    [
      'the end of the tool call',
      (world: ReturnType<typeof startedWorld>) =>
        world.run(append({ type: 'tool_result', toolCallId: 'call-1', payload: {} })),
    ],
    [
      'interrupt',
      (world: ReturnType<typeof startedWorld>) => world.run({ type: 'turn.interrupt' }),
    ],
    ['/cancel', (world: ReturnType<typeof startedWorld>) => world.run(sendMessage('/cancel'))],
  ] as const)('[TXT-4] is said after %s too', (_what, end) => {
    const world = worldAfter(askApproval(), sendMessage('Later'));
    end(world);
    expect(world.log.at(-1)).toMatchObject({ type: 'user_message', payload: { text: 'Later' } });
    expect(world.live.info.queued).toEqual([]);
  });

  it('[TXT-4] waits for a question that was opened later', () => {
    const world = worldAfter(
      askApproval(),
      sendMessage('Later'),
      askQuestion({ toolCallId: 'call-2' }),
      answer('call-1~1', { decision: 'approve' }),
    );
    expect(world.live.info.queued).toHaveLength(1);
    world.run(sendMessage('Red'));
    expect(world.record('call-2~1').answers).toEqual({ '0': 'Red' });
    expect(world.log.at(-1)).toMatchObject({ type: 'user_message', payload: { text: 'Later' } });
  });

  it('[LOG-9] is dropped by /clear', () => {
    const world = worldAfter(askApproval(), sendMessage('Later'), sendMessage('/clear'));
    expect(world.live.info.queued).toEqual([]);
    expect(world.log.some((event) => event.type === 'user_message')).toBe(false);
  });

  it('[LIM-2] has a limit', () => {
    const world = worldAfter(askApproval());
    for (let count = 0; count < LIMITS.queuedMessages; count += 1)
      world.run(sendMessage(`${count}`));
    expect(refused(world.run(sendMessage('One more')))).toMatchObject({
      code: 'limit_reached',
      details: { limit: 'queuedMessages' },
    });
  });
});

describe('a message', () => {
  it('[TXT-5] with no open interaction is logged as a message', () => {
    const world = startedWorld();
    const decided = accepted(world.run(sendMessage('Hello')));
    expect(decided.reply).toEqual({ type: 'turn', messageId: expect.any(String) });
    expect(decided.events).toMatchObject([
      { type: 'user_message', payload: { text: 'Hello', subject: 'ada' } },
    ]);
  });

  it('[TXT-6] of a sender without the scope answer is logged as a message beside an open question', () => {
    const world = worldAfter(askQuestion());
    expect(outcomeOf(world.run(sendMessage('Red'), { caller: sender() }))).toEqual([
      'user_message',
    ]);
    expect(world.record('call-1~1').status).toBe('open');
  });

  it('[TXT-6] of such a sender with replyTo to a question is refused', () => {
    const world = worldAfter(askQuestion(), askApproval({ toolCallId: 'call-2' }));
    for (const id of ['call-1~1', 'call-2~1', 'call-9~1']) {
      expect(refused(world.run(sendMessage('yes', id), { caller: sender() })).code).toBe(
        'forbidden',
      );
    }
    expect(world.live.open.size).toBe(2);
  });

  it('[TXT-4, TXT-6] of such a sender waits for an approval as well', () => {
    const world = worldAfter(askApproval());
    const decided = world.run(sendMessage('Hello'), { caller: sender() });
    expect(accepted(decided).reply.type).toBe('queued');
    expect(world.live.info.queued).toMatchObject([{ subject: 'sam' }]);
  });

  it('[INT-10] of blanks alone is refused', () => {
    expect(SendMessage.safeParse({ text: ' \n' }).success).toBe(false);
    expect(SendMessage.safeParse({ text: 'a', to: 'b' }).success).toBe(false);
    expect(
      refused(worldAfter(askQuestion()).run(sendMessage(' '), { caller: person() })).code,
    ).toBe('invalid_answer');
  });
});
