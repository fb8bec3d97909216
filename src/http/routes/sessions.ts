/** Sessions: begin, list, pin, look, change, empty, delete. */
import * as z from '../../protocol/schema/zod.ts';
import { authorize, COMMAND_SCOPES } from '../../core/authority.ts';
import { hashText } from '../../core/digest.ts';
import { KeptAgentSettings } from '../../protocol/schema/agent-settings.ts';
import { InteractionView } from '../../protocol/schema/interaction.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { CreateRule, Rule } from '../../protocol/schema/rule.ts';
import { CreateSession, SessionView, UpdateSession } from '../../protocol/schema/session.ts';
import { SessionEntry } from '../../protocol/schema/workspace.ts';
import {
  Cancelled,
  readResponse,
  commandResponse,
  HeadReply,
  personProblem,
  type RouteCall,
  route,
  SESSIONS_TAG,
  PEOPLE_TAG,
} from '../route.ts';
import { Before, InSession, PageSize, RuleId } from './params.ts';

export const SessionReply = z.strictObject({ session: SessionView }).meta({ id: 'SessionReply' });
const SessionsPageBody = z
  .strictObject({ sessions: z.array(SessionEntry), next: z.string().optional() })
  .meta({ id: 'SessionsPage' });
const SessionsParameters = z
  .strictObject({
    limit: PageSize.optional(),
    before: Before.optional(),
    order: z
      .enum(['created', 'activity'])
      .describe('By creation, which is the default, or by the last activity, to the minute.')
      .optional(),
    archived: z
      .enum(['true', 'false'])
      .describe('Only sessions that are archived, or only those that are not; by activity.')
      .optional(),
    pinned: z
      .literal('true')
      .describe('Only the sessions that you pinned, all of them, by activity.')
      .optional(),
    q: z
      .string()
      .min(1)
      .max(LIMITS.searchChars)
      .describe('Words that are all in the title, the id, the agent or the labels; by activity.')
      .optional(),
  })
  .refine(
    ({ order, archived, pinned, q }) =>
      order !== 'created' || [archived, pinned, q].every((one) => one === undefined),
    { message: 'Lists with archived, pinned or q are by activity', path: ['order'] },
  );
const LISTS = `Without \`order\`, \`archived\` and \`q\` the list has every session. By activity it has those that are not archived, unless \`archived\` is \`true\`. A search looks at ${LIMITS.sessionsPerSearch} sessions at a time: a page may be short and have a \`next\` all the same.`;
const SnapshotReply = z
  .strictObject({
    session: SessionView,
    head: z.number(),
    open: z.array(InteractionView),
    now: z.number(),
  })
  .meta({ id: 'SessionSnapshot' });
const AgentSettingsReply = z
  .strictObject({ agent: KeptAgentSettings.nullable() })
  .meta({ id: 'AgentReply' });
const RulesReply = z.strictObject({ rules: z.array(Rule) }).meta({ id: 'RulesList' });

/** A repeated request without an id must find the session of the first request. */
function newSessionId(
  call: Pick<RouteCall<unknown, unknown, unknown>, 'context' | 'ports'>,
): string {
  const { idempotency, caller } = call.context;
  if (idempotency === undefined) return `ses_${call.ports.freshId()}`;
  return `ses_${hashText(`${caller.credential}|${idempotency.key}`)}`;
}

export const sessionRoutes = [
  route({
    method: 'POST',
    path: '/v1/sessions',
    operationId: 'createSession',
    tag: SESSIONS_TAG,
    summary: 'Create a session',
    access: { in: 'workspace', anyOf: COMMAND_SCOPES['session.create'] },
    body: CreateSession,
    bodyOptional: true,
    idempotent: true,
    createsSession: true,
    responses: {
      201: { description: 'It began', schema: SessionReply },
      409: { description: 'The id is taken, or belonged to a deleted session' },
    },
    errorCodes: ['session_exists', 'session_deleted'],
    async handle(call) {
      const { id = newSessionId(call), ...settings } = call.body;
      const command = { type: 'session.create', id, ...settings } as const;
      // The session would reject it too, but waking the session for that would leave a file.
      const refused = authorize(command, call.context.caller, undefined);
      if (refused !== undefined) return refused;
      const session = call.ports.newSession(call.identity.workspace, id);
      return commandResponse(await session.handle(command, call.context), 201);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/sessions',
    operationId: 'listSessions',
    tag: SESSIONS_TAG,
    summary: 'List sessions, newest first or by their last activity',
    description: LISTS,
    access: { in: 'workspace', anyOf: ['read'] },
    query: SessionsParameters,
    responses: {
      200: {
        description: 'One page',
        schema: SessionsPageBody,
      },
    },
    async handle({ workspace, query, identity }) {
      const { archived, pinned, ...rest } = query;
      const asked = {
        ...rest,
        ...(archived !== undefined && { archived: archived === 'true' }),
        ...(pinned !== undefined && { pinned: true }),
      };
      const page = await workspace.sessions(asked, identity.caller.subject);
      return readResponse(page, (value) => value);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/sessions/:id',
    operationId: 'getSession',
    tag: SESSIONS_TAG,
    summary: 'Get the session as it is now, with its open interactions',
    access: { in: 'session', anyOf: ['read'] },
    params: InSession,
    responses: {
      200: {
        description: 'A snapshot; `head` is the cursor from which to follow the log',
        schema: SnapshotReply,
      },
    },
    handle: async ({ session }) => readResponse(await session.snapshot(), (snapshot) => snapshot),
  }),
  route({
    method: 'PATCH',
    path: '/v1/sessions/:id',
    operationId: 'updateSession',
    tag: SESSIONS_TAG,
    summary: 'Change title, permission mode, deadlines, metadata or labels, or archive it',
    description:
      'An archived session is in the list only with `archived=true`. A request or a message that comes in brings it back.',
    access: { in: 'session', anyOf: COMMAND_SCOPES['session.update'] },
    params: InSession,
    body: UpdateSession,
    responses: {
      200: { description: 'The session with its changes', schema: SessionReply },
    },
    async handle({ session, body, context }) {
      return commandResponse(
        await session.handle({ type: 'session.update', changes: body }, context),
        200,
      );
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/sessions/:id',
    operationId: 'deleteSession',
    tag: SESSIONS_TAG,
    summary:
      'Delete a session: cancel its open interactions, end its connections, erase it; its id is never used again',
    access: { in: 'session', anyOf: COMMAND_SCOPES['session.delete'] },
    params: InSession,
    responses: { 204: { description: 'Deleted' } },
    async handle({ session, context }) {
      const result = await session.handle({ type: 'session.delete' }, context);
      return result.ok ? new Response(null, { status: 204 }) : result;
    },
  }),
  route({
    method: 'POST',
    path: '/v1/sessions/:id/clear',
    operationId: 'clearSession',
    tag: SESSIONS_TAG,
    summary:
      'Clear the context: cancel open interactions, end the turn, drop queued messages; the log stays',
    access: { in: 'session', anyOf: COMMAND_SCOPES['session.clear'] },
    params: InSession,
    idempotent: true,
    responses: {
      200: { description: 'Cleared', schema: Cancelled },
    },
    handle: async ({ session, context }) =>
      commandResponse(await session.handle({ type: 'session.clear' }, context), 200),
  }),
  route({
    method: 'POST',
    path: '/v1/sessions/:id/interrupt',
    operationId: 'interruptSession',
    tag: SESSIONS_TAG,
    summary: 'Stop the turn and cancel open interactions',
    access: { in: 'session', anyOf: COMMAND_SCOPES['turn.interrupt'] },
    params: InSession,
    idempotent: true,
    responses: {
      200: { description: 'Interrupted', schema: Cancelled },
    },
    handle: async ({ session, context }) =>
      commandResponse(await session.handle({ type: 'turn.interrupt' }, context), 200),
  }),
  route({
    method: 'GET',
    path: '/v1/sessions/:id/agent',
    operationId: 'getSessionAgent',
    tag: SESSIONS_TAG,
    summary: 'Get the settings of the built-in agent as given, with addresses and system prompt',
    access: { in: 'session', anyOf: [] },
    params: InSession,
    responses: {
      200: {
        description: 'The settings, or null if the agent runs elsewhere',
        schema: AgentSettingsReply,
      },
    },
    handle: async ({ session }) =>
      readResponse(await session.agentSettings(), (agent) => ({ agent })),
  }),
  route({
    method: 'GET',
    path: '/v1/sessions/:id/rules',
    operationId: 'listSessionRules',
    tag: SESSIONS_TAG,
    summary: 'List the rules that people gave for this session',
    access: { in: 'session', anyOf: ['read'] },
    params: InSession,
    responses: {
      200: { description: 'The rules', schema: RulesReply },
    },
    handle: async ({ session }) => readResponse(await session.rules(), (rules) => ({ rules })),
  }),
  route({
    method: 'POST',
    path: '/v1/sessions/:id/rules',
    operationId: 'createSessionRule',
    tag: SESSIONS_TAG,
    summary: 'Make a rule for this session; one that allows needs `admin`',
    description: 'An answerer makes rules that allow by approving a request that offers them.',
    access: { in: 'session', anyOf: COMMAND_SCOPES['rule.add'] },
    params: InSession,
    body: CreateRule,
    responses: { 201: { description: 'Made, or an equal rule was there', schema: HeadReply } },
    errorCodes: ['invalid_values', 'limit_reached'],
    handle: async ({ session, body, context }) =>
      commandResponse(await session.handle({ type: 'rule.add', rule: body }, context), 201),
  }),
  route({
    method: 'DELETE',
    path: '/v1/sessions/:id/rules/:ruleId',
    operationId: 'deleteSessionRule',
    tag: SESSIONS_TAG,
    summary: 'Revoke a rule; later calls ask again',
    access: { in: 'session', anyOf: COMMAND_SCOPES['rule.revoke'] },
    params: InSession.extend({ ruleId: RuleId }),
    responses: { 200: { description: 'Revoked', schema: HeadReply } },
    handle: async ({ session, params, context }) =>
      commandResponse(
        await session.handle({ type: 'rule.revoke', ruleId: params.ruleId }, context),
        200,
      ),
  }),
];

/** Not `id`: a path with that name is refused before its handler where the session is unknown. */
const PinnedSession = z.strictObject({ sessionId: z.defer(() => InSession.shape.id) });

const PIN_OWNER = { in: 'workspace', anyOf: ['read'] } as const;
const PINS = 'Pins';

/** The sessions that a person keeps at the top of the own list. Archiving is for all; a pin is for one person. */
export const pinRoutes = [
  route({
    method: 'PUT',
    path: '/v1/me/pins/:sessionId',
    operationId: 'pinSession',
    tag: PEOPLE_TAG,
    summary: 'Pin a session: your list shows it first',
    access: PIN_OWNER,
    params: PinnedSession,
    responses: { 204: { description: 'Pinned, or it was before' } },
    errorCodes: ['limit_reached'],
    async handle({ workspace, identity, params, ports }) {
      const problem = personProblem(identity, PINS);
      if (problem !== undefined) return problem;
      const found = await ports.findSession(identity.workspace, params.sessionId);
      if (!found.ok) return found;
      const pinned = await workspace.pinSession(identity.caller.subject, params.sessionId);
      return pinned.ok ? new Response(null, { status: 204 }) : pinned;
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/me/pins/:sessionId',
    operationId: 'unpinSession',
    tag: PEOPLE_TAG,
    summary: 'Unpin a session',
    access: PIN_OWNER,
    params: PinnedSession,
    responses: { 204: { description: 'Unpinned, or it was not pinned' } },
    async handle({ workspace, identity, params }) {
      const problem = personProblem(identity, PINS);
      if (problem !== undefined) return problem;
      await workspace.unpinSession(identity.caller.subject, params.sessionId);
      return new Response(null, { status: 204 });
    },
  }),
];
