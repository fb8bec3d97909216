/**
 * An agent asks. A bug would look like a card without its `pending`, a second card for one tool call,
 * or a session that takes one question too many.
 */
import { describe, expect, it } from 'vitest';
import { KINDS } from '../../../src/core/kinds/index.ts';
import { listOpenInteractions, viewSession } from '../../../src/core/state.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import {
  answer,
  askApproval,
  askForm,
  askPlan,
  askQuestion,
  COLOR,
  COMMAND,
  sendMessage,
  SIZES,
} from '../../support/asks.ts';
import { agent } from '../../support/callers.ts';
import { START, startedWorld, worldAfter } from '../../support/core-world.ts';
import { accepted, idOf, outcomeOf, payloadOf, refused } from '../../support/outcome.ts';

describe('one opening', () => {
  it.each([
    ['approval', askApproval(), 'tool'],
    ['question', askQuestion(), 'questionnaire'],
    ['plan_review', askPlan(), 'tool'],
    ['form', askForm(), 'questionnaire'],
  ] as const)(
    '[PEND-1, PEND-2, INT-3] a %s is pending right before it is asked',
    (kind, ask, presentation) => {
      const decided = startedWorld().run(ask);
      expect(outcomeOf(decided)).toEqual(['interaction_pending', 'interaction_request']);
      expect(payloadOf(decided, 'interaction_pending')).toEqual({
        toolCallId: 'call-1',
        toolName: ask.common.toolName,
        pending: true,
        presentation,
        interactionId: 'call-1~1',
      });
      expect(payloadOf(decided, 'interaction_request')).toMatchObject({ kind, presentation });
    },
  );

  it('[INT-1] keeps the opener, the request, the time and the deadline', () => {
    const world = startedWorld();
    world.run(askApproval({ turnId: 'turn-1', responseId: 'resp-1' }), { caller: agent('bot') });
    expect(world.record('call-1~1')).toMatchObject({
      toolName: 'Bash',
      kind: 'approval',
      turnId: 'turn-1',
      responseId: 'resp-1',
      request: { input: COMMAND },
      openedAt: START,
      openedBy: { credential: 'cred-bot', subject: 'bot' },
      expiresAt: START + 600_000,
      onExpire: 'deny',
      status: 'open',
      outcome: null,
      settledAt: null,
      settledBy: null,
      rev: 1,
    });
  });

  it('[LOG-1] attaches both events to the turn, the response and the tool call, where known', () => {
    const known = { turnId: 'turn-1', responseId: 'resp-1', toolCallId: 'call-1' };
    for (const event of accepted(startedWorld().run(askApproval(known))).events) {
      expect(event).toMatchObject(known);
    }
    for (const event of accepted(startedWorld().run(askApproval())).events) {
      expect(event).not.toHaveProperty('turnId');
      expect(event).not.toHaveProperty('responseId');
    }
  });

  it('[INT-4] without a tool call gets its own tool call, never shared with the next', () => {
    const world = startedWorld();
    const { toolCallId: _, ...common } = askApproval().common;
    const first = idOf(world.run({ ...askApproval(), common }));
    const second = idOf(world.run({ ...askApproval(), common }));
    expect(world.record(first).toolCallId).not.toBe(world.record(second).toolCallId);
    expect(world.live.open.size).toBe(2);
  });
});

describe('several at once', () => {
  it('[INT-4, PEND-5] each tool call has its own question, and the session is pending while any is open', () => {
    const world = worldAfter(askApproval(), askQuestion({ toolCallId: 'call-2' }));
    expect(listOpenInteractions(world.live).map((one) => one.toolCallId)).toEqual([
      'call-1',
      'call-2',
    ]);

    world.run(answer('call-1~1', { decision: 'deny' }));
    expect(viewSession(world.live).waitingForPerson).toBe(true);
    world.run(answer('call-2~1', { answers: { '0': 'Red' } }));
    expect(viewSession(world.live).waitingForPerson).toBe(false);
  });

  it('[LIM-2] the 65th open interaction is refused, and there is room again after an answer', () => {
    const world = startedWorld();
    for (let count = 1; count <= LIMITS.openInteractions; count += 1) {
      accepted(world.run(askQuestion({ toolCallId: `call-${count}` })));
    }
    const oneMore = askQuestion({ toolCallId: 'call-more' });
    expect(refused(world.run(oneMore))).toMatchObject({
      code: 'limit_reached',
      details: { limit: 'openInteractions', max: 64 },
    });
    world.run(answer('call-7~1', { answers: { '0': 'Red' } }));
    accepted(world.run(oneMore));
  });

  it('[LIM-2] open interactions hold at most 4 MiB together, and a first one is always accepted', () => {
    const world = startedWorld();
    const large = (toolCallId: string, size = 240_000) =>
      askApproval({ toolCallId }, { input: { text: 'é'.repeat(size / 2) } });
    accepted(world.run(large('call-1', 3_900_000)));
    accepted(world.run(large('call-2')));
    expect(refused(world.run(large('call-3')))).toMatchObject({
      code: 'limit_reached',
      details: { limit: 'openRequestBytes', max: 4 * 1_048_576 },
    });
    accepted(world.run(askApproval({ toolCallId: 'call-small' })));
    // A reprompt counts instead of the replaced request.
    accepted(world.run(large('call-2', 250_000)));
    world.run(answer('call-1~1', { decision: 'deny' }));
    accepted(world.run(large('call-3')));
    for (const id of ['call-2~2', 'call-3~1', 'call-small~1'])
      accepted(world.run(answer(id, { decision: 'deny' })));
    accepted(world.run(large('call-4', 8_000_000)));
  });

  it('[LIM-2] a reprompt does not count as one more open interaction', () => {
    const world = startedWorld();
    for (let count = 1; count <= LIMITS.openInteractions; count += 1) {
      accepted(world.run(askQuestion({ toolCallId: `call-${count}` })));
    }
    accepted(world.run(askQuestion({ toolCallId: 'call-1' }, [SIZES])));
    expect(world.live.open.size).toBe(LIMITS.openInteractions);
  });

  it('[LOG-10] a log at its cap accepts no more questions or messages, and still accepts answers', () => {
    const world = worldAfter(askApproval());
    world.state = { ...world.live, head: LIMITS.eventsPerSession };
    expect(refused(world.run(askQuestion({ toolCallId: 'call-2' })))).toMatchObject({
      code: 'limit_reached',
      details: { limit: 'eventsPerSession' },
    });
    expect(refused(world.run(sendMessage('Hello'))).code).toBe('limit_reached');
    accepted(world.run(answer('call-1~1', { decision: 'deny' })));
  });
});

describe('an opening that cannot be asked', () => {
  it('[INT-3] of an unknown kind is refused with the list of kinds', () => {
    const ask = askApproval({ kind: 'haggle' });
    expect(refused(startedWorld().run(ask))).toMatchObject({
      code: 'unknown_kind',
      details: { kinds: [...KINDS.keys()] },
    });
  });

  it.each([
    ['no question', []],
    ['five questions', [COLOR, COLOR, COLOR, COLOR, COLOR]],
    ['a header of 41 characters', [{ ...COLOR, header: 'x'.repeat(41) }]],
    ['an empty header', [{ ...COLOR, header: '' }]],
    [
      'thirteen options',
      [{ ...COLOR, options: Array.from({ length: 13 }, (_, at) => ({ label: `o${at}` })) }],
    ],
    ['several of no options', [{ question: 'Why?', multiSelect: true }]],
    ['a label twice', [{ ...COLOR, options: [{ label: 'Red' }, { label: ' Red' }] }]],
    ['a blank label', [{ ...COLOR, options: [{ label: 'Red' }, { label: ' ' }] }]],
    ['an unknown field', [{ ...COLOR, multiselect: true }]],
  ])('[QST-1] a question with %s opens nothing', (_what, questions) => {
    const world = startedWorld();
    expect(refused(world.run(askQuestion({}, questions)))).toMatchObject({
      code: 'invalid_request',
    });
    expect(world.live.open.size).toBe(0);
  });

  it.each([
    ['without options or header', { question: 'Why?' }],
    ['with an empty list', { question: 'Why?', options: [] }],
    ['with one option', { question: 'Go?', header: 'x'.repeat(40), options: [{ label: 'Go' }] }],
    [
      'with twelve options',
      {
        question: 'Which?',
        multiSelect: true,
        options: Array.from({ length: 12 }, (_, at) => ({ label: `o${at}` })),
      },
    ],
  ])('[QST-1] a question %s is asked', (_what, question) => {
    const world = worldAfter(askQuestion({}, [question]));
    expect(world.record('call-1~1').request).toEqual({
      questions: [{ options: [], multiSelect: false, ...question }],
    });
  });

  it('[QST-1] a question without multiSelect takes one answer', () => {
    const { multiSelect: _, ...unsaid } = COLOR;
    const world = worldAfter(askQuestion({}, [unsaid]));
    expect(world.record('call-1~1').request).toEqual({ questions: [COLOR] });
  });
});
