/** What the commands of people answer, as a transport says it. */
import type { BatchAnswer } from '../client/requests/late-answer.ts';
import type { Opened, Routed } from '../client/transport.ts';
import type { Interaction, JsonObject } from '../protocol/types.ts';
import type { Handled } from '../session/session.ts';
import { give } from './border.ts';

export type MessageReply = Exclude<Routed, { routed: 'command' }> | { readonly cancelled: number };

/** `/clear` and `/cancel` are answered with a number, without a word of where the text went. */
export function routedOf(reply: MessageReply): Routed {
  return 'cancelled' in reply ? { routed: 'command', cancelled: reply.cancelled } : reply;
}

export type OpenReply = { readonly interaction: Interaction } | { readonly decision: JsonObject };

export function openedOf(reply: OpenReply): Opened {
  return 'decision' in reply
    ? { type: 'decided', decision: reply.decision }
    : { type: 'interaction', interaction: reply.interaction };
}

export function batchAnswerOf(handled: Handled): BatchAnswer {
  if (!handled.ok) return give({ ok: false, error: handled });
  const { interaction } = give<{ interaction: Interaction }>(handled.body);
  return { ok: true, interaction };
}
