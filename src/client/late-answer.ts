/**
 * What a caller is told whose answer came too late, over every transport (TRN-3).
 *
 * The refusal says who was faster. If that was this caller with the same answer, the reply to it was lost
 * on the way, and whatever asked again has what it wanted.
 */
import { ClientError } from './client-error.ts';
import type { BatchResult, Routed, Settled } from './transport.ts';
import type { Interaction, JsonObject } from './words.ts';

type Look = (interactionId: string) => Promise<Interaction>;

/** To a person, too late is an outcome like any other: the recorded one is what they see. */
export async function resolveSettled(
  interactionId: string,
  asked: Promise<Interaction>,
  look: Look,
): Promise<Settled> {
  try {
    return { ok: true, isMine: true, interaction: await asked };
  } catch (cause) {
    if (!isLate(cause)) throw cause;
    const interaction = await look(interactionId).catch(() => {
      // Whoever may answer and not read can be told no more than this.
      throw cause;
    });
    return { ok: true, isMine: isMine(cause), interaction };
  }
}

/** A failure says which submission it was, because a surface may have sent several. */
export async function resolveSubmission(
  name: string,
  asked: Promise<unknown>,
): Promise<{ readonly ok: true }> {
  try {
    await asked;
  } catch (cause) {
    if (!(cause instanceof ClientError)) throw cause;
    if (!isMine(cause)) {
      throw new ClientError({ ...cause, message: `${name} failed: ${cause.message}`, cause });
    }
  }
  return { ok: true };
}

/** The reply to a text that answered what it names. */
export async function resolveRouted<Reply extends { readonly routed: Routed }>(
  replyTo: string | undefined,
  asked: Promise<Reply>,
): Promise<Reply | { readonly routed: Routed; readonly isOld: true }> {
  try {
    return await asked;
  } catch (cause) {
    if (!isMine(cause) || replyTo === undefined) throw cause;
    const message = 'Response received.';
    return { routed: { routed: 'interaction', interactionId: replyTo, message }, isOld: true };
  }
}

export type BatchAnswer =
  | { readonly ok: true; readonly interaction: Interaction }
  | {
      readonly ok: false;
      readonly error: {
        readonly code: string;
        readonly message: string;
        readonly details?: JsonObject;
      };
    };

export async function resolveDecision(answer: BatchAnswer, look: Look): Promise<BatchResult> {
  if (answer.ok) return answer;
  const { code, message, details } = answer.error;
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
