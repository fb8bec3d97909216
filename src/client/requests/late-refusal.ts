/**
 * The meaning of a refused answer (TRN-3).
 *
 * The refusal says who settled the interaction. If that was this caller with the same answer, only the reply was lost, and
 * the call succeeds.
 */
import { ClientError } from '../errors.ts';
import type { BatchResult, Routed, Settled } from '../transport.ts';
import type { Interaction, JsonObject } from '../../protocol/types.ts';

export type LookUp = (interactionId: string) => Promise<Interaction>;

/** An answer that comes too late resolves with the recorded outcome, which the person then sees. */
export async function readSettledBefore(
  cause: unknown,
  interactionId: string,
  look: LookUp,
): Promise<Settled> {
  if (!isLate(cause)) throw cause;
  const interaction = await look(interactionId).catch(() => {
    // A caller with `answer` and without `read` can receive only the refusal.
    throw cause;
  });
  return { ok: true, isMine: isMine(cause), interaction };
}

/** The message names the submission, because a page may have sent several. */
export function readSubmissionRefusal(cause: unknown, name: string): { readonly ok: true } {
  if (isMine(cause)) return { ok: true };
  if (!(cause instanceof ClientError)) throw cause;
  throw new ClientError({ ...cause, message: `${name} failed: ${cause.message}`, cause });
}

/** A text whose reply was lost, and which answered the interaction that it names. */
export function readRoutedBefore(
  cause: unknown,
  replyTo: string | undefined,
): { readonly routed: Routed; readonly isOld: true } {
  if (!isMine(cause) || replyTo === undefined) throw cause;
  const message = 'Response received.';
  return { routed: { routed: 'interaction', interactionId: replyTo, message }, isOld: true };
}

export interface RefusedDecision {
  readonly code: string;
  readonly message: string;
  readonly details?: JsonObject;
}

export async function readDecisionRefusal(
  { code, message, details }: RefusedDecision,
  look: LookUp,
): Promise<BatchResult> {
  const refused = { ok: false, code, message } as const;
  const id = details?.interactionId;
  if (code !== 'already_settled' || details?.yours !== true || typeof id !== 'string') {
    return refused;
  }
  return look(id).then(
    (interaction) => ({ ok: true, interaction }),
    () => refused,
  );
}

function isLate(cause: unknown): cause is ClientError {
  return cause instanceof ClientError && cause.code === 'already_settled';
}

function isMine(cause: unknown): boolean {
  return isLate(cause) && cause.details?.yours === true;
}
