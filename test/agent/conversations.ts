/** Conversations for tests: single messages in short, and whole ones that only the builders made. */
import * as fc from 'fast-check';
import type {
  AssistantContent,
  AssistantMessage,
  ModelMessage,
  ToolResultContent,
  ToolUseContent,
  UserContent,
} from '../../src/agent/message.ts';
import {
  appendAnswer,
  appendResults,
  type AppendResult,
  appendUserText,
  closeOpenCalls,
  type ModelConversation,
  openCalls,
} from '../support/transcript-builders.ts';

export const text = (words: string) => ({ type: 'text', text: words }) as const;
export const call = (id: string, name = 'Read'): ToolUseContent => ({
  type: 'tool_use',
  id,
  name,
  input: { path: 'a.md' },
});
export const result = (
  toolUseId: string,
  content = 'fine',
  isError = false,
): ToolResultContent => ({
  type: 'tool_result',
  toolUseId,
  content,
  isError,
});
export const thought = (signature = 'signed') =>
  ({ type: 'thinking', text: 'hm', signature }) as const;
export const user = (...content: UserContent[]): ModelMessage => ({ role: 'user', content });
export const assistant = (...content: AssistantContent[]): AssistantMessage => ({
  role: 'assistant',
  content,
});

export function built(appended: AppendResult): ModelConversation {
  if (!appended.ok) throw new Error(`Refused: ${appended.problem}`);
  return appended.messages;
}

const Words = fc.oneof(fc.constantFrom('', ' ', '\n\t'), fc.string({ minLength: 1 }));

/** Includes faults of a model: blank text, unsigned thinking, thinking in the wrong place. */
const Block = fc.oneof(
  Words.map((words) => text(words)),
  fc.record({ type: fc.constant('thinking' as const), text: Words, signature: Words }),
  fc.record({ type: fc.constant('redacted_thinking' as const), data: Words }),
  fc.constant('call' as const),
);

const Move = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('say' as const), words: Words }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('answer' as const),
      blocks: fc.array(Block, { maxLength: 5 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('results' as const),
      isError: fc.boolean(),
      words: Words,
      isReversed: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('interrupt' as const), done: fc.nat(3) }),
  },
);
type Move = typeof Move extends fc.Arbitrary<infer M> ? M : never;

/** Plays moves as a turn would make them; `seen` receives each conversation on the way. */
export function played(
  moves: readonly Move[],
  seen: (messages: ModelConversation) => void,
): ModelConversation {
  let messages: ModelConversation = [];
  let ids = 0;
  for (const move of moves) {
    const next = after(move);
    if (next === undefined) continue;
    messages = built(next);
    seen(messages);
  }
  return messages;

  function after(move: Move): AppendResult | undefined {
    const open = openCalls(messages);
    switch (move.type) {
      case 'say':
        return open.length > 0 || move.words.trim() === ''
          ? undefined
          : appendUserText(messages, move.words);
      case 'answer': {
        if (messages.at(-1)?.role !== 'user') return undefined;
        const content = move.blocks.map((block) =>
          block === 'call' ? call(`toolu_${ids++}`) : block,
        );
        return appendAnswer(messages, assistant(...content));
      }
      case 'results': {
        if (open.length === 0) return undefined;
        const results = open.map(({ id }) => result(id, move.words, move.isError));
        return appendResults(messages, move.isReversed ? results.toReversed() : results);
      }
      case 'interrupt':
        return messages.length === 0
          ? undefined
          : closeOpenCalls(
              messages,
              open.slice(0, move.done).map(({ id }) => result(id)),
              'Interrupted',
            );
    }
  }
}

export const Moves = fc.array(Move, { maxLength: 40 });
