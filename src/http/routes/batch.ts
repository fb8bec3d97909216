/** Asking about several tool calls at once. */
import * as z from '../../protocol/schema/zod.ts';
import { COMMAND_SCOPES } from '../../core/authority.ts';
import { FrameError } from '../../protocol/schema/frame.ts';
import { openBatchCommand, OpenBatch } from '../../protocol/schema/command.ts';
import { InteractionView, JsonObjectSchema } from '../../protocol/schema/interaction.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { commandResponse, INTERACTIONS_TAG, route } from '../route.ts';
import {
  outcomeWait,
  PREFER_WAIT,
  readPreferredWait,
  waitForOutcomes,
} from '../streaming/long-poll.ts';
import { InSession } from './params.ts';
import { OpenBody } from './interaction-bodies.ts';

const OpenResults = z
  .strictObject({
    results: z.array(
      z.union([
        z.strictObject({ ok: z.literal(true), interaction: InteractionView }),
        z.strictObject({ ok: z.literal(true), decision: JsonObjectSchema }),
        z.strictObject({ ok: z.literal(false), error: FrameError }),
      ]),
    ),
    settled: z.boolean().optional().describe('With a wait: whether every request has an outcome.'),
    now: z.number().optional(),
  })
  .meta({ id: 'OpenResults' });
const DocumentedBatch = z
  .strictObject({ requests: z.array(OpenBody).min(1).max(LIMITS.openingsPerBatch) })
  .meta({ id: 'OpenInteractions' });

type BatchResult = z.output<typeof OpenResults>['results'][number];

function isOpen(one: BatchResult): one is Extract<BatchResult, { interaction: unknown }> {
  return 'interaction' in one && one.interaction.status === 'open';
}

export const batchRoutes = [
  route({
    method: 'POST',
    path: '/v1/sessions/:id/interactions/batch',
    operationId: 'openSessionInteractions',
    tag: INTERACTIONS_TAG,
    summary:
      'Ask a person about several tool calls at once; a refused request does not stop the others',
    description:
      'The same as each request by itself, in one commit. With `Prefer: wait` the response comes when all requests have ' +
      'an outcome, or after the time with what there is. An `Idempotency-Key` stands for the batch as a whole.',
    access: { in: 'session', anyOf: COMMAND_SCOPES['interactions.open'] },
    params: InSession,
    body: OpenBatch,
    documentedBody: DocumentedBatch,
    bodyLimits: { maxBytes: LIMITS.batchBodyBytes, maxValues: LIMITS.batchJsonValues },
    idempotent: true,
    responses: {
      200: { description: 'One result for each request, in their order', schema: OpenResults },
    },
    headers: [PREFER_WAIT],
    errorCodes: ['too_large'],
    async handle(call) {
      const { session, body, context, ports, request } = call;
      const seconds = readPreferredWait(request);
      const wait = outcomeWait(call, seconds);
      const opened = await session.handle(openBatchCommand(body), context);
      if (seconds === 0 || !opened.ok) return commandResponse(opened, 200);
      const { results } = JSON.parse(opened.json) as { results: BatchResult[] };
      const open = results.flatMap((one, index) => {
        if (!isOpen(one)) return [];
        const toolCallId = body.requests[index]?.['toolCallId'];
        const named = typeof toolCallId === 'string' ? { toolCallId } : {};
        return [{ interaction: one.interaction, ...named }];
      });
      const awaited = await waitForOutcomes(open, wait);
      if (!awaited.ok) return awaited;
      const present = results.map((one) => {
        const read = 'interaction' in one && awaited.value.get(one.interaction.interactionId);
        return read ? { ...one, interaction: read } : one;
      });
      const json = { results: present, settled: !present.some(isOpen), now: ports.now() };
      return commandResponse({ ...opened, json: JSON.stringify(json) }, 200);
    },
  }),
];
