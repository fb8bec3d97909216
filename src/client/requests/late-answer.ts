/** Answers as a caller receives them, over every transport; what a refusal means is loaded when there is one (TRN-3). */
import type { Look, RefusedDecision } from './late-refusal.ts';
import type { BatchResult, Routed, Settled } from '../transport.ts';
import type { Interaction } from '../../protocol/types.ts';

type Refusals = typeof import('./late-refusal.ts');

export function resolveSettled(
  interactionId: string,
  asked: Promise<Interaction>,
  look: Look,
): Promise<Settled> {
  return asked.then(
    (interaction) => ({ ok: true, isMine: true, interaction }),
    (cause) => explain(cause, (refusals) => refusals.readSettledBefore(cause, interactionId, look)),
  );
}

export function resolveSubmission(
  name: string,
  asked: Promise<unknown>,
): Promise<{ readonly ok: true }> {
  return asked.then(
    () => ({ ok: true }),
    (cause) => explain(cause, (refusals) => refusals.readSubmissionRefusal(cause, name)),
  );
}

export function resolveRouted<Reply extends { readonly routed: Routed }>(
  replyTo: string | undefined,
  asked: Promise<Reply>,
): Promise<Reply | { readonly routed: Routed; readonly isOld: true }> {
  return asked.catch((cause: unknown) =>
    explain(cause, (refusals) => refusals.readRoutedBefore(cause, replyTo)),
  );
}

export type BatchAnswer =
  | { readonly ok: true; readonly interaction: Interaction }
  | { readonly ok: false; readonly error: RefusedDecision };

export async function resolveDecision(answer: BatchAnswer, look: Look): Promise<BatchResult> {
  if (answer.ok) return answer;
  const { error } = answer;
  return explain(error, (refusals) => refusals.readDecisionRefusal(error, look)).catch(() => ({
    ok: false,
    code: error.code,
    message: error.message,
  }));
}

/** Where the rest of the package cannot be loaded, the refusal stands as it came. */
async function explain<Value>(
  cause: unknown,
  read: (refusals: Refusals) => Value | Promise<Value>,
): Promise<Value> {
  const refusals = await import('./late-refusal.ts').catch(() => {
    throw cause;
  });
  return read(refusals);
}
