/** The log: pages, streams, sockets, search, export, and events from agents. */
import * as z from '../../protocol/schema/zod.ts';
import { COMMAND_SCOPES } from '../../core/authority.ts';
import { type Caller, mayAct } from '../../protocol/caller.ts';
import { AppendEvents, ReportToolCall } from '../../protocol/schema/command.ts';
import type { ReadResult, Rejection } from '../../protocol/errors.ts';
import {
  type AppendedEvent,
  SessionEventSchema,
  type SessionEvent,
} from '../../protocol/schema/event.ts';
import type { HistoryPage } from '../../protocol/schema/history.ts';
import { ClientFrame, ServerFrame } from '../../protocol/schema/frame.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { findWhileValid } from '../authenticate.ts';
import { HELD_INPUT_LIMITS } from '../body.ts';
import { reportedCall } from '../reported-call.ts';
import { respondInPlace } from '../root-places.ts';
import {
  commandResponse,
  textResponse,
  HeadReply,
  route,
  LOG_TAG,
  readResponse,
} from '../route.ts';
import { streamWhileRead } from '../streaming/stream-parts.ts';
import { createEventStream } from '../streaming/sse-response.ts';
import { subscribeToLog } from '../streaming/subscribe.ts';
import type { FoundSession, SessionStub } from '../stubs.ts';
import { SearchPage } from '../../protocol/schema/search.ts';
import {
  CURSOR_AHEAD,
  readingOf,
  READS_LOG,
  cursorOf,
  LogQuery,
  LogStart,
  InSession,
  PageSize,
  WholeNumber,
} from './params.ts';

const EventsPage = z
  .strictObject({
    events: z.array(SessionEventSchema),
    head: z.number(),
    more: z.boolean(),
  })
  .meta({ id: 'EventsPage' });

export const logRoutes = [
  route({
    ...READS_LOG,
    query: LogQuery,
    path: '/v1/sessions/:id/events',
    operationId: 'listSessionEvents',
    summary: 'Read a page of the log, or follow the log with `Accept: text/event-stream`',
    responses: {
      200: {
        description:
          'The events after the cursor, or the last ones; `more` says whether the log has more',
        schema: EventsPage,
      },
      400: CURSOR_AHEAD,
    },
    media: {
      'text/event-stream':
        'The log from the cursor, then new events: `id` is the `seq`, `event` the type, `data` a `SessionEvent`.',
    },
    async handle(call) {
      const reading = readingOf(call);
      if (!reading.ok) return reading;
      const { isStream, after, limit } = reading;
      if (!isStream)
        return textResponse(await call.session.events(after, limit, call.identity.caller));
      const joined = await subscribeToLog(call, after, true);
      return joined.ok ? createEventStream(joined.socket) : joined;
    },
  }),
  route({
    method: 'POST',
    path: '/v1/sessions/:id/events',
    operationId: 'appendSessionEvents',
    tag: LOG_TAG,
    summary: 'Append events of an agent that runs elsewhere; the whole batch or nothing',
    access: { in: 'session', anyOf: COMMAND_SCOPES['events.append'] },
    params: InSession,
    body: AppendEvents,
    idempotent: true,
    responses: {
      201: {
        description: 'The events are in the log',
        schema: HeadReply,
      },
      422: { description: 'The session alone may write events of this type' },
    },
    errorCodes: ['unknown_event_type', 'limit_reached'],
    async handle({ session, body, context }) {
      const events = body.events as AppendedEvent[];
      const command = { type: 'events.append', events } as const;
      return commandResponse(await session.handle(command, context), 201);
    },
  }),
  route({
    method: 'POST',
    path: '/v1/sessions/:id/tool-calls',
    operationId: 'reportSessionToolCall',
    tag: LOG_TAG,
    summary:
      'Report one tool call of an agent that runs elsewhere; again with the same id changes nothing',
    description:
      'A short form of `POST …/events` with one `tool_call`. A request with `correlate` finds the call for 30 seconds.',
    access: { in: 'session', anyOf: COMMAND_SCOPES['events.append'] },
    params: InSession,
    body: ReportToolCall,
    bodyLimits: HELD_INPUT_LIMITS,
    oddInput: ['input'],
    responses: {
      201: { description: 'The call is in the log', schema: HeadReply },
      409: { description: '`tool_call_exists`: another call was reported under this id' },
    },
    errorCodes: ['tool_call_exists', 'limit_reached'],
    async handle({ session, body, inputText, context }) {
      const { command, idempotency } = reportedCall({ ...body, inputText });
      return commandResponse(await session.handle(command, { ...context, idempotency }), 201);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/sessions/:id/socket',
    operationId: 'getSessionSocket',
    tag: LOG_TAG,
    summary: 'Follow the log by WebSocket: `welcome`, the log from the cursor, then new events',
    description:
      'Subprotocols `holdpoint.v1` and `holdpoint.token.<token>`; only `holdpoint.v1` is echoed.',
    access: { in: 'session', anyOf: ['read'] },
    params: InSession,
    query: LogStart,
    responses: {
      101: { description: 'Switching protocols' },
      426: { description: 'Not an upgrade' },
    },
    socket: { sends: ClientFrame, receives: ServerFrame },
    errorCodes: ['upgrade_required', 'cursor_ahead', 'limit_reached'],
    async handle(call) {
      const joined = await subscribeToLog(call, cursorOf(call.query), false, call.subprotocol);
      return joined.ok ? joined.response : joined;
    },
  }),
  route({
    method: 'GET',
    path: '/v1/sessions/:id/export',
    operationId: 'getSessionExport',
    tag: LOG_TAG,
    summary: 'Export the whole log, one event per line',
    access: { in: 'session', anyOf: ['read'] },
    params: InSession,
    responses: { 200: { description: 'application/x-ndjson' } },
    media: {
      'application/x-ndjson':
        'One `SessionEvent` as JSON in each line; then the inputs that are too large for a record, each line a part of the text `{interactionId, part, input}`; then the attached files, each line a part `{attachmentId, part, base64}`; then the imported history, each line `{provider, cliSessionId, entry}`. The last line is `{end: true, head}`: without it the export broke off.',
    },
    handle: async ({ session, ports, identity, params, workspace, request }) =>
      respondInPlace('exports', { caller: identity.caller, request }, (onEnd) =>
        exportLog(session, {
          caller: identity.caller,
          findSession: findWhileValid(identity, params.id, ports),
          // The export of a reader does not count: an administrator decides what may be deleted.
          onWhole: async (head) => {
            if (mayAct(identity.caller, 'admin')) await workspace.noteExport(params.id, head);
          },
          onEnd,
        }),
      ),
  }),
];

type PageOfEvents = z.output<typeof EventsPage>;

interface LogExport {
  readonly caller: Caller;
  readonly findSession: FindLoggedSession;
  /** Everything was read by the caller, up to this event. */
  readonly onWhole: (head: number) => Promise<void>;
  readonly onEnd: () => void;
}

/**
 * The log as it is now, as lines, then the large inputs and the attached files that it names, and then the imported history.
 * It is read page by page, as the reader takes it: neither need fit in memory. Later events are left out, or the export of a
 * busy session would not end. Where a page cannot be read the response breaks, and has no last line.
 */
async function exportLog(
  session: SessionStub,
  { caller, findSession, onWhole, onEnd }: LogExport,
): Promise<Response | Rejection> {
  const first = await session.events(0, LIMITS.pageMax, caller);
  if (!first.ok) return first;
  const encoder = new TextEncoder();
  const page = JSON.parse(first.value) as PageOfEvents;
  const pages = exportPages(page, caller, findSession);
  const lines = streamWhileRead(async () => {
    const { value, done } = await pages.next();
    if (done !== true) return encoder.encode(value);
    await onWhole(page.head);
    return undefined;
  }, onEnd);
  return new Response(lines, {
    headers: { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' },
  });
}

type FindLoggedSession = () => Promise<FoundSession | Rejection>;

/** Pages with at least one line. */
async function* exportPages(
  first: PageOfEvents,
  caller: Caller,
  findSession: FindLoggedSession,
): AsyncGenerator<string> {
  const { head } = first;
  const read = async (page: (session: SessionStub) => Promise<ReadResult<string>>) => {
    const found = await findSession();
    const text = found.ok ? await page(found.session) : found;
    if (!text.ok) throw new Error(text.message);
    return text.value;
  };
  const held: string[] = [];
  const files = new Set<string>();
  let page: PageOfEvents | undefined = first;
  while (page !== undefined) {
    const events: readonly SessionEvent[] = page.events.filter(({ seq }) => seq <= head);
    held.push(...events.flatMap(idOfHeldInput));
    for (const id of events.flatMap(idsOfFiles)) files.add(id);
    const last = events.at(-1);
    if (last !== undefined) yield jsonLines(events);
    page =
      last !== undefined && last.seq < head
        ? (JSON.parse(
            await read((session) => session.events(last.seq, LIMITS.pageMax, caller)),
          ) as PageOfEvents)
        : undefined;
  }
  for (const interactionId of held) {
    const parts = readParts(findSession, (session, part) => session.inputPart(interactionId, part));
    for await (const { part, text } of parts)
      yield jsonLines([{ interactionId, part, input: text }]);
  }
  for (const attachmentId of files) {
    const parts = readParts(findSession, (session, part) =>
      session.attachedPart(attachmentId, part),
    );
    for await (const { part, base64 } of parts) yield jsonLines([{ attachmentId, part, base64 }]);
  }
  let after: string | undefined;
  do {
    const cursor = after;
    const text = await read((session) => session.history(cursor, LIMITS.pageMax));
    const { provider, cliSessionId, entries, next } = JSON.parse(text) as HistoryPage;
    if (entries.length > 0) {
      yield jsonLines(entries.map((entry) => ({ provider, cliSessionId, entry })));
    }
    after = next;
  } while (after !== undefined);
  // workerd ends a body of unknown length that broke off as if it were whole.
  yield jsonLines([{ end: true, head }]);
}

async function* readParts<One extends { readonly isLast: boolean }>(
  findSession: FindLoggedSession,
  readPart: (session: SessionStub, part: number) => Promise<ReadResult<One>>,
): AsyncGenerator<One & { readonly part: number }> {
  for (let part = 0, isLast = false; !isLast; part += 1) {
    const found = await findSession();
    const read = found.ok ? await readPart(found.session, part) : found;
    if (!read.ok) throw new Error(read.message);
    ({ isLast } = read.value);
    yield { ...read.value, part };
  }
}

function idOfHeldInput(event: SessionEvent): string[] {
  const isHeld = event.type === 'interaction_request' && event.payload.wholeInput !== undefined;
  return isHeld ? [event.payload.interactionId] : [];
}

/** Also of a message that was removed before the agent had it: the log names its files. */
function idsOfFiles({ type, payload }: SessionEvent): string[] {
  const named = [
    ...(type === 'session_updated' ? (payload.queued ?? []) : []),
    ...(type === 'user_message' || type === 'interaction_update' ? [payload] : []),
    ...(type === 'interaction_response' ? [payload] : []),
  ];
  return named.flatMap(({ attachments = [] }) => attachments.map((one) => one.attachmentId));
}

function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** Full text of one session. */
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
