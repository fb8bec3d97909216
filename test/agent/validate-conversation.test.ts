/** A fault the checker misses is sent, answered with 400, and the session can never speak again. */
import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../../src/agent/message.ts';
import {
  findOpenConversationProblem,
  findRequestProblem,
  findConversationProblem,
} from '../../src/agent/validate-conversation.ts';
import { assistant, call, result, text, thought, user } from './conversations.ts';

const hello = user(text('Hello'));
const redacted = { type: 'redacted_thinking', data: 'sealed' } as const;

const VALID: Record<string, readonly ModelMessage[]> = {
  'one message': [hello],
  'a call and its result': [hello, assistant(call('a')), user(result('a'))],
  'parallel calls, results in another order': [
    hello,
    assistant(call('a'), call('b')),
    user(result('b'), result('a', '', false)),
  ],
  'text after results': [hello, assistant(call('a')), user(result('a'), text('And hurry'))],
  'thinking before text and calls': [
    hello,
    assistant(thought(), redacted, text('Right'), call('a')),
    user(result('a')),
  ],
  'thinking again between calls': [
    hello,
    assistant(thought(), call('a'), thought(), call('b')),
    user(result('a'), result('b')),
  ],
  'thinking that is signed and not shown': [
    hello,
    assistant({ type: 'thinking', text: '', signature: 's' }, text('Yes')),
    user(text('Good')),
  ],
};

const FAULTS: Record<string, [readonly ModelMessage[], RegExp]> = {
  'no message': [[], /empty/],
  'the assistant first': [[assistant(text('Hi'))], /messages\[0\].*user's turn/],
  'the user twice': [[hello, hello], /messages\[1\].*assistant's turn/],
  'the assistant twice': [[hello, assistant(text('a')), assistant(text('b'))], /messages\[2\]/],
  'a user message without content': [[user()], /messages\[0\] is empty/],
  'an answer without content': [[hello, assistant(), hello], /messages\[1\] is empty/],
  'blank text of the user': [[user(text(' \n'))], /without text/],
  'blank text of the assistant': [[hello, assistant(text('\t')), hello], /without text/],
  'a call without a result': [[hello, assistant(call('a')), hello], /no result for Read \(a\)/],
  'one of two results missing': [
    [hello, assistant(call('a'), call('b')), user(result('a'))],
    /no result for Read \(b\)/,
  ],
  'a call at the end': [[hello, assistant(call('a'))], /no result follows/],
  'a result one message late': [
    [hello, assistant(call('a')), hello, assistant(text('b')), user(result('a'))],
    /messages\[2\] has no result/,
  ],
  'two results for one call': [
    [hello, assistant(call('a')), user(result('a'), result('a'))],
    /two results for a/,
  ],
  'a result without a call': [[user(result('x'))], /did not call/],
  'a result for an older call': [
    [
      hello,
      assistant(call('a')),
      user(result('a')),
      assistant(call('b')),
      user(result('b'), result('a')),
    ],
    /result for a, which the message before did not call/,
  ],
  'text before a result': [
    [hello, assistant(call('a')), user(text('wait'), result('a'))],
    /result of a after text/,
  ],
  'an error without text': [
    [hello, assistant(call('a')), user(result('a', '', true))],
    /error result without text/,
  ],
  'an id twice in one answer': [
    [hello, assistant(call('a'), call('a')), user(result('a'))],
    /a second time/,
  ],
  'an id twice in the conversation': [
    [hello, assistant(call('a')), user(result('a')), assistant(call('a')), user(result('a'))],
    /messages\[3\] uses the id a a second time/,
  ],
  'an id the API does not take': [
    [hello, assistant(call('a b')), user(result('a b'))],
    /the id "a b"/,
  ],
  'a name the API does not take': [
    [hello, assistant(call('a', 'Read file')), user(result('a'))],
    /by the name "Read file"/,
  ],
  'thinking without a signature': [[hello, assistant(thought(''), text('a')), hello], /signature/],
  'redacted thinking without its data': [
    [hello, assistant({ type: 'redacted_thinking', data: '' }, text('a')), hello],
    /its data/,
  ],
  'thinking at the end': [[hello, assistant(text('a'), thought()), hello], /ends with thinking/],
  'thinking only after a call': [
    [hello, assistant(call('a'), thought(), text('b')), user(result('a'))],
    /only after its first tool call/,
  ],
  'a block of another version': [
    [{ role: 'user', content: [{ type: 'song' }] } as unknown as ModelMessage],
    /unknown type song/,
  ],
  'a block of another version in an answer': [
    [hello, { role: 'assistant', content: [{ type: 'song' }] } as unknown as ModelMessage],
    /unknown type song/,
  ],
};

describe('the rules of a conversation', () => {
  it.each(Object.entries(VALID))('take %s', (_name, messages) => {
    expect(findConversationProblem(messages)).toBeUndefined();
  });

  it.each(Object.entries(FAULTS))('refuse %s', (_name, [messages, problem]) => {
    expect(findConversationProblem(messages)).toMatch(problem);
  });

  it('leave calls of the last answer open while something waits', () => {
    expect(findOpenConversationProblem([hello, assistant(call('a'))])).toBeUndefined();
  });

  it('let only a message of the user be sent as the last', () => {
    const ended = [hello, assistant(text('Bye'))];
    expect(findConversationProblem(ended)).toBeUndefined();
    expect(findRequestProblem(ended)).toMatch(/nothing to answer/);
    expect(findRequestProblem([hello])).toBeUndefined();
    expect(findRequestProblem([hello, hello])).toMatch(/messages\[1\]/);
  });
});
