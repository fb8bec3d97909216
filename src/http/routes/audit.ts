/** The audit list: a page that a search finds, and the whole of it as a file. */
import * as z from 'zod';
import { Outcome } from '../../protocol/schema/interaction.ts';
import { SessionId } from '../../protocol/schema/ids.ts';
import { AuditEntry, type AuditFilter, ListedAuditEntry } from '../../protocol/schema/workspace.ts';
import { readResponse, route, WORKSPACE_TAG } from '../route.ts';
import { AUDIT_FORMATS, streamAudit } from '../streaming/audit-file.ts';
import { Before, PageSize, WholeNumber } from './params.ts';
import { BY_ADMIN } from './access.ts';

const AuditHeadReply = z
  .strictObject({ number: z.number(), hash: z.string() })
  .nullable()
  .describe('The end of the list. Kept elsewhere, it shows later whether entries are missing.');

const AuditPageBody = z
  .strictObject({
    entries: z.array(ListedAuditEntry),
    next: z.string().optional(),
    head: AuditHeadReply,
  })
  .meta({ id: 'AuditPage' });

const MAX_WORD_CHARS = 200;

const Filter = {
  who: z.string().min(1).max(MAX_WORD_CHARS).optional().describe('The subject that acted.'),
  what: AuditEntry.shape.what.optional().describe('What was decided or changed.'),
  session: SessionId.optional().describe('Of this session alone.'),
  outcome: Outcome.optional().describe('How the requests ended.'),
  from: WholeNumber.optional().describe('At this time or later, in milliseconds since 1970.'),
  to: WholeNumber.optional().describe('Before this time.'),
  text: z
    .string()
    .min(1)
    .max(MAX_WORD_CHARS)
    .optional()
    .describe('In any field that is text, in any case.'),
};

/** Without the parts that the request leaves out: an empty filter is none. */
function givenFilter(given: AuditFilter): AuditFilter {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

export const auditRoutes = [
  route({
    method: 'GET',
    path: '/v1/audit',
    operationId: 'getAudit',
    tag: WORKSPACE_TAG,
    summary: 'List decisions and changes: who, what, when, from where; newest first',
    description:
      'A search looks through some twenty thousand entries at once: a page may have fewer entries than `limit`, or none, and still a `next`.',
    access: BY_ADMIN,
    query: z.strictObject({ limit: PageSize.optional(), before: Before.optional(), ...Filter }),
    responses: { 200: { description: 'One page', schema: AuditPageBody } },
    async handle({ workspace, query: { limit, before, ...filter } }) {
      return readResponse(
        await workspace.audit({ limit, before, ...givenFilter(filter) }),
        (page) => page,
      );
    },
  }),
  route({
    method: 'GET',
    path: '/v1/audit/export',
    operationId: 'exportAudit',
    tag: WORKSPACE_TAG,
    summary: 'Export the audit list in the order of its chain, as JSON lines or CSV',
    description:
      'Without a filter, `holdpoint audit verify` checks the JSON lines. Entries that arrive meanwhile are left to the next export.',
    access: BY_ADMIN,
    query: z.strictObject({
      format: z.enum(AUDIT_FORMATS).default('jsonl').describe('`jsonl` or `csv`.'),
      ...Filter,
    }),
    responses: { 200: { description: 'application/x-ndjson or text/csv' } },
    media: {
      'application/x-ndjson':
        'One entry as JSON in each line, with all its stored fields, `number`, `previous` and `hash`.',
      'text/csv':
        'A line of names, then one entry in each line. What a spreadsheet would run as a formula begins with an apostrophe.',
    },
    async handle({ ports, identity, query: { format, ...filter } }) {
      return streamAudit(() => ports.workspace(identity.workspace), {
        format,
        filter: givenFilter(filter),
      });
    },
  }),
];
