/**
 * What a refused answer means to its caller (TRN-3).
 *
 * The refusal says who was faster. If that was this caller with the same answer, the reply to it was lost on the way,
 * and the caller has what it wanted.
 */
import { ClientError } from '../errors.ts';
import type { BatchResult, Routed, Settled } from '../transport.ts';
import type { Interaction, JsonObject } from '../../protocol/types.ts';

export type Look = (interactionId: string) => Promise<Interaction>;

/** To a person, too late is an outcome like any other: the recorded one is what they see. */
export async function readSettledBefore(
  cause: unknown,
  interactionId: string,
  look: Look,
): Promise<Settled> {
  if (!isLate(cause)) throw cause;
  const interaction = await look(interactionId).catch(() => {
    // A caller that may answer and not read can receive no more than this.
    throw cause;
  });
  return { ok: true, isMine: isMine(cause), interaction };
}

/** A failure says which submission it was, because a surface may have sent several. */
export function readSubmissionRefusal(cause: unknown, name: string): { readonly ok: true } {
  if (isMine(cause)) return { ok: true };
  if (!(cause instanceof ClientError)) throw cause;
  throw new ClientError({ ...cause, message: `${name} failed: ${cause.message}`, cause });
}

/** The reply to a text that answered what it names. */
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
  look: Look,
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
