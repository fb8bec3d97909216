/** What spans sessions: the inbox as a page or live, and the settings with what a retention would delete. */
import * as z from '../../protocol/schema/zod.ts';
import { mayAct, rootOf, settlerOf } from '../../protocol/caller.ts';
import { takesPart } from '../../core/connection-limits.ts';
import { RISKS } from '../../protocol/inbox-filter.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { SessionId } from '../../protocol/schema/ids.ts';
import { KindName, ToolName } from '../../protocol/schema/interaction.ts';
import { Name } from '../../protocol/schema/name.ts';
import { DecisionEntry, Settings, InboxEntry } from '../../protocol/schema/workspace.ts';
import { readResponse, route, type RouteCall, WORKSPACE_TAG, BY_ADMIN } from '../route.ts';
import type { Rejection } from '../../protocol/errors.ts';
import { InboxFrame } from '../../protocol/schema/frame.ts';
import { COMMAND_SCOPES, rejectMissingScope } from '../../core/authority.ts';
import { DecideInbox } from '../../protocol/schema/command.ts';
import { wantsStream } from '../accept.ts';
import { createEventStream } from '../streaming/sse-response.ts';
import type { AcceptedUpgrade } from '../stubs.ts';
import { decideInbox } from '../decide-inbox.ts';
import { Retention, RetentionPreview } from '../../protocol/schema/retention.ts';
import { Before, PageSize, ACCEPT_STREAM, After } from './params.ts';
import { DecideResults } from './interaction-bodies.ts';

function connectToInbox(
  { identity, ports }: RouteCall<unknown, unknown, unknown>,
  held: boolean,
  subprotocol?: string,
): Promise<AcceptedUpgrade | Rejection> {
  const { caller, chain, expiresAt, workspace } = identity;
  const place = { root: rootOf(caller), takesPart: takesPart(caller) };
  return ports.inbox(workspace).connect({ chain, expiresAt, held, ...place }, subprotocol);
}

const InboxPageBody = z
  .strictObject({
    interactions: z.array(InboxEntry),
    next: z.string().optional(),
    total: z.number(),
    now: z.number(),
  })
  .meta({ id: 'InboxPage' });

const DecisionsPageBody = z
  .strictObject({ decisions: z.array(DecisionEntry), next: z.string().optional() })
  .meta({ id: 'DecisionsPage' });
const InboxParams = z.strictObject({
  limit: PageSize.optional(),
  after: After.optional(),
  find: z
    .string()
    .max(LIMITS.titleChars)
    .optional()
    .describe('Words that are all in the tool, the session, the agent or the request.'),
  session: SessionId.optional().describe('Of this session.'),
  by: Name.optional().describe('Asked by this subject.'),
  tool: ToolName.optional().describe('Of this tool.'),
  kind: KindName.optional().describe('Of this kind.'),
  risk: z
    .enum(RISKS)
    .optional()
    .describe('Approvals of tools that read, edit or execute, or of which that is unknown.'),
  label: z
    .string()
    .max(LIMITS.titleChars)
    .optional()
    .describe('Of sessions with this label: `name` or `name=value`.'),
  for: z.literal('me').optional().describe('Only what this credential is asked.'),
});
const SettingsReply = z.strictObject({ settings: Settings }).meta({ id: 'SettingsReply' });

export const workspaceRoutes = [
  route({
    method: 'GET',
    path: '/v1/inbox',
    operationId: 'getInbox',
    tag: WORKSPACE_TAG,
    summary:
      'List open interactions by deadline, earliest first; live with `Accept: text/event-stream`',
    access: { in: 'workspace', anyOf: ['read'] },
    description:
      'With a filter, a page may have fewer entries than `limit` and still a `next`: it ends where the server has looked ' +
      'through enough of the inbox. `total` counts everything that is open. The stream takes no filter.',
    query: InboxParams,
    responses: {
      200: {
        description: 'One page; `now` is the time of the server',
        schema: InboxPageBody,
      },
    },
    headers: [ACCEPT_STREAM],
    media: {
      'text/event-stream':
        'The first page, then its changes: `event` is the type, `data` an `InboxFrame`.',
    },
    errorCodes: ['limit_reached'],
    async handle(call) {
      const { request, workspace, query, identity } = call;
      const { limit, after, ...filter } = query;
      if (wantsStream(request)) {
        const joined = await connectToInbox(call, true);
        return joined.ok ? createEventStream(joined.socket) : joined;
      }
      const { subject, scopes } = identity.caller;
      const search = { filter, reader: { subject, isAdmin: scopes.includes('admin') } };
      const isSearch = Object.keys(filter).length > 0;
      const page = await workspace.inbox({ limit, after, ...(isSearch && { search }) });
      return readResponse(page, (found) => found);
    },
  }),
  route({
    method: 'POST',
    path: '/v1/inbox/decide',
    operationId: 'decideInbox',
    tag: WORKSPACE_TAG,
    summary: 'Answer requests of several sessions; a refused answer does not stop the others',
    description:
      'Each answer is judged by its session, as if it had come by itself. The answers of one session are given in their ' +
      'order, and those of several sessions at the same time.',
    access: { in: 'workspace', anyOf: COMMAND_SCOPES['interaction.answer'] },
    body: DecideInbox,
    idempotent: true,
    responses: {
      200: { description: 'One result for each answer, in their order', schema: DecideResults },
    },
    async handle(call) {
      const results = await decideInbox(call.body.decisions, call);
      return { status: 200, text: `{"results":[${results.join(',')}]}` };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/decisions',
    operationId: 'listDecisions',
    tag: WORKSPACE_TAG,
    summary: 'List what was decided, newest first: by this subject, or by everyone',
    description:
      'One’s own are the decisions of this subject with credentials of the same key. `everyone` needs `admin`, and also ' +
      'has what rules, modes and deadlines decided.',
    access: { in: 'workspace', anyOf: ['read'] },
    query: z.strictObject({
      of: z.enum(['me', 'everyone']).default('me').describe('Whose; `me` if left out.'),
      limit: PageSize.optional(),
      before: Before.optional(),
    }),
    responses: { 200: { description: 'One page', schema: DecisionsPageBody } },
    async handle({ workspace, query, identity: { caller } }) {
      const { of, ...page } = query;
      if (of === 'everyone' && !mayAct(caller, 'admin')) return rejectMissingScope([]);
      const { subject, key = caller.credential } = caller;
      const decider = of === 'me' ? { subject, key } : undefined;
      return readResponse(await workspace.decisions(page, decider), (found) => found);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/inbox/socket',
    operationId: 'getInboxSocket',
    tag: WORKSPACE_TAG,
    summary: 'Follow the inbox by WebSocket: the first page, then its changes',
    description:
      'Subprotocols `holdpoint.v1` and `holdpoint.token.<token>`; only `holdpoint.v1` is echoed. ' +
      'The server accepts no frames but the text `ping`.',
    access: { in: 'workspace', anyOf: ['read'] },
    responses: {
      101: { description: 'Switching protocols' },
      426: { description: 'Not an upgrade' },
    },
    socket: { receives: InboxFrame },
    errorCodes: ['upgrade_required', 'limit_reached'],
    async handle(call) {
      const joined = await connectToInbox(call, false, call.subprotocol);
      return joined.ok ? joined.response : joined;
    },
  }),
  route({
    method: 'GET',
    path: '/v1/settings',
    operationId: 'getSettings',
    tag: WORKSPACE_TAG,
    summary: 'Get the defaults of the workspace',
    access: BY_ADMIN,
    responses: {
      200: { description: 'The settings', schema: SettingsReply },
    },
    async handle({ workspace }) {
      const { settings } = await workspace.policy();
      return { status: 200, json: { settings } };
    },
  }),
  route({
    method: 'PUT',
    path: '/v1/settings',
    operationId: 'setSettings',
    tag: WORKSPACE_TAG,
    summary: 'Set the defaults of the workspace; sessions follow within half a minute',
    access: BY_ADMIN,
    body: Settings,
    responses: {
      200: { description: 'The settings', schema: SettingsReply },
    },
    async handle({ workspace, body, identity, ports }) {
      const settings = await workspace.updateSettings(body, settlerOf(identity.caller));
      await ports.policy.refresh(identity.workspace);
      await ports.audiences.refresh(identity.workspace);
      return { status: 200, json: { settings } };
    },
  }),
];

/** What a retention would delete: asked before it is switched on. */
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
