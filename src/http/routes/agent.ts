/** The built-in agent of a session: its files, the results of client tools, another try, what is queued for it. */
import * as z from 'zod';
import { COMMAND_SCOPES } from '../../core/authority.ts';
import { ToolResult } from '../../protocol/command.ts';
import { SessionFile, SessionFileEntry } from '../../protocol/file.ts';
import { SessionId, ToolCallId, TurnId } from '../../protocol/ids.ts';
import { readResponse, commandResponse, Logged } from '../responses.ts';
import { route } from '../route.ts';
import { InSession } from './params.ts';

const FilesReply = z
  .union([
    z.strictObject({ files: z.array(SessionFileEntry) }),
    z.strictObject({ file: SessionFile }),
  ])
  .meta({ id: 'FilesReply' });

const RetriedTurn = z.strictObject({ turnId: TurnId }).meta({ id: 'RetriedTurn' });

export const agentRoutes = [
  route({
    method: 'GET',
    path: '/v1/sessions/:id/files',
    tag: 'Agent',
    summary:
      'The files that the agent keeps in this session; with `path`, one of them with its text',
    access: { in: 'session', anyOf: ['read'] },
    params: InSession,
    query: z.strictObject({ path: z.string().min(1).max(500).optional() }),
    answers: {
      200: {
        description: 'The list in the order of the paths, or the one file',
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
    tag: 'Agent',
    summary: 'What a client tool gave back; the turn goes on once all its calls have their results',
    access: { in: 'session', anyOf: COMMAND_SCOPES['tool.result'] },
    params: z.strictObject({ id: SessionId, toolCallId: ToolCallId }),
    body: ToolResult,
    idempotent: true,
    answers: {
      201: { description: 'Logged', schema: Logged },
      409: { description: '`not_waiting`: it is not allowed yet, has its result, or is run here' },
    },
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
    tag: 'Agent',
    summary: 'Try a turn again that has failed, from where it failed',
    access: { in: 'session', anyOf: COMMAND_SCOPES['turn.retry'] },
    params: InSession,
    idempotent: true,
    answers: {
      202: { description: 'It runs again', schema: RetriedTurn },
      409: { description: '`nothing_to_retry`' },
    },
    handle: async ({ session, context }) =>
      commandResponse(await session.handle({ type: 'turn.retry' }, context), 202),
  }),
  route({
    method: 'DELETE',
    path: '/v1/sessions/:id/queued/:messageId',
    tag: 'Agent',
    summary: 'Take back a message that waits for the agent',
    access: { in: 'session', anyOf: COMMAND_SCOPES['message.remove'] },
    params: z.strictObject({ id: SessionId, messageId: z.string().max(128) }),
    answers: { 200: { description: 'Taken back', schema: Logged } },
    handle: async ({ session, params, context }) =>
      commandResponse(
        await session.handle({ type: 'message.remove', messageId: params.messageId }, context),
        200,
      ),
  }),
];
