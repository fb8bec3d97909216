/** The built-in agent of a session: its files, results of client tools, retries, queued messages. */
import { LIMITS } from '../../protocol/limits.ts';
import * as z from '../../protocol/schema/zod.ts';
import { COMMAND_SCOPES } from '../../core/authority.ts';
import { RestoreConversation, ToolResult } from '../../protocol/schema/command.ts';
import { SessionFile, SessionFileEntry } from '../../protocol/schema/session.ts';
import { ToolCallId, TurnId } from '../../protocol/schema/ids.ts';
import { readResponse, commandResponse, HeadReply, route, AGENT_TAG } from '../route.ts';
import { InSession } from './params.ts';

const FilesReply = z
  .union([
    z.strictObject({ files: z.array(SessionFileEntry) }),
    z.strictObject({ file: SessionFile }),
  ])
  .meta({ id: 'FilesReply' });

const FilePathQuery = z.string().min(1).max(LIMITS.filePathChars).describe('The file to read.');
const toolCallId = ToolCallId.meta({ description: 'The tool call.', example: 'call_1' });
const messageId = z
  .string()
  .max(128)
  .meta({ description: 'The queued message.', example: 'msg_example' });

const RetriedTurn = z.strictObject({ turnId: TurnId }).meta({ id: 'RetriedTurn' });

export const agentRoutes = [
  route({
    method: 'GET',
    path: '/v1/sessions/:id/files',
    operationId: 'listSessionFiles',
    tag: AGENT_TAG,
    summary: 'List the files of the built-in agent in this session; with `path`, read one file',
    access: { in: 'session', anyOf: ['read'] },
    params: InSession,
    query: z.strictObject({ path: FilePathQuery.optional() }),
    responses: {
      200: {
        description: 'The list, sorted by path, or the file with its text',
        schema: FilesReply,
      },
    },
    async handle({ session, query }) {
      if (query.path === undefined)
        return readResponse(await session.files(), (files) => ({ files }));
      return readResponse(await session.file(query.path), (file) => ({ file }));
    },
  }),
  route({
    method: 'POST',
    path: '/v1/sessions/:id/tool-calls/:toolCallId/result',
    operationId: 'submitSessionToolResult',
    tag: AGENT_TAG,
    summary: 'Submit the result of a client tool; the turn goes on once all its calls have results',
    access: { in: 'session', anyOf: COMMAND_SCOPES['tool.result'] },
    params: InSession.extend({ toolCallId }),
    body: ToolResult,
    idempotent: true,
    responses: {
      201: { description: 'The result is in the log', schema: HeadReply },
      409: {
        description:
          '`not_waiting`: the call is not allowed yet, has a result, or runs on the server',
      },
    },
    errorCodes: ['not_waiting'],
    handle: async ({ session, params, body, context }) =>
      commandResponse(
        await session.handle(
          { type: 'tool.result', toolCallId: params.toolCallId, ...body },
          context,
        ),
        201,
      ),
  }),
  route({
    method: 'POST',
    path: '/v1/sessions/:id/retry',
    operationId: 'retrySession',
    tag: AGENT_TAG,
    summary: 'Retry a failed turn from where it failed',
    access: { in: 'session', anyOf: COMMAND_SCOPES['turn.retry'] },
    params: InSession,
    idempotent: true,
    responses: {
      202: { description: 'The turn runs again', schema: RetriedTurn },
      409: { description: '`nothing_to_retry`' },
    },
    errorCodes: ['nothing_to_retry', 'model_not_configured'],
    handle: async ({ session, context }) =>
      commandResponse(await session.handle({ type: 'turn.retry' }, context), 202),
  }),
  route({
    method: 'POST',
    path: '/v1/sessions/:id/conversation/restore',
    operationId: 'restoreConversation',
    tag: AGENT_TAG,
    summary: 'Take back the last summary: the agent reads the messages again',
    access: { in: 'session', anyOf: COMMAND_SCOPES['conversation.restore'] },
    params: InSession,
    body: RestoreConversation,
    idempotent: true,
    responses: {
      200: { description: 'The messages are in their place', schema: HeadReply },
      409: {
        description:
          '`not_restorable`, with `because`: `turn_runs`, `not_last` (and `last`) or `no_summary`',
      },
    },
    errorCodes: ['not_restorable'],
    handle: async ({ session, body, context }) =>
      commandResponse(
        await session.handle({ type: 'conversation.restore', ...body }, context),
        200,
      ),
  }),
  route({
    method: 'DELETE',
    path: '/v1/sessions/:id/queued/:messageId',
    operationId: 'deleteSessionQueuedMessage',
    tag: AGENT_TAG,
    summary: 'Remove a queued message before the agent receives it',
    access: { in: 'session', anyOf: COMMAND_SCOPES['message.remove'] },
    params: InSession.extend({ messageId }),
    responses: { 200: { description: 'Removed', schema: HeadReply } },
    handle: async ({ session, params, context }) =>
      commandResponse(
        await session.handle({ type: 'message.remove', messageId: params.messageId }, context),
        200,
      ),
  }),
];
