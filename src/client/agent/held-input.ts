/**
 * The agent's side of an input that is too large for its record (INT-17): the record has a view of it and its SHA-256. The
 * agent runs its own input, so it first compares that with what the outcome is about.
 */
import { canonicalize } from '../../protocol/canonical-json.ts';
import { hashNatively } from '../../protocol/history-digest.ts';
import type { JsonObject } from '../../protocol/types.ts';
import type { AskResult } from './ask-until-settled.ts';

/** The same result, with the digest of this input where the outcome names one. */
export async function withOwnDigest(input: unknown, ended: AskResult): Promise<AskResult> {
  if (wholeInputOf(ended) === undefined) return ended;
  return { ...ended, ownSha256: await hashNatively(canonicalize(asSent(input))) };
}

/** The SHA-256 of the input that the outcome is about; undefined where the outcome has the input itself. */
export function wholeInputOf(ended: AskResult): unknown {
  const { wholeInput } = ended.type === 'decided' ? ended.decision : ended.interaction;
  if (wholeInput === undefined) return undefined;
  return (wholeInput as JsonObject | null)?.['sha256'] ?? null;
}

/** As JSON leaves it, without what JSON drops. */
export function asSent(input: unknown): JsonObject {
  return JSON.parse(JSON.stringify(input)) as JsonObject;
}
