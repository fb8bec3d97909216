/** Messages of people; the turn that follows can be streamed. */
import * as z from '../../protocol/schema/zod.ts';
import type { Routed } from '../../client/transport.ts';
import { COMMAND_SCOPES, rejectMissingScope, hasAnyScope } from '../../core/authority.ts';
import { SendMessage } from '../../protocol/schema/command.ts';
import { InteractionId, TurnId } from '../../protocol/schema/ids.ts';
import { wantsStream } from '../accept.ts';
import { commandResponse, type RouteResult, type RouteCall, route, LOG_TAG } from '../route.ts';
import { subscribeToLog } from '../streaming/subscribe.ts';
import { createMessageStream } from '../streaming/message-stream.ts';
import { ACCEPT_STREAM, InSession } from './params.ts';

const RoutedBody = z
  .union([
    z.strictObject({
      routed: z.literal('interaction'),
      interactionId: InteractionId,
      message: z.string(),
      decision: z.literal('adjust').optional(),
    }),
    z.strictObject({ routed: z.literal('queued'), messageId: z.string() }),
    z.strictObject({
      routed: z.literal('turn'),
      messageId: z.string(),
      turnId: TurnId.optional().describe(
        'The turn of the built-in agent; an agent that runs elsewhere chooses its own turn ids',
      ),
    }),
    z.strictObject({ cancelled: z.number() }).describe('After `/clear` and `/cancel`'),
  ])
  .meta({ id: 'RoutedMessage' });

type SendCall = RouteCall<{ id: string }, unknown, z.output<typeof SendMessage>>;

/** A stream starts only after the message is accepted, so a rejection is an ordinary response. */
async function sendAndFollow(call: SendCall): Promise<RouteResult> {
  const { session, body, context, identity, ports, params } = call;
  if (!hasAnyScope(identity.caller, ['read'])) return rejectMissingScope(['read']);
  const before = await session.snapshot();
  if (!before.ok) return before;
  // Subscribes first: a rejection after the message is accepted would look as if the message was rejected.
  const joined = await subscribeToLog(call, before.value.head, true);
  if (!joined.ok) return joined;
  const sent = await session.handle({ type: 'message.send', ...body }, context);
  if (!sent.ok) {
    joined.socket.close(1000, 'done');
    return sent;
  }
  const reply = JSON.parse(sent.json) as Routed | { cancelled: number };
  const routed: Routed = 'routed' in reply ? reply : { routed: 'command', ...reply };
  return createMessageStream({
    text: body.text,
    before: before.value,
    routed,
    isOld: sent.replayed,
    socket: joined.socket,
    async interaction(interactionId) {
      const found = await ports.findSession(identity.workspace, params.id);
      const read = found.ok
        ? await found.session.interaction(interactionId, identity.caller)
        : found;
      if (!read.ok) throw new Error(read.message);
      return read.value;
    },
  });
}

export const messageRoutes = [
  route({
    method: 'POST',
    path: '/v1/sessions/:id/messages',
    operationId: 'sendSessionMessage',
    tag: LOG_TAG,
    summary: 'Send a message; the text answers an interaction, is queued, or goes to the agent',
    description:
      'With `Accept: text/event-stream` the response streams the turn that follows from the message, to its end; this needs the scope `read` as well. A client that disconnects early loses nothing.',
    access: { in: 'session', anyOf: COMMAND_SCOPES['message.send'] },
    params: InSession,
    body: SendMessage,
    idempotent: true,
    responses: {
      200: { description: 'With `Accept: text/event-stream`: the turn, as it happens' },
      202: { description: 'Where the message went', schema: RoutedBody },
      409: {
        description:
          '`ambiguous_text`: several open interactions take text; name one with `replyTo`',
      },
    },
    headers: [ACCEPT_STREAM],
    media: {
      'text/event-stream':
        'The turn, one event each: `text_delta`, `tool_call_start`, `tool_call_delta`, `tool_call_end`, `tool_result`, `approval_required`, `question_prompt`, `plan_review_required`, `form_required`, `interaction_resolved`, `session_status`, `error`, and `done` at the end.',
    },
    errorCodes: ['ambiguous_text', 'text_not_an_answer', 'limit_reached', 'model_not_configured'],
    async handle(call) {
      if (wantsStream(call.request)) return sendAndFollow(call);
      const { session, body, context } = call;
      return commandResponse(await session.handle({ type: 'message.send', ...body }, context), 202);
    },
  }),
];
