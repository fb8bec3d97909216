/** Conversations of command-line agents: which session one belongs to, and the history imported from its transcript. */
import * as z from '../../protocol/schema/zod.ts';
import { COMMAND_SCOPES } from '../../core/authority.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { CliProvider, CliSession, CliSessionId } from '../../protocol/schema/cli-session.ts';
import {
  HistoryExtent,
  HistoryImport,
  HistoryImportAsSent,
  HistoryPage,
} from '../../protocol/schema/history.ts';
import { SessionEntry } from '../../protocol/schema/workspace.ts';
import {
  commandResponse,
  HISTORY_TAG,
  route,
  type RouteCall,
  type RouteResult,
  textResponse,
} from '../route.ts';
import { After, InSession, PageSize } from './params.ts';
import { SessionReply } from './sessions.ts';

const SessionEntryReply = z.strictObject({ session: SessionEntry }).meta({ id: 'SessionRow' });
const InCliSession = z.strictObject({
  provider: CliProvider.meta({ example: 'claude-code' }),
  cliSessionId: CliSessionId.meta({ example: '0f8d1c6a-cli' }),
});
const NO_CLI_SESSION = reject('not_found', 'No session has this CLI session');

type MapCall = RouteCall<{ id: string }, unknown, CliSession>;

/** The claim comes first: the session accepts only what no other session can have. */
async function mapSession(call: MapCall): Promise<RouteResult> {
  const { workspace, session, body, params, identity, context } = call;
  const claimed = await workspace.claimCliSession(body, params.id);
  if (!claimed.ok) return identity.session === null ? claimed : withoutOwner(claimed);
  const mapped = await session.handle({ type: 'cli.map', cli: body }, context);
  // After a failed write the claim stays for the repeat; a refusal is final.
  if (!mapped.ok && mapped.code !== 'write_failed') {
    await workspace.releaseCliSession(body, params.id);
  }
  return commandResponse(mapped, 200);
}

/** The token of one session learns nothing about others. */
function withoutOwner(refused: Rejection): Rejection {
  return refused.code === 'cli_session_taken' ? reject(refused.code, refused.message) : refused;
}

type FindCall = RouteCall<z.output<typeof InCliSession>, unknown, unknown>;

async function findSessionOf(call: FindCall): Promise<RouteResult> {
  const { workspace, identity, params, ports } = call;
  const found = await workspace.findCliSession(params);
  if (!found.ok) return found;
  const { sessionId, entry } = found.value;
  if (identity.session !== null && identity.session !== sessionId) return NO_CLI_SESSION;
  if (entry !== undefined) return { status: 200, json: { session: entry } };
  // The session has not reported yet, and knows itself.
  const unreported = await ports.findSession(identity.workspace, sessionId);
  const read = unreported.ok ? await unreported.session.snapshot() : unreported;
  if (!read.ok) return read.code === 'not_found' ? NO_CLI_SESSION : read;
  const { session, head, open } = read.value;
  const { id, title, createdAt } = session;
  return { status: 200, json: { session: { id, title, createdAt, head, open: open.length } } };
}

type ImportCall = RouteCall<{ id: string }, unknown, HistoryImport>;

async function importPage({ session, body, context }: ImportCall): Promise<RouteResult> {
  const { entries, ...page } = body;
  const lines = entries.map((entry) => JSON.stringify(entry));
  // A number can be longer in the stored text than in the body, and a row must fit into storage. Characters are enough to
  // count: those that take several bytes were no fewer bytes in the body.
  const maxBytes = LIMITS.historyBodyBytes;
  if (lines.reduce((sum, { length }) => sum + length + 1, 0) > maxBytes) {
    return reject('too_large', `The entries of a page may have ${maxBytes} bytes`, { maxBytes });
  }
  return commandResponse(await session.importHistory({ ...page, lines }, context), 200);
}

export const historyRoutes = [
  route({
    method: 'PUT',
    path: '/v1/sessions/:id/cli',
    operationId: 'setSessionCli',
    tag: HISTORY_TAG,
    summary:
      'Add the conversation of a command-line agent to the session; a repeat changes nothing',
    access: { in: 'session', anyOf: COMMAND_SCOPES['cli.map'] },
    params: InSession,
    body: CliSession,
    responses: {
      200: { description: 'It belongs to this session', schema: SessionReply },
      409: { description: 'It belongs to another session, which is in `details`' },
    },
    errorCodes: ['cli_session_taken', 'limit_reached'],
    handle: mapSession,
  }),
  route({
    method: 'GET',
    path: '/v1/cli-sessions/:provider/:cliSessionId',
    operationId: 'findCliSession',
    tag: HISTORY_TAG,
    summary: 'The session that a conversation of a command-line agent belongs to',
    access: { in: 'either', anyOf: ['agent', 'read'] },
    params: InCliSession,
    responses: {
      200: { description: 'As in the list of sessions', schema: SessionEntryReply },
      404: { description: 'No session has it' },
    },
    errorCodes: ['not_found'],
    handle: findSessionOf,
  }),
  route({
    method: 'POST',
    path: '/v1/sessions/:id/history',
    operationId: 'importSessionHistory',
    tag: HISTORY_TAG,
    summary: 'Import a page of a transcript; what is stored already changes nothing',
    description:
      'Entries that follow the stored ones are added. The first entry that differs replaces everything from there on, and `rev` grows. `prefixDigest` is the digest of the entries before `from`; the response has that of all stored entries.',
    access: { in: 'session', anyOf: COMMAND_SCOPES['history.import'] },
    params: InSession,
    body: HistoryImportAsSent,
    documentedBody: HistoryImport,
    bodyLimits: { maxBytes: LIMITS.historyBodyBytes, maxValues: LIMITS.historyJsonValues },
    responses: {
      200: { description: 'What is stored now', schema: HistoryExtent },
      409: {
        description:
          '`history_gap`: entries before the page are missing; `history_changed`: they are others',
      },
    },
    errorCodes: ['history_gap', 'history_changed', 'limit_reached'],
    handle: importPage,
  }),
  route({
    method: 'GET',
    path: '/v1/sessions/:id/history',
    operationId: 'listSessionHistory',
    tag: HISTORY_TAG,
    summary: 'A page of the imported history, one CLI session after the other',
    access: { in: 'session', anyOf: ['read'] },
    params: InSession,
    query: z.strictObject({ after: After.optional(), limit: PageSize.optional() }),
    responses: {
      200: { description: 'Entries of one CLI session', schema: HistoryPage },
      409: { description: '`history_changed`: it was replaced since the page before' },
    },
    errorCodes: ['history_changed'],
    handle: async ({ session, query }) =>
      textResponse(await session.history(query.after, query.limit ?? LIMITS.pageDefault)),
  }),
];
