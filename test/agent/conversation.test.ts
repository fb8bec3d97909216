/**
 * A bug here looks like a session whose requests are answered 400 without end, after one interrupt, expiry or unusual
 * answer.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssistantMessage, ModelMessage } from '../../src/agent/message.ts';
import { Conversation } from '../../src/agent/conversation.ts';
import {
  appendAnswer,
  appendUserText,
  closeOpenCalls,
  type ModelConversation,
  openCalls,
} from '../support/transcript-builders.ts';
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
import { attachmentIdOf } from '../support/sample-files.ts';

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

describe('[RUN-11] a conversation that grows', () => {
  it('is checked in pieces as it is checked whole', () => {
    fc.assert(
      fc.property(Moves, fc.nat(), fc.boolean(), (moves, place, isSpoiled) => {
        const whole = played(moves, () => undefined);
        const spoiled = whole.flatMap((_message, index) => spoil(whole, index));
        const messages = isSpoiled ? (spoiled[place % spoiled.length] ?? whole) : whole;
        const grown = new Conversation({ messages: [] });
        for (const [index, message] of messages.entries()) {
          grown.append([message]);
          const fresh = new Conversation({ messages: messages.slice(0, index + 1) });
          expect(grown.messages).toEqual(fresh.messages);
          expect(grown.findRequestProblem()).toBe(fresh.findRequestProblem());
          const answer = assistant(text('Well'), call(`toolu_${place % 4}`));
          expect(grown.findSendablePart(answer)).toEqual(fresh.findSendablePart(answer));
        }
      }),
      { numRuns: countFor({ quick: 250, long: 1_000 }) },
    );
  });

  it('joins what follows a message of a person that was checked before', () => {
    const grown = new Conversation({ messages: [hello, assistant(call('a'))] });
    grown.append([user(result('a'))]);
    expect(grown.findRequestProblem()).toBeUndefined();
    grown.append([user(text('And?'))]);
    expect(grown.findRequestProblem()).toBeUndefined();
    expect(grown.messages.at(-1)).toEqual(user(result('a'), text('And?')));
  });

  it('shows the files of each message once, and again only those of the last', () => {
    const files = [1, 2, 3].map((n) => ({
      attachmentId: attachmentIdOf(n),
      name: `${n}.txt`,
      mediaType: 'text/plain',
      bytes: 1,
      path: '/a',
    }));
    const read: string[] = [];
    const show = () =>
      grown.show((attachmentId) => {
        read.push(attachmentId);
        return 'YQ==';
      });
    const grown = new Conversation({ messages: [] });
    for (const file of files) {
      grown.append([user({ type: 'file', file }), assistant(text('Seen'))]);
      show();
    }
    expect(read).toEqual(files.map(({ attachmentId }) => attachmentId));
    expect(show()).toEqual(new Conversation({ messages: grown.messages }).show(() => 'YQ=='));
    expect(grown.shownChars).toBeGreaterThan(0);
  });
});

describe('[COMPACT-2] the part that a summary replaces', () => {
  const summarizing = { role: 'user', content: [text('A summary')] } as const;

  it('leaves a conversation that the API takes, and is one itself', () => {
    let parts = 0;
    fc.assert(
      fc.property(Moves, fc.constantFrom(0, 0.1, 0.25, 0.5, 0.9), (moves, share) => {
        const whole = played(moves, () => undefined);
        const closed = whole.length === 0 ? [] : built(closeOpenCalls(whole, [], 'Interrupted'));
        const messages = closed.at(-1)?.role === 'user' ? closed : [...closed, hello];
        const part = new Conversation({ messages }).findPartToSummarize(share, () => false);
        if (part === undefined) return;
        parts += 1;
        const count = part.messages.length;
        expect(part.messages).toEqual(messages.slice(0, count));
        expect(part.to).toBe(count);
        const { callIds } = part;
        const summary = { seq: 9, from: count + 1, content: summarizing.content, callIds };
        const left = new Conversation({ summary, messages: messages.slice(count) });
        expect(left.findRequestProblem()).toBeUndefined();
        const asking = new Conversation({ messages: [...part.messages, hello] });
        expect(asking.findRequestProblem()).toBeUndefined();
      }),
      { numRuns: countFor({ quick: 250, long: 1_000 }) },
    );
    expect(parts).toBeGreaterThan(5);
  });

  it('[COMPACT-2] keeps the ids of its calls from being used again, through a second summary', () => {
    const round = (id: string) => [
      user(text('Go')),
      assistant(call(id)),
      user(result(id)),
      assistant(text('Done')),
    ];
    const content = [text('Hello')];
    const one = new Conversation({ messages: [...round('a'), hello] });
    const { callIds } = one.findPartToSummarize(0, () => false) ?? { callIds: [] };
    expect(callIds).toEqual(['a']);
    const summary = { seq: 9, from: 5, content, callIds };
    const two = new Conversation({ summary, messages: [hello] });
    expect(two.findSendablePart(assistant(call('a')))).toBeUndefined();
    expect(two.findSendablePart(assistant(call('b')))).toBeDefined();
    const more = [assistant(text('Yes')), ...round('b'), hello];
    const three = new Conversation({ summary, messages: [hello, ...more] });
    expect(three.findPartToSummarize(0, () => false)?.callIds).toEqual(['a', 'b']);
  });

  it('ends before the first call with an open request', () => {
    const messages = ['a', 'b', 'c', 'd'].flatMap((id) => [
      user(text('Go')),
      assistant(call(id)),
      user(result(id)),
      assistant(text('Done')),
    ]);
    const conversation = new Conversation({ messages: [...messages, hello] });
    const partWithout = (open: string) =>
      conversation.findPartToSummarize(0, (id) => id === open)?.messages.length;
    expect(partWithout('none')).toBe(16);
    expect(partWithout('d')).toBe(13);
    expect(partWithout('b')).toBe(5);
    expect(partWithout('a')).toBeUndefined();
  });
});

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
