/** Reads the current turn of a conversation, from the person's last message on: the input of a scenario. */
import {
  type ModelMessage,
  type ToolResultContent,
  toolResultsIn,
  toolUsesIn,
} from '../../agent/message.ts';
import type { TurnInput, TurnResult } from './scenario.ts';

export function readTurn(messages: readonly ModelMessage[], tools: readonly string[]): TurnInput {
  const start = messages.findLastIndex((message) => lastText(message) !== undefined);
  const turn = messages.slice(start + 1);
  const results = turn.flatMap((message, index) =>
    message.role === 'assistant' ? [resultsOf(message, turn[index + 1])] : [],
  );
  return { text: lastText(messages[start]) ?? '', results, tools };
}

function lastText(message: ModelMessage | undefined): string | undefined {
  if (message?.role !== 'user') return undefined;
  return message.content.findLast((block) => block.type === 'text')?.text;
}

function resultsOf(answer: ModelMessage, next: ModelMessage | undefined): readonly TurnResult[] {
  const results = new Map<string, ToolResultContent>(
    toolResultsIn(next).map((result) => [result.toolUseId, result]),
  );
  return toolUsesIn(answer).flatMap(({ id, name: toolName }) => {
    const result = results.get(id);
    return result === undefined
      ? []
      : [{ toolName, content: result.content, isError: result.isError }];
  });
}
