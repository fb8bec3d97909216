/** The audit list: a page that a search finds, and the whole of it as a file. */
import * as z from '../../protocol/schema/zod.ts';
import { Outcome } from '../../protocol/schema/interaction.ts';
import { SessionId } from '../../protocol/schema/ids.ts';
import { AuditEntry, type AuditFilter, ListedAuditEntry } from '../../protocol/schema/workspace.ts';
import { findEnd } from '../authenticate.ts';
import { respondInPlace } from '../root-places.ts';
import { readResponse, route, WORKSPACE_TAG, BY_ADMIN } from '../route.ts';
import { AUDIT_FORMATS, streamAudit } from '../streaming/audit-file.ts';
import { mayAct } from '../../protocol/caller.ts';
import { Status, type TargetStatus } from '../../protocol/schema/status.ts';
import type { TargetView } from '../../protocol/schema/target.ts';
import type { HttpPorts } from '../ports.ts';
import { Before, PageSize, WholeNumber } from './params.ts';

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
  what: z
    .defer(() => AuditEntry.shape.what)
    .optional()
    .describe('What was decided or changed.'),
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
    async handle({ ports, identity, request, query: { format, ...filter } }) {
      const findWorkspace = async () => {
        const ended = await findEnd(identity, ports);
        if (ended !== undefined) throw new Error(ended.message);
        return ports.workspace(identity.workspace);
      };
      return respondInPlace('exports', { caller: identity.caller, request }, (onEnd) =>
        streamAudit(findWorkspace, { format, filter: givenFilter(filter) }, onEnd),
      );
    },
  }),
];

/** Each is a call to its object. */
const MAX_TARGETS_ASKED = 20;
const NEWEST_DELIVERIES = 20;

export const statusRoutes = [
  route({
    method: 'GET',
    path: '/v1/status',
    operationId: 'getStatus',
    tag: WORKSPACE_TAG,
    summary: 'Get what waits now, and for administrators agents, times to answer and failures',
    access: { in: 'workspace', anyOf: ['read'] },
    responses: { 200: { description: 'The state of the workspace', schema: Status } },
    async handle({ workspace, identity, ports }) {
      if (!mayAct(identity.caller, 'admin')) {
        return { status: 200, json: await workspace.openStatus() };
      }
      const [status, targets] = await Promise.all([workspace.status(), workspace.targets()]);
      return {
        status: 200,
        json: { ...status, targets: await failingTargets(targets, ports) },
      };
    },
  }),
];

async function failingTargets(
  targets: readonly TargetView[],
  ports: Pick<HttpPorts, 'findTarget' | 'warn'>,
): Promise<TargetStatus[]> {
  const shown = targets.slice(0, MAX_TARGETS_ASKED);
  const all = await Promise.all(
    shown.map(async ({ id, name, disabledAt }) => {
      const failed = await countFailures(id, ports);
      return { id, name: name ?? null, disabledAt, failed };
    }),
  );
  return all.filter(({ failed, disabledAt }) => failed > 0 || disabledAt !== null);
}

async function countFailures(
  id: string,
  { findTarget, warn }: Pick<HttpPorts, 'findTarget' | 'warn'>,
): Promise<number> {
  try {
    const target = await findTarget(id);
    const page = await target?.deliveries({ limit: NEWEST_DELIVERIES });
    if (page?.ok !== true) return 0;
    return page.value.deliveries.filter(
      ({ status, attempts }) => status === 'dead' || (status === 'pending' && attempts > 0),
    ).length;
  } catch (cause) {
    warn(`The deliveries of the target ${id} cannot be read`, cause);
    return 0;
  }
}
