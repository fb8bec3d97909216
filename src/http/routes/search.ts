/** Full text of one session. */
import * as z from 'zod';
import { LIMITS } from '../../protocol/limits.ts';
import { SearchPage } from '../../protocol/schema/search.ts';
import { LOG_TAG, readResponse, route } from '../route.ts';
import { InSession, PageSize, WholeNumber } from './params.ts';

export const searchRoutes = [
  route({
    method: 'GET',
    path: '/v1/sessions/:id/search',
    operationId: 'searchSession',
    tag: LOG_TAG,
    summary: 'Find events whose text has these words, newest first',
    description:
      'Messages, texts, failures, input and results of tools, requests and answers are compared, whatever their case; imported history is not. One request reads a bounded part of the log: a page may be empty and have a `next`.',
    access: { in: 'session', anyOf: ['read'] },
    params: InSession,
    query: z.strictObject({
      q: z.string().trim().min(1).max(LIMITS.searchChars).describe('The text, as it is written.'),
      before: WholeNumber.describe('Only events before this `seq` of the log.').optional(),
      limit: PageSize.optional(),
    }),
    responses: { 200: { description: 'What was found', schema: SearchPage } },
    async handle({ session, query, identity }) {
      const { q, before, limit = LIMITS.pageDefault } = query;
      const asked = { q, limit, ...(before !== undefined && { before }) };
      return readResponse(await session.search(asked, identity.caller), (page) => page);
    },
  }),
];
