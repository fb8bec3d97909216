/** Answers as a caller receives them (TRN-3). The code that reads refusals is loaded with the first refusal. */
import type { LookUp, RefusedDecision } from './late-refusal.ts';
import type { BatchResult, Routed, Settled } from '../transport.ts';
import type { Interaction } from '../../protocol/types.ts';

type Refusals = typeof import('./late-refusal.ts');

export function resolveSettled(
  interactionId: string,
  asked: Promise<Interaction>,
  look: LookUp,
): Promise<Settled> {
  return asked.then(
    (interaction) => ({ ok: true, isMine: true, interaction }),
    (cause) =>
      explainRefusal(cause, (refusals) => refusals.readSettledBefore(cause, interactionId, look)),
  );
}

export function resolveSubmission(
  name: string,
  asked: Promise<unknown>,
): Promise<{ readonly ok: true }> {
  return asked.then(
    () => ({ ok: true }),
    (cause) => explainRefusal(cause, (refusals) => refusals.readSubmissionRefusal(cause, name)),
  );
}

export function resolveRouted<Reply extends { readonly routed: Routed }>(
  replyTo: string | undefined,
  asked: Promise<Reply>,
): Promise<Reply | { readonly routed: Routed; readonly isOld: true }> {
  return asked.catch((cause: unknown) =>
    explainRefusal(cause, (refusals) => refusals.readRoutedBefore(cause, replyTo)),
  );
}

export type BatchAnswer =
  | { readonly ok: true; readonly interaction: Interaction }
  | { readonly ok: false; readonly error: RefusedDecision };

/** Of a batch, in the order of its decisions. */
export function resolveDecisions(
  answers: readonly BatchAnswer[],
  lookOf: (at: number) => LookUp,
): Promise<readonly BatchResult[]> {
  return Promise.all(
    answers.map(async (answer, at): Promise<BatchResult> => {
      if (answer.ok) return answer;
      const { code, message } = answer.error;
      return explainRefusal(answer.error, (refusals) =>
        refusals.readDecisionRefusal(answer.error, lookOf(at)),
      ).catch(() => ({ ok: false, code, message }));
    }),
  );
}

/** Rethrows the refusal unread if its reader cannot be loaded. */
async function explainRefusal<Value>(
  cause: unknown,
  read: (refusals: Refusals) => Value | Promise<Value>,
): Promise<Value> {
  const refusals = await import('./late-refusal.ts').catch(() => {
    throw cause;
  });
  return read(refusals);
}
