/** A scene of the rehearsal: what it says next, from what was heard so far and from nothing else. */
import type { JsonObject } from '../../protocol/json.ts';

export interface HeardResult {
  readonly toolName: string;
  readonly content: string;
  readonly isError: boolean;
}

/** This turn: from the last words of the person on. */
export interface Heard {
  readonly said: string;
  /** Of each answer in this turn so far, the results of its calls in their order. */
  readonly results: readonly (readonly HeardResult[])[];
  /** The tools that may be called. */
  readonly tools: readonly string[];
}

export interface Call {
  readonly name: string;
  readonly input: JsonObject;
}

export interface Said {
  readonly text: string;
  readonly calls?: readonly Call[];
}

export interface Scene {
  /** What one writes to see it; also in the list that explains itself. */
  readonly word: string;
  readonly about: string;
  play(heard: Heard): Said;
}

/** The results of the calls in the last answer of this turn. */
export function lastResults({ results }: Heard): readonly HeardResult[] {
  return results.at(-1) ?? [];
}

/** A result as it can be repeated in a sentence. */
export function quoted({ content }: HeardResult): string {
  const line = content.trim().replaceAll(/\s+/g, ' ');
  if (line === '') return 'nothing at all';
  return `“${line.length <= 300 ? line : `${line.slice(0, 300)}…`}”`;
}
