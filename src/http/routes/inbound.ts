/**
 * What the receivers of targets send: answers to webhooks, and what people do in a chat. Each message is verified by the
 * object of its target, which has the secrets.
 */
import * as z from '../../protocol/schema/zod.ts';
import type { ReceivedMessage } from '../../delivery/surface-message.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import { InteractionView } from '../../protocol/schema/interaction.ts';
import { InboundAnswer } from '../../protocol/schema/target.ts';
import type { HttpPorts } from '../ports.ts';
import { ANSWER_CODES, route, TARGETS_TAG } from '../route.ts';
import { OfDelivery, TargetId } from './params.ts';

const AnsweredReply = z
  .strictObject({ interaction: InteractionView })
  .meta({ id: 'AnsweredInteraction' });
const NO_TARGET = reject('not_found', 'There is no such target');

/**
 * Counts the messages that the target did not verify, after it tried: counted before, they would use up what its receiver
 * may send. The target itself counts the verified answers.
 */
async function refuse(
  { limiter }: Pick<HttpPorts, 'limiter'>,
  targetId: string,
  refusal: Rejection,
): Promise<Rejection> {
  if (refusal.code !== 'unauthenticated') return refusal;
  const retryAfterSeconds = await limiter.take(`unverified ${targetId}`);
  return retryAfterSeconds === undefined
    ? refusal
    : reject('rate_limited', 'Too many messages without a valid signature for this target', {
        retryAfterSeconds,
      });
}

export const inboundRoutes = [
  route({
    method: 'POST',
    path: '/v1/inbound/slack/:targetId',
    // Called by Slack alone, in a form that no generated client sends.
    unlisted: true,
    tag: TARGETS_TAG,
    summary: 'Receive what a person does in Slack',
    description:
      'The interactivity address of a Slack app: a form with a `payload`, signed with the signing secret of the target in the headers of Slack. ' +
      'A message is at most five minutes old, and counts once. A person whose answer is refused is shown why in Slack.',
    access: 'public',
    params: z.strictObject({ targetId: TargetId }),
    body: z.string().max(LIMITS.bodyBytes),
    bodyIsText: true,
    responses: { 200: { description: 'Received; for a dialog with what it shows next' } },
    errorCodes: ['unauthenticated', 'not_found', 'rate_limited'],
    async handle({ request, ports, params, bodyText }) {
      const message = { headers: Object.fromEntries(request.headers), body: bodyText };
      const send = async (id: string): Promise<ReceivedMessage | Rejection> => {
        const target = await ports.findTarget(id);
        return target === undefined ? NO_TARGET : target.receiveMessage(message);
      };
      const first = await send(params.targetId);
      // Only after this target has verified the message; the other one does so too.
      const received = 'forwardTo' in first ? await send(first.forwardTo) : first;
      if ('ok' in received) return refuse(ports, params.targetId, received);
      if ('forwardTo' in received) return NO_TARGET;
      const { status, text } = received;
      return text === '' ? new Response(null, { status }) : { status, text };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/inbound/:targetId/:deliveryId',
    operationId: 'answerByWebhook',
    tag: TARGETS_TAG,
    summary: 'Answer the interaction of a delivery, as its receiver',
    description:
      'Signed with the secret of the target, in the headers of Standard Webhooks; or with its key as a bearer token. ' +
      'A signed message is at most five minutes old, and each `webhook-id` counts once. `inputDigest` is required here: it is what binds the message to this delivery.',
    access: 'public',
    params: OfDelivery,
    body: InboundAnswer,
    responses: { 200: { description: 'The answered interaction', schema: AnsweredReply } },
    errorCodes: [
      ...ANSWER_CODES,
      'unauthenticated',
      'forbidden',
      'not_found',
      'rate_limited',
      'message_repeated',
    ],
    async handle({ request, ports, params, body, bodyText }) {
      const target = await ports.findTarget(params.targetId);
      if (target === undefined) return NO_TARGET;
      const { headers } = request;
      const answered = await target.answer(params.deliveryId, {
        id: headers.get('webhook-id'),
        timestamp: headers.get('webhook-timestamp'),
        signature: headers.get('webhook-signature'),
        authorization: headers.get('authorization'),
        body: bodyText,
        content: body,
      });
      return answered.ok
        ? { status: 200, text: answered.json }
        : refuse(ports, params.targetId, answered);
    },
  }),
];
