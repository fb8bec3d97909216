/** `holdpoint/langgraph` over the session core in this process, with states as `invoke` returns them. */
import { describe, expect, it } from 'vitest';
import { answerInterrupts, NotAnswered } from '../../src/integrations/langgraph/index.ts';
import { connect } from '../../src/client/agent/connect.ts';
import type { JsonObject } from '../../src/protocol/types.ts';
import { HURRY, pair, SESSION } from '../support/agent.ts';
import { QUESTIONS } from '../support/sdk-questions.ts';
import { inLongRun } from '../support/run-length.ts';

const interrupted = (...values: readonly unknown[]) => ({
  messages: [],
  __interrupt__: values.map((value, index) => ({ id: `interrupt_${index}`, value })),
});
const RUN = { name: 'run', args: { command: 'ls' }, description: 'Lists files' };
const review = (...allowedDecisions: readonly string[]) => ({
  actionRequests: [RUN],
  reviewConfigs: [{ actionName: 'run', allowedDecisions }],
});
const ALL = review('approve', 'edit', 'reject');
const inbox = (config: object) => [
  { action_request: { action: 'run', args: { command: 'ls' } }, config, description: 'List?' },
];

async function resumed(state: object, answer: JsonObject): Promise<unknown> {
  const { agent, person, onlyOpen } = pair();
  const answering = answerInterrupts(agent, state);
  answering.catch(() => undefined);
  const { interactionId } = await onlyOpen();
  await person.answer(SESSION, interactionId, answer);
  return answering;
}

describe('a review of humanInTheLoopMiddleware', () => {
  it.each([
    ['approve', { decision: 'approve' }, { type: 'approve' }],
    [
      'edit',
      { decision: 'approve', updatedInput: { command: 'ls -a' } },
      { type: 'edit', editedAction: { name: 'run', args: { command: 'ls -a' } } },
    ],
  ])('[ADP-1] can be answered with %s', async (_name, answer, decision) => {
    expect(await resumed(interrupted(ALL), answer as JsonObject)).toEqual({
      interrupt_0: { decisions: [decision] },
    });
  });

  it('[ADP-1] can be rejected with a reason', async () => {
    const answer = { decision: 'deny', reason: 'too wide' };
    expect(await resumed(interrupted(ALL), answer)).toMatchObject({
      interrupt_0: {
        decisions: [{ type: 'reject', message: expect.stringContaining('too wide') as string }],
      },
    });
  });

  it('[ADP-1] offers an edit only if the graph allows one, and is never approved against the graph', async () => {
    const { agent, person, onlyOpen } = pair();
    const answering = answerInterrupts(agent, interrupted(review('approve', 'reject')));
    const { interactionId, request } = await onlyOpen();
    expect(request.allowEdit ?? false).toBe(false);
    await person.answer(SESSION, interactionId, { decision: 'approve' });
    expect(await answering).toEqual({ interrupt_0: { decisions: [{ type: 'approve' }] } });
    expect(
      await resumed(interrupted(review('edit', 'reject')), { decision: 'approve' }),
    ).toMatchObject({ interrupt_0: { decisions: [{ type: 'reject' }] } });
  });

  it('[ADP-1] stays interrupted if it may not be rejected', async () => {
    await expect(
      resumed(interrupted(review('approve')), { decision: 'deny' }),
    ).rejects.toBeInstanceOf(NotAnswered);
  });

  it('[ADP-4] says on each of several cards that one denial stops the others', async () => {
    const { agent, person, open } = pair();
    const action = { name: 'run', args: { command: 'ls' }, description: 'Lists' };
    const value = {
      actionRequests: [action, action],
      reviewConfigs: [{ actionName: 'run', allowedDecisions: ['approve', 'reject'] }],
    };
    const answering = answerInterrupts(agent, { __interrupt__: [{ id: 'both', value }] });
    for (const { interactionId, request } of await open(2)) {
      expect(request.description).toBe(
        'Lists\n\nDecided together with the other calls of this message: one denial stops all of them.',
      );
      await person.answer(SESSION, interactionId, { decision: 'deny' });
    }
    await answering;
  });

  it('[ADP-1] is one question for each action, and all interrupts are resumed by id', async () => {
    const { agent, person, open } = pair();
    const two = { ...ALL, actionRequests: [RUN, { ...RUN, args: { command: 'rm' } }] };
    const answering = answerInterrupts(agent, interrupted(two, ALL));
    await open(3);
    await person.answer(SESSION, 'interrupt_0~1', { decision: 'approve' });
    await person.answer(SESSION, 'interrupt_0.1~1', { decision: 'deny' });
    await person.answer(SESSION, 'interrupt_1~1', { decision: 'approve' });
    expect(await answering).toMatchObject({
      interrupt_0: { decisions: [{ type: 'approve' }, { type: 'reject' }] },
      interrupt_1: { decisions: [{ type: 'approve' }] },
    });
  });
});

describe('a request of Agent Inbox', () => {
  const every = { allow_accept: true, allow_edit: true, allow_respond: true, allow_ignore: true };

  it.each([
    ['accept', every, { decision: 'approve' }, { type: 'accept', args: null }],
    [
      'edit',
      every,
      { decision: 'approve', updatedInput: { command: 'ls -a' } },
      { type: 'edit', args: { action: 'run', args: { command: 'ls -a' } } },
    ],
    ['ignore', every, { decision: 'deny' }, { type: 'ignore', args: null }],
  ])('[ADP-1] can be answered with %s', async (_name, config, answer, response) => {
    expect(await resumed(interrupted(inbox(config)), answer as JsonObject)).toEqual({
      interrupt_0: [response],
    });
  });

  it('[ADP-1] carries a reason as its response, where that is allowed', async () => {
    const answer = { decision: 'deny', reason: 'use ls -a' };
    expect(await resumed(interrupted(inbox(every)), answer)).toMatchObject({
      interrupt_0: [{ type: 'response', args: expect.stringContaining('use ls -a') as string }],
    });
    expect(
      await resumed(interrupted(inbox({ ...every, allow_respond: false })), answer),
    ).toMatchObject({ interrupt_0: [{ type: 'ignore' }] });
  });

  it('[ADP-1] is a question if a response is all it takes', async () => {
    const config = { allow_respond: true, allow_ignore: false };
    expect(
      await resumed(interrupted(inbox(config)), { values: { answer: 'All of them' } }),
    ).toEqual({ interrupt_0: [{ type: 'response', args: 'All of them' }] });
  });

  it('[ADP-1] stays interrupted if nothing says that it was not accepted', async () => {
    const config = { allow_accept: true };
    await expect(resumed(interrupted(inbox(config)), { decision: 'deny' })).rejects.toBeInstanceOf(
      NotAnswered,
    );
  });
});

describe('a question', () => {
  it('[ADP-1] in words gets the words of the person, and none if the person declines', async () => {
    const answer = { values: { answer: 'Ada' } };
    expect(await resumed(interrupted('Your name?'), answer)).toEqual({ interrupt_0: 'Ada' });
    expect(await resumed(interrupted({ question: 'Your name?' }), answer)).toEqual({
      interrupt_0: 'Ada',
    });
    await expect(resumed(interrupted('Your name?'), { decline: true })).rejects.toMatchObject({
      name: 'NotAnswered',
      outcome: 'denied',
    });
  });

  it('[ADP-1] with choices gets them by its text', async () => {
    const answers = { '0': 'SQLite', '1': ['Search', 'Export'] };
    expect(await resumed(interrupted({ questions: QUESTIONS }), { answers })).toEqual({
      interrupt_0: { 'Which database?': ['SQLite'], 'Which features?': ['Search', 'Export'] },
    });
  });

  it('[ADP-1] that the same node asks again is a new question', async () => {
    const { agent, person, onlyOpen } = pair();
    const state = interrupted('Your age?');
    for (const answer of ['none', '36']) {
      const answering = answerInterrupts(agent, state);
      const { interactionId } = await onlyOpen();
      await person.answer(SESSION, interactionId, { values: { answer } });
      expect(await answering).toEqual({ interrupt_0: answer });
    }
  });

  inLongRun(() => {
    it('[ADP-1] that was answered while the program was dead is not asked again', async () => {
      const { agent, agentTransport, person, onlyOpen } = pair();
      const state = interrupted('Your name?');
      const lost = answerInterrupts(agent, state, { giveUpOpenAfterSeconds: 0.001 });
      const { interactionId } = await onlyOpen();
      await expect(lost).rejects.toBeInstanceOf(NotAnswered);
      await person.answer(SESSION, interactionId, { values: { answer: 'Ada' } });
      const again = connect({ transport: agentTransport, session: SESSION, timing: HURRY });
      expect(await answerInterrupts(again, state)).toEqual({ interrupt_0: 'Ada' });
    });
  });
});

it('[ADP-1] is over when the graph is not interrupted', async () => {
  const { agent } = pair();
  expect(await answerInterrupts(agent, { messages: [] })).toBeUndefined();
  expect(await answerInterrupts(agent, { __interrupt__: [] })).toBeUndefined();
});
