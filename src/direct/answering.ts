/** The ways in which a person ends a wait. */
import type * as z from 'zod';
import {
  resolveRouted,
  resolveSettled,
  resolveSubmission,
} from '../client/requests/late-answer.ts';
import type { Keyed, Routed, Settled } from '../client/transport.ts';
import type { Interaction, JsonObject } from '../protocol/types.ts';
import { type ShortAnswer, type ShortForm, shortCommand } from '../core/short-forms.ts';
import { CancelOne, SendMessage } from '../protocol/schema/command.ts';
import { JsonObjectSchema } from '../protocol/schema/interaction.ts';
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

function settle<Body>(desk: Desk, ask: Ask<Body> & Named): Promise<Settled> {
  const asked = desk.ask<{ readonly interaction: Interaction }, Body>(ask);
  return resolveSettled(
    ask.interaction,
    asked.then(({ interaction }) => interaction),
    recordsOf(desk, ask.session),
  );
}

/** Reads one as it is; whoever may answer need not be able to. */
export function recordsOf(desk: Desk, sessionId: string) {
  return (interactionId: string) => outcomeOf(desk, { sessionId, interactionId, waitMs: 0 });
}

export function submit(
  desk: Desk,
  form: ShortForm,
  {
    name,
    session,
    body,
  }: { readonly name: string; readonly session: string; readonly body: object },
): Promise<{ readonly ok: true }> {
  const asked = desk.ask<object, ShortAnswer>({
    type: 'interaction.answer',
    session,
    body,
    schema: form.body,
    command: (given) => shortCommand(form, given),
  });
  return resolveSubmission(name, asked);
}

export async function sendText(
  desk: Desk,
  session: string,
  message: { readonly text: string; readonly replyTo?: string | undefined },
  how?: Keyed,
): Promise<Routed> {
  const type = 'message.send';
  const asked = desk.ask<MessageReply, z.output<typeof SendMessage>>({
    type,
    session,
    how,
    body: message,
    schema: SendMessage,
    command: (body) => ({ type, ...body }),
  });
  const routed = asked.then((reply) => ({ routed: routedOf(reply) }));
  return (await resolveRouted(message.replyTo, routed)).routed;
}
