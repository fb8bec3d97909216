/** The ways in which a person ends a wait, and what is said when somebody else was faster. */
import type * as z from 'zod';
import { ClientError } from '../client/client-error.ts';
import type { Keyed, Routed, Settled } from '../client/transport.ts';
import type { Interaction, JsonObject } from '../client/words.ts';
import { type ShortAnswer, type ShortForm, shortCommand } from '../core/short-forms.ts';
import { CancelOne, SendMessage } from '../protocol/command.ts';
import { JsonObjectSchema } from '../protocol/interaction.ts';
import { type MessageReply, routedOf } from './answers.ts';
import type { Ask, Desk } from './desk.ts';
import { outcomeOf } from './outcome.ts';

interface Named {
  readonly session: string;
  readonly interaction: string;
}

interface Given extends Named {
  readonly answer: JsonObject;
  readonly how: Keyed | undefined;
}

export function giveAnswer(desk: Desk, { answer, ...at }: Given): Promise<Settled> {
  const type = 'interaction.answer';
  const target = { interactionId: at.interaction };
  return settle(desk, {
    ...at,
    type,
    body: answer,
    schema: JsonObjectSchema,
    command: (body) => ({ type, target, answer: body }),
  });
}

export function cancelOne(
  desk: Desk,
  { reason, ...at }: Named & { readonly reason: string | undefined },
): Promise<Settled> {
  const type = 'interaction.cancel';
  return settle(desk, {
    ...at,
    type,
    body: { reason },
    schema: CancelOne,
    command: (body) => ({ type, interactionId: at.interaction, ...body }),
  });
}

/** Too late is an outcome like any other: what somebody else decided is what became of it (TRN-3). */
async function settle<Body>(desk: Desk, ask: Ask<Body> & Named): Promise<Settled> {
  try {
    const { interaction } = await desk.ask<{ readonly interaction: Interaction }, Body>(ask);
    return { ok: true, interaction, isMine: true };
  } catch (cause) {
    if (!(cause instanceof ClientError) || cause.code !== 'already_settled') throw cause;
    const wanted = { sessionId: ask.session, interactionId: ask.interaction, waitMs: 0 };
    const interaction = await outcomeOf(desk, wanted).catch(() => {
      // Whoever may answer and not read can be told no more than this.
      throw cause;
    });
    return { ok: true, interaction, isMine: false };
  }
}

/** A failure says which submission it was, because a surface may have sent several. */
export async function submit(
  desk: Desk,
  form: ShortForm,
  {
    name,
    session,
    body,
  }: { readonly name: string; readonly session: string; readonly body: object },
): Promise<{ readonly ok: true }> {
  try {
    await desk.ask<object, ShortAnswer>({
      type: 'interaction.answer',
      session,
      body,
      schema: form.body,
      command: (given) => shortCommand(form, given),
    });
    return { ok: true };
  } catch (cause) {
    if (!(cause instanceof ClientError)) throw cause;
    throw new ClientError({ ...cause, message: `${name} failed: ${cause.message}`, cause });
  }
}

export async function sendText(
  desk: Desk,
  session: string,
  message: { readonly text: string; readonly replyTo?: string | undefined },
  how?: Keyed,
): Promise<Routed> {
  const type = 'message.send';
  const reply = await desk.ask<MessageReply, z.output<typeof SendMessage>>({
    type,
    session,
    how,
    body: message,
    schema: SendMessage,
    command: (body) => ({ type, ...body }),
  });
  return routedOf(reply);
}
