/**
 * How an answer joins a conversation: as far as it can be sent again, or not at all. Given a valid conversation it never
 * makes an invalid one.
 */
import type { AssistantBlock, AssistantMessage, ModelMessage } from './message.ts';
import { isThinking } from './answer-problem.ts';
import { openTranscriptProblem } from './transcript-problem.ts';

export type Transcript = readonly ModelMessage[];
export type Appended =
  | { readonly ok: true; readonly messages: Transcript }
  | { readonly ok: false; readonly problem: string };

/**
 * What the model said, as far as it can be sent again. An answer of which nothing is left, such as a refusal without a
 * word, adds no message; the next text of the user then joins the one before.
 */
export function appendAnswer(messages: Transcript, answer: AssistantMessage): Appended {
  const content = sendable(answer.content);
  if (content.length === 0) return { ok: true, messages };
  return checked([...messages, { role: 'assistant', content }]);
}

function sendable(content: readonly AssistantBlock[]): readonly AssistantBlock[] {
  const kept = content.filter(
    (block) =>
      !(block.type === 'text' && block.text.trim() === '') &&
      !(block.type === 'thinking' && block.signature === '') &&
      !(block.type === 'redacted_thinking' && block.data === ''),
  );
  const end = kept.findLastIndex((block) => !isThinking(block)) + 1;
  const whole = kept.slice(0, end);
  const firstCall = whole.findIndex(({ type }) => type === 'tool_use');
  const isLate = firstCall !== -1 && whole.findIndex(isThinking) > firstCall;
  return isLate ? whole.filter((block) => !isThinking(block)) : whole;
}

function checked(messages: Transcript): Appended {
  const problem = openTranscriptProblem(messages);
  return problem === undefined ? { ok: true, messages } : { ok: false, problem };
}
