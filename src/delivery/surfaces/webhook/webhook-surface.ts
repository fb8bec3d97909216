/** The surface of programs: each announcement is one POST in the form of Standard Webhooks, and a reply may answer it. */
import { requestIn, webhookBody } from '../../../core/delivery/webhook-body.ts';
import { signMessage } from '../../../core/delivery/webhook-signature.ts';
import { parseJson } from '../../../protocol/json.ts';
import { InboundAnswer } from '../../../protocol/schema/target.ts';
import type { SettingsOf } from '../surface-settings.ts';
import {
  type OutgoingDelivery,
  type Surface,
  type SurfaceRequest,
  type SurfaceTarget,
  TEST_TYPE,
} from '../surface.ts';

type WebhookTarget = SurfaceTarget<SettingsOf<'webhook'>>;

export const webhookSurface: Surface<SettingsOf<'webhook'>> = {
  async deliver(target, delivery, { send, now, isoTime }) {
    const reply = await send(webhookRequest(target, delivery, { now: now(), isoTime }));
    const answer = reply.status === 200 && reply.problem === undefined;
    const read = answer ? readReplyAnswer(delivery, reply.text) : undefined;
    return { reply, ...(read !== undefined && { answer: read }) };
  },
};

function webhookRequest(
  { id: targetId, workspace, origin, secrets, settings }: WebhookTarget,
  { id, at, announcement, sessionId, link }: OutgoingDelivery,
  { now, isoTime }: { readonly now: number; readonly isoTime: (at: number) => string },
): SurfaceRequest {
  const content =
    announcement === null
      ? { type: TEST_TYPE, timestamp: isoTime(at), data: { workspace } }
      : webhookBody({
          workspace,
          sessionId,
          announcement,
          answerUrl: origin && `${origin}/v1/inbound/${targetId}/${id}`,
          link,
          timestamp: isoTime(announcement.at),
        });
  const body = JSON.stringify(content);
  const seconds = Math.floor(now / 1_000);
  return {
    url: settings.url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signMessage(secrets, { id, seconds, body }, now),
    },
    body,
  };
}

/** Undefined for a response that holds no answer. */
function readReplyAnswer(
  { announcement }: OutgoingDelivery,
  text: string,
): InboundAnswer | undefined {
  if (announcement === null || requestIn(announcement) === undefined) return undefined;
  const parsed = parseJson(text);
  if (!parsed.ok) return undefined;
  return InboundAnswer.safeParse(parsed.value).data;
}
