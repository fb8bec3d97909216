/** A scenario of the demo model: its next reply follows from the current turn alone. */
import type { JsonObject } from '../../protocol/json.ts';
import {
  type ModelMessage,
  type ToolResultContent,
  toolResultsIn,
  toolUsesIn,
} from '../../agent/message.ts';

export interface TurnResult {
  readonly toolName: string;
  readonly content: string;
  readonly isError: boolean;
}

/** The current turn, from the person's last message on. */
export interface TurnInput {
  readonly text: string;
  /** For each answer of this turn, the results of its calls in order. */
  readonly results: readonly (readonly TurnResult[])[];
  /** The tools that may be called. */
  readonly tools: readonly string[];
}

export interface ScriptedCall {
  readonly name: string;
  readonly input: JsonObject;
}

export interface ScriptedReply {
  readonly text: string;
  readonly calls?: readonly ScriptedCall[];
  /** The factor by which the reply arrives slower than others. */
  readonly slowness?: number;
}

export interface Scenario {
  /** The word that starts the scenario; also shown in the list of scenarios. */
  readonly word: string;
  readonly about: string;
  play(input: TurnInput): ScriptedReply;
}

/** The results of the calls in the last answer of this turn. */
export function lastResults({ results }: TurnInput): readonly TurnResult[] {
  return results.at(-1) ?? [];
}

/** A result as a quotation within a sentence. */
export function quoteResult({ content }: TurnResult): string {
  const line = content.trim().replaceAll(/\s+/g, ' ');
  if (line === '') return 'nothing at all';
  return `“${line.length <= 300 ? line : `${line.slice(0, 300)}…`}”`;
}

/** Reads the input of a scenario from a conversation. */
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
