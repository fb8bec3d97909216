/** What a retention would delete: asked before it is switched on. */
import * as z from 'zod';
import { Retention, RetentionPreview } from '../../protocol/schema/retention.ts';
import { route, WORKSPACE_TAG } from '../route.ts';
import { BY_ADMIN } from './access.ts';

export const retentionRoutes = [
  route({
    method: 'POST',
    path: '/v1/retention/preview',
    operationId: 'previewRetention',
    tag: WORKSPACE_TAG,
    summary: 'List the sessions that a retention would delete now, the longest idle first',
    description: 'It deletes nothing. The setting `retention` does.',
    access: BY_ADMIN,
    body: Retention,
    responses: {
      200: {
        description: 'The sessions',
        schema: z.strictObject({ preview: RetentionPreview }).meta({ id: 'RetentionReply' }),
      },
    },
    handle: async ({ workspace, body }) => ({
      status: 200,
      json: { preview: await workspace.previewRetention(body) },
    }),
  }),
];
