/**
 * A bug here looks like a session whose requests are answered 400 without end, after one interrupt, expiry or unusual
 * answer.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssistantMessage, ModelMessage } from '../../src/agent/message.ts';
import { appendAnswer, type ModelConversation } from '../../src/agent/conversation.ts';
import { appendUserText, closeOpenCalls, openCalls } from '../support/transcript-builders.ts';
import {
  findOpenConversationProblem,
  findConversationProblem,
} from '../../src/agent/validate-conversation.ts';
import {
  assistant,
  built,
  call,
  Moves,
  played,
  result,
  text,
  thought,
  user,
} from './conversations.ts';
import { countFor } from '../support/run-length.ts';

const hello = user(text('Hello'));
const waiting = [hello, assistant(call('a'), call('b'))];

describe('the result of the builders', () => {
  it('keeps the rules at every step, and can be sent once nothing waits', () => {
    fc.assert(
      fc.property(Moves, (moves) => {
        const last = played(moves, (messages) => {
          expect(findOpenConversationProblem(messages)).toBeUndefined();
          if (openCalls(messages).length === 0)
            expect(findConversationProblem(messages)).toBeUndefined();
        });
        if (last.length === 0) return;
        expect(
          findConversationProblem(built(closeOpenCalls(last, [], 'Interrupted'))),
        ).toBeUndefined();
      }),
      { numRuns: countFor({ quick: 250, long: 1_000 }) },
    );
  });

  it('never changes the earlier messages', () => {
    fc.assert(
      fc.property(Moves, (moves) => {
        const frozen: string[] = [];
        const seen: ModelConversation[] = [];
        played(moves, (messages) => {
          seen.push(messages);
          frozen.push(JSON.stringify(messages));
        });
        expect(seen.map((messages) => JSON.stringify(messages))).toEqual(frozen);
      }),
    );
  });

  it('is refused as soon as one fault is planted', () => {
    fc.assert(
      fc.property(Moves, fc.nat(), (moves, place) => {
        const whole = played(moves, () => undefined);
        const messages = whole.length === 0 ? [] : built(closeOpenCalls(whole, [], 'Interrupted'));
        const spoiled = messages.flatMap((_message, index) => spoil(messages, index));
        fc.pre(spoiled.length > 0);
        const one = spoiled[place % spoiled.length];
        expect(one).toSatisfy(
          (faulty: ModelConversation) => findConversationProblem(faulty) !== undefined,
        );
      }),
      { numRuns: countFor({ quick: 250, long: 1_000 }) },
    );
  });
});

/** Every way to break the message at this place that no conversation can bear. */
function spoil(messages: ModelConversation, index: number): ModelConversation[] {
  const message = messages[index];
  if (message === undefined) return [];
  const swap = (...changed: ModelMessage[]) => messages.toSpliced(index, 1, ...changed);
  if (message.role === 'assistant') return faultsOfAnswer(message).map((faulty) => swap(faulty));
  const results = message.content.filter(({ type }) => type === 'tool_result');
  const withResults = results.map((one) =>
    swap({ ...message, content: message.content.filter((block) => block !== one) }),
  );
  const orphan = swap({ ...message, content: [result('toolu_nobody'), ...message.content] });
  const late = results.map((one) =>
    swap({
      ...message,
      content: [text('first'), ...message.content.filter((block) => block !== one), one],
    }),
  );
  return [
    swap(message, message),
    swap({ ...message, content: [] }),
    orphan,
    ...withResults,
    ...late,
  ];
}

function faultsOfAnswer(message: AssistantMessage): AssistantMessage[] {
  const { content } = message;
  return [
    { ...message, content: [] },
    { ...message, content: [...content, text(' ')] },
    { ...message, content: [...content, thought()] },
    { ...message, content: [...content, call('toolu_unanswered')] },
    { ...message, content: [thought(''), ...content] },
  ];
}

describe('an answer', () => {
  it('of which nothing can be sent again adds no message', () => {
    const messages = built(appendAnswer([hello], assistant(thought(), text(' '))));
    expect(messages).toEqual([hello]);
    expect(built(appendUserText(messages, 'Again'))).toEqual([user(text('Hello'), text('Again'))]);
  });

  it('loses its last thinking and what is unsigned, and nothing else', () => {
    const said = assistant(thought(), text('Right'), thought(''), call('a'), thought());
    const messages = built(appendAnswer([hello], said));
    expect(messages.at(-1)).toEqual(assistant(thought(), text('Right'), call('a')));
  });

  it('with an id that was there before is refused', () => {
    const messages = built(closeOpenCalls(waiting, [], 'Interrupted'));
    expect(appendAnswer(messages, assistant(call('a')))).toMatchObject({ ok: false });
  });

  it('is refused when it is not the turn of the model', () => {
    const messages = [hello, assistant(text('Bye'))];
    expect(appendAnswer(messages, assistant(text('Bye again')))).toMatchObject({ ok: false });
  });
});
