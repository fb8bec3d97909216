/** A scenario of the demo model: its next reply follows from this turn of the conversation and from nothing else. */
import type { JsonObject } from '../../protocol/json.ts';

export interface TurnResult {
  readonly toolName: string;
  readonly content: string;
  readonly isError: boolean;
}

/** This turn: from the last words of the person on. */
export interface TurnInput {
  readonly text: string;
  /** Of each answer in this turn so far, the results of its calls in their order. */
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
  /** How many times slower than other replies it arrives. */
  readonly slowness?: number;
}

export interface Scenario {
  /** What one writes to see it; also in the list that explains itself. */
  readonly word: string;
  readonly about: string;
  play(heard: TurnInput): ScriptedReply;
}

/** The results of the calls in the last answer of this turn. */
export function lastResults({ results }: TurnInput): readonly TurnResult[] {
  return results.at(-1) ?? [];
}

/** A result as it can be repeated in a sentence. */
export function quoteResult({ content }: TurnResult): string {
  const line = content.trim().replaceAll(/\s+/g, ' ');
  if (line === '') return 'nothing at all';
  return `“${line.length <= 300 ? line : `${line.slice(0, 300)}…`}”`;
}
