/**
 * The largest legal input of every route and every frame, and the allowed cost of two at once, or of as many as the row
 * says.
 *
 * Memory is the peak growth of the process. Time is until `/health` answers next to the requests, because all sessions
 * wait for the computation of one. Both limits are far above the measured values and far below the cost of a fault:
 * hundreds of MiB, or minutes in which the server answers no other client. The inputs are made from the limits, so a
 * higher limit makes them larger. The file is long because every route and every frame has a row here.
 */
import type { JsonObject } from '../../src/protocol/json.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { ClientFrame } from '../../src/protocol/schema/frame.ts';
import {
  agentSettings,
  characters,
  type FullWorkspace,
  list,
  manyApprovals,
  METADATA,
  TIMEOUTS,
} from '../support/http/full-workspace.ts';
import { cliOf, type SampleSession } from '../support/http/sample-session.ts';

interface Cost {
  /** The name of the input, for the title of its test. */
  readonly largest: string;
  readonly mebibytes: number;
  readonly seconds: number;
  /** Opened before, in each sample session. */
  readonly opens?: () => readonly JsonObject[];
}

export interface RouteCost extends Cost {
  /** Replaces the body of the example; padded with blanks up to the limit. */
  readonly json?: (sample: SampleSession) => JsonObject;
  readonly headers?: (sample: SampleSession) => Readonly<Record<string, string>>;
  /** Of each sample session, set before. */
  readonly settings?: JsonObject;
  /** The number of simultaneous requests, for reads. */
  readonly atOnce?: number;
  readonly path?: (sample: SampleSession, full: FullWorkspace) => string;
  /** Default: the example's. */
  readonly statuses?: readonly number[];
  readonly accept?: 'text/event-stream';
  /** A connection instead of a request; it reads until this close code, or until its first frame. */
  readonly socket?: { readonly closed: number } | { readonly first: string };
}

export interface FrameCost extends Cost {
  readonly frame: (sample: SampleSession) => JsonObject;
  /** Default: true. */
  readonly ok?: boolean;
}

const SMALL = { mebibytes: 32, seconds: 10 };
const WIDE = { mebibytes: 64, seconds: 10 };
/** A file of 8 MiB, which is a body, a text, a value, a canonical text and a message to the session. */
const HUGE = { mebibytes: 320, seconds: 10 };
/** Page after page, or frame after frame: mostly garbage that the engine has no reason to collect. */
const LONG = { mebibytes: 96, seconds: 10, atOnce: 1 };

const plain: RouteCost = { largest: 'its address', ...SMALL };
const padded: RouteCost = { largest: 'its example and blanks up to the limit of a body', ...WIDE };
/** A batch whose every answer goes to the full session. */
const page: RouteCost = { largest: 'what fills a page or a session', ...WIDE };
const lists = (query: string): RouteCost => ({
  ...page,
  largest: `what fills ${query}`,
  path: () => query,
});
const MANY = `limit=${LIMITS.pageMax}`;
const REASON = characters(LIMITS.reasonChars);
const SPARE_BYTES = 4_096;
const VALUES = LIMITS.jsonValues - 2_000;

const largestInput = (): JsonObject => ({
  content: 'x'.repeat(LIMITS.wholeInputBytes - SPARE_BYTES),
});

const valued = (): JsonObject => ({
  kind: 'approval',
  toolName: 'Bash',
  toolCallId: 'call-new',
  input: { values: list(VALUES, () => 1), text: characters(100_000) },
});

/** A batch of requests of about the same size, together as large as the body. */
const manyRequests = (maxBytes: number): JsonObject[] => {
  const chars = Math.floor((maxBytes - SPARE_BYTES) / LIMITS.openingsPerBatch) - 120;
  return list(LIMITS.openingsPerBatch, (index) => ({
    kind: 'approval',
    toolName: 'Bash',
    toolCallId: `call-new-${index}`,
    input: { command: characters(chars) },
  }));
};

const historyPage = (session: string, entries: number, chars: number): JsonObject => ({
  ...cliOf(session),
  from: 0,
  prefixDigest: '',
  entries: list(entries, (index) => ({
    id: `line-${index}`,
    at: 1,
    type: 'assistant_text',
    payload: { text: characters(chars) },
  })),
});

const emptied = (largest: string): RouteCost => ({ largest, opens: manyApprovals, ...WIDE });
const ALL_OPEN = 'all that may be open in a session';

/** Every alternative checks each item of the list; the check ends at its limit of steps. */
const costlySchema = (index: number): JsonObject => ({
  kind: 'approval',
  toolName: 'Bash',
  toolCallId: `call-schema-${index}`,
  input: {},
  allowEdit: true,
  inputSchema: {
    type: 'object',
    properties: {
      list: { items: { anyOf: list(LIMITS.schemaParts / 2 - 100, () => ({ type: 'string' })) } },
    },
  },
});
const costlyInput = (count: number): JsonObject => ({
  decision: 'approve',
  updatedInput: { list: list(count, () => 1) },
});

/** Every state of the pattern is possible at every character of the text. */
const costlyForm = (index: number): JsonObject => {
  const pattern = `(a?){${LIMITS.patternStates / 2 - 10}}b`;
  return {
    kind: 'form',
    toolName: 'collect',
    toolCallId: `call-pattern-${index}`,
    schema: { type: 'object', properties: { text: { type: 'string', pattern } } },
  };
};
const costlyText = (count: number): JsonObject => ({ values: { text: 'a'.repeat(count) } });

const FORMS = LIMITS.openInteractions - 4;
/** As many as may be open next to those of the sample session; they share the limit of the body. */
const each = (
  named: string,
  answer: (bytes: number) => JsonObject,
  bytesPerUnit: number,
): JsonObject => {
  const room = Math.floor((LIMITS.bodyBytes - SPARE_BYTES * 2) / FORMS / bytesPerUnit);
  return {
    decisions: list(FORMS, (index) => ({
      toolCallId: `${named}-${index}`,
      answer: answer(room),
    })),
  };
};

const answers: RouteCost = {
  largest: 'every question of the call answered with all the text it takes',
  json: () => ({
    toolCallId: 'call-question',
    answers: {
      '0': characters(LIMITS.feedbackChars - 10),
      '1': list(2, (index) => `${index}${characters(LIMITS.feedbackChars / 2 - 10)}`),
    },
  }),
  ...WIDE,
};
const approves: RouteCost = padded;
const denies: RouteCost = {
  ...padded,
  largest: 'a reason as long as may be, and blanks',
  json: () => ({ toolCallId: 'call-approval', reason: REASON }),
};
const minted: RouteCost = {
  ...padded,
  json: () => ({ scopes: ['read'], subject: characters(LIMITS.nameChars) }),
};

const SETTINGS: JsonObject = {
  title: characters(LIMITS.titleChars),
  metadata: METADATA,
  timeouts: TIMEOUTS,
};

export const ROUTE_COSTS: Readonly<Record<string, readonly RouteCost[]>> = {
  'POST /v1/sessions': [
    {
      ...WIDE,
      largest: 'all settings of a session and of its agent',
      json: (sample) => ({ id: sample.unused, ...SETTINGS, agent: agentSettings() }),
    },
  ],
  'GET /v1/sessions': [
    lists(`/v1/sessions?${MANY}`),
    lists(`/v1/sessions?q=${'x+'.repeat(LIMITS.searchChars / 2)}&${MANY}`),
  ],
  'GET /v1/sessions/:id': [{ ...page, largest: ALL_OPEN }],
  'PATCH /v1/sessions/:id': [
    { ...WIDE, largest: 'all settings of a session', json: () => SETTINGS },
  ],
  'DELETE /v1/sessions/:id': [emptied(ALL_OPEN)],
  'POST /v1/sessions/:id/clear': [emptied(ALL_OPEN)],
  'POST /v1/sessions/:id/interrupt': [emptied(ALL_OPEN)],
  'GET /v1/sessions/:id/agent': [
    {
      ...WIDE,
      largest: 'all settings of an agent',
      path: (_place, { agent }) => `${agent}/agent`,
    },
  ],
  'GET /v1/sessions/:id/rules': [plain],
  'POST /v1/sessions/:id/rules': [padded],
  'DELETE /v1/sessions/:id/rules/:ruleId': [plain],
  'GET /v1/sessions/:id/files': [
    {
      ...WIDE,
      largest: 'the largest file',
      path: (_place, { agent }) => `${agent}/files?path=notes/0`,
    },
    { ...SMALL, largest: 'the list', path: (_place, { agent }) => `${agent}/files` },
  ],
  'POST /v1/sessions/:id/tool-calls/:toolCallId/result': [
    {
      ...WIDE,
      largest: 'the longest output that a call of the agent takes',
      path: (_place, { agent }) => `${agent}/tool-calls/toolu_open/result`,
      json: () => ({ output: characters(LIMITS.toolOutputChars) }),
      // One result is accepted, and the turn may have ended before the others arrive.
      statuses: [201, 404, 409],
    },
  ],
  'POST /v1/sessions/:id/retry': [plain],
  'POST /v1/sessions/:id/conversation/restore': [plain],
  'DELETE /v1/sessions/:id/queued/:messageId': [plain],
  'POST /v1/sessions/:id/interactions': [
    { ...WIDE, largest: 'as many values as a body may have, and text', json: valued },
    {
      ...HUGE,
      largest: 'the largest input beside its record',
      json: () => ({
        kind: 'approval',
        toolName: 'Write',
        toolCallId: 'call-new',
        input: largestInput(),
      }),
    },
    {
      ...WIDE,
      largest: 'a command line as long as it may be, without its tool call',
      json: () => ({
        kind: 'approval',
        toolName: 'Bash',
        input: {},
        correlate: { tool: 'holdpoint', command: list(LIMITS.commandBytes / 2, () => 'a') },
      }),
    },
    {
      ...WIDE,
      largest: 'as many fields and choices as a form may have',
      json: () => ({
        kind: 'form',
        toolName: 'collect',
        schema: {
          type: 'object',
          properties: Object.fromEntries(
            list(LIMITS.formFields, (index) => [
              `field${index}`,
              { type: 'string', enum: list(LIMITS.formChoices, (choice) => `choice ${choice}`) },
            ]),
          ),
        },
      }),
    },
  ],
  'GET /v1/sessions/:id/interactions': [
    { ...page, path: ({ session }) => `/v1/sessions/${session}/interactions?status=open` },
    {
      ...page,
      largest: 'a page of settled requests of 240,000 characters',
      path: ({ session }) => `/v1/sessions/${session}/interactions?status=settled&${MANY}`,
    },
  ],
  'GET /v1/sessions/:id/interactions/:iid': [
    {
      ...page,
      largest: 'a settled request of 240,000 characters',
      path: ({ session }) => `/v1/sessions/${session}/interactions/call-settled-0~1`,
    },
    {
      ...page,
      largest: 'a wait of a second for a large one',
      path: ({ session }) => `/v1/sessions/${session}/interactions/call-large-0~1?wait=1`,
    },
  ],
  'GET /v1/sessions/:id/interactions/:iid/input': [plain],
  'POST /v1/sessions/:id/interactions/:iid/answer': [
    {
      ...WIDE,
      largest: 'an edited input as large as a body',
      json: () => ({
        decision: 'approve',
        updatedInput: { text: characters(LIMITS.bodyBytes - SPARE_BYTES) },
      }),
    },
    {
      ...WIDE,
      largest: 'an edited input that the schema of its tool takes most steps to judge',
      opens: () => [costlySchema(0)],
      path: ({ session }) => `/v1/sessions/${session}/interactions/call-schema-0~1/answer`,
      json: () => costlyInput(VALUES),
      statuses: [422],
    },
    {
      ...WIDE,
      largest: 'a text that its pattern takes most steps to match',
      opens: () => [costlyForm(0)],
      path: ({ session }) => `/v1/sessions/${session}/interactions/call-pattern-0~1/answer`,
      json: () => costlyText(LIMITS.formTextChars),
      statuses: [422],
    },
  ],
  'DELETE /v1/sessions/:id/interactions/:iid': [
    { ...padded, largest: 'a reason, and blanks', json: () => ({ reason: REASON }) },
  ],
  'POST /v1/sessions/:id/interactions/cancel': [
    { ...emptied(ALL_OPEN), json: () => ({ reason: REASON }) },
  ],
  'POST /v1/sessions/:id/interactions/batch': [
    {
      ...WIDE,
      largest: 'as many requests as a batch may have, in a body as large as may be',
      json: () => ({ requests: manyRequests(LIMITS.batchBodyBytes) }),
    },
    {
      ...WIDE,
      largest: 'as many values as a body may have',
      json: () => ({
        requests: list(4, (index) => ({
          ...valued(),
          toolCallId: `call-new-${index}`,
          input: { values: list(LIMITS.batchJsonValues / 4 - 20, () => 1) },
        })),
      }),
    },
  ],
  'POST /v1/sessions/:id/interactions/decide': [
    {
      ...WIDE,
      largest: 'as many as a batch may have, each with a reason',
      json: (sample) => ({
        decisions: list(LIMITS.decisionsPerBatch, (index) =>
          index === 0
            ? { interactionId: sample.open.approval.id, answer: { decision: 'approve' } }
            : { toolCallId: `none-${index}`, answer: { decision: 'deny', reason: REASON } },
        ),
      }),
    },
    {
      ...WIDE,
      largest: 'all that is open, each by the schema that takes most steps',
      seconds: 20,
      opens: () => list(FORMS, costlySchema),
      json: () => each('call-schema', (room) => costlyInput(Math.min(room, VALUES / FORMS)), 2),
    },
    {
      ...WIDE,
      largest: 'all that is open, each by the pattern that takes most steps',
      seconds: 20,
      opens: () => list(FORMS, costlyForm),
      json: () =>
        each('call-pattern', (room) => costlyText(Math.min(room - 100, LIMITS.formTextChars)), 1),
    },
  ],
  'POST /v1/sessions/:id/interactions/:iid/complete': [plain],
  'POST /v1/sessions/:id/interactions/:iid/acknowledge': [padded],
  'POST /v1/sessions/:id/interactions/:iid/extend': [plain],
  'POST /v1/sessions/:id/interactions/:iid/undo': [plain],
  'POST /v1/sessions/:id/interactions/:iid/withdraw': [plain],
  'POST /v1/sessions/:id/interactions/:iid/claim': [padded],
  'POST /v1/sessions/:id/interactions/:iid/handover': [padded],
  'POST /v1/sessions/:id/interactions/:iid/links': [padded],
  'POST /v1/sessions/:id/submit-answers': [answers],
  'POST /v1/sessions/:id/approve': [approves],
  'POST /v1/sessions/:id/deny': [denies],
  'POST /api/sessions/:id/submit-answers': [answers],
  'POST /api/sessions/:id/approve': [approves],
  'POST /api/sessions/:id/deny': [denies],
  'GET /v1/sessions/:id/search': [
    {
      ...page,
      largest: 'as much of a log as one search reads',
      path: ({ session }) => `/v1/sessions/${session}/search?q=${'x'.repeat(LIMITS.searchChars)}`,
    },
  ],
  'GET /v1/sessions/:id/events': [
    {
      ...page,
      largest: 'a page of a log of large events',
      path: ({ session }) => `/v1/sessions/${session}/events?after=0&${MANY}`,
    },
    {
      ...LONG,
      largest: 'a stream of a log that is longer than a replay',
      path: ({ session }) => `/v1/sessions/${session}/events?after=0`,
      accept: 'text/event-stream',
    },
  ],
  'GET /v1/sessions/:id/agui': [
    {
      ...page,
      largest: 'a page of a log of large events',
      path: ({ session }) => `/v1/sessions/${session}/agui?after=0&${MANY}`,
    },
    {
      ...LONG,
      largest: 'a stream of a log that is longer than a replay',
      path: ({ session }) => `/v1/sessions/${session}/agui?after=0`,
      accept: 'text/event-stream',
    },
  ],
  'POST /v1/sessions/:id/agui': [
    {
      largest: 'a conversation up to the limit of its body',
      ...WIDE,
      json: ({ session }) => ({
        threadId: session,
        runId: 'run-1',
        messages: list(5_000, (index) => ({
          id: `m-${index}`,
          role: 'assistant',
          content: characters(300),
        })),
      }),
    },
  ],
  'POST /v1/sessions/:id/events': [
    {
      ...WIDE,
      largest: 'as many events as a batch may have',
      json: () => ({
        events: list(LIMITS.eventsPerBatch, () => ({
          type: 'assistant_text',
          payload: { text: characters(190) },
        })),
      }),
    },
    {
      ...WIDE,
      largest: 'one event as large as a body',
      json: () => ({
        events: [
          {
            type: 'assistant_text',
            payload: { text: characters(LIMITS.bodyBytes - SPARE_BYTES) },
          },
        ],
      }),
    },
  ],
  'POST /v1/sessions/:id/tool-calls': [
    {
      ...WIDE,
      largest: 'a call as large as a body',
      json: ({ unused }) => ({
        toolCallId: unused,
        toolName: 'Bash',
        input: { command: characters(LIMITS.bodyBytes - SPARE_BYTES) },
      }),
    },
    {
      ...HUGE,
      largest: 'a call that writes the largest file',
      json: ({ unused }) => ({ toolCallId: unused, toolName: 'Write', input: largestInput() }),
    },
  ],
  'GET /v1/sessions/:id/socket': [
    plain,
    { ...LONG, largest: 'a log that is longer than a replay', socket: { closed: 1012 } },
  ],
  'GET /v1/sessions/:id/export': [{ ...LONG, largest: 'the whole of a long log' }],
  'POST /v1/sessions/:id/messages': [
    {
      ...WIDE,
      largest: 'a text that answers a question, as long as may be',
      json: (sample) => ({
        text: characters(LIMITS.feedbackChars),
        replyTo: sample.open.question.id,
      }),
    },
  ],
  // Blanks fill it: bytes that are hashed, written as base64 and sent to the session.
  'POST /v1/sessions/:id/attachments': [
    { largest: 'the largest file', mebibytes: 160, seconds: 10 },
  ],
  'GET /v1/sessions/:id/attachments/:attachmentId': [plain],
  'POST /v1/sessions/:id/tokens': [minted],
  'POST /v1/tokens': [minted],
  'GET /v1/tokens': [lists(`/v1/tokens?${MANY}`)],
  'DELETE /v1/tokens/:tokenId': [plain],
  'POST /v1/keys': [
    {
      ...padded,
      json: () => ({ name: characters(LIMITS.nameChars), scopes: ['agent'] }),
    },
  ],
  'GET /v1/keys': [page],
  'DELETE /v1/keys/:keyId': [plain],
  'GET /v1/inbox': [
    lists(`/v1/inbox?${MANY}`),
    { ...lists(`/v1/inbox?${MANY}&find=nothing+has+it`), largest: 'a search through all of it' },
  ],
  'POST /v1/inbox/decide': [
    {
      ...WIDE,
      largest: 'as many as a batch may have, each with a reason, in as many sessions',
      json: (sample) => ({
        decisions: list(LIMITS.decisionsPerBatch, (index) =>
          index === 0
            ? {
                sessionId: sample.session,
                interactionId: sample.open.approval.id,
                answer: { decision: 'approve' },
              }
            : {
                sessionId: `none-${index}`,
                interactionId: 'call-none~1',
                answer: { decision: 'deny', reason: REASON },
              },
        ),
      }),
    },
  ],
  'GET /v1/decisions': [lists(`/v1/decisions?${MANY}`)],
  'GET /v1/inbox/socket': [
    plain,
    { ...page, largest: 'the first page', socket: { first: 'inbox' } },
  ],
  'PUT /v1/sessions/:id/cli': [padded],
  'GET /v1/cli-sessions/:provider/:cliSessionId': [plain],
  'POST /v1/hooks/claude-code': [
    padded,
    {
      ...HUGE,
      largest: 'a call that writes the largest file, held for a second',
      path: () => '/v1/hooks/claude-code?wait=1',
      json: ({ session }) => ({
        hook_event_name: 'PreToolUse',
        session_id: session,
        prompt_id: 'prompt-1',
        tool_name: 'Write',
        tool_use_id: 'toolu_1',
        tool_input: largestInput(),
      }),
    },
  ],
  'POST /v1/sessions/:id/history': [
    {
      ...WIDE,
      largest: 'as many entries as a page may have, and as large',
      json: ({ session }) => historyPage(session, LIMITS.historyPageEntries, 850),
    },
    {
      ...WIDE,
      largest: 'as many values as a page may have',
      json: ({ session }) => ({
        ...historyPage(session, 1, 0),
        entries: [
          {
            id: 'line-1',
            at: 1,
            type: 'tool_result',
            toolCallId: 'call-1',
            payload: { output: list(LIMITS.historyJsonValues - 100, () => 1) },
          },
        ],
      }),
    },
  ],
  'GET /v1/sessions/:id/history': [
    {
      ...page,
      largest: 'its address',
      path: ({ session }) => `/v1/sessions/${session}/history?${MANY}`,
    },
  ],
  'GET /v1/status': [page],
  'GET /v1/workspaces': [plain],
  'POST /v1/retention/preview': [padded],
  'POST /v1/workspaces': [padded],
  'PATCH /v1/workspaces/:name': [padded],
  'POST /v1/workspaces/:name/keys': [padded],
  'GET /v1/audit': [lists(`/v1/audit?${MANY}`), lists('/v1/audit?text=in-no-entry')],
  'GET /v1/audit/export': [{ ...LONG, largest: 'the whole list', path: () => '/v1/audit/export' }],
  'GET /v1/tools/secret': [plain],
  'POST /v1/targets': [padded],
  'GET /v1/targets': [page],
  'GET /v1/targets/:targetId': [plain],
  'PATCH /v1/targets/:targetId': [padded],
  'DELETE /v1/targets/:targetId': [plain],
  'POST /v1/targets/:targetId/test': [plain],
  'POST /v1/targets/:targetId/rotate': [plain],
  'GET /v1/targets/:targetId/deliveries': [plain],
  'POST /v1/targets/:targetId/deliveries/redeliver': [padded],
  'POST /v1/targets/:targetId/deliveries/:deliveryId/redeliver': [plain],
  'POST /mcp': [
    padded,
    {
      ...WIDE,
      largest: 'a tool call with as many values as a body may have',
      json: () => ({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'check_answer', arguments: { values: list(VALUES, () => 1) } },
      }),
    },
    {
      ...HUGE,
      largest: 'a permission to write the largest file, which expires',
      settings: { timeouts: { approval: 1 } },
      headers: ({ session }) => ({ 'Holdpoint-Session': session }),
      json: () => ({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'approve',
          arguments: { tool_name: 'Write', tool_use_id: 'toolu_1', input: largestInput() },
        },
      }),
    },
  ],
  'POST /v1/inbound/:targetId/:deliveryId': [padded],
  'POST /v1/inbound/slack/:targetId': [padded],
  'GET /links/:token': [plain],
  'POST /links/:token': [padded],
  'POST /v1/devices': [padded],
  'GET /v1/devices': [plain],
  'DELETE /v1/devices/:deviceId': [plain],
  'POST /v1/devices/:deviceId/test': [plain],
  'GET /v1/me': [plain],
  'GET /v1/people': [page],
  'POST /v1/people': [padded],
  'GET /v1/people/:subject': [plain],
  'PATCH /v1/people/:subject': [padded],
  'DELETE /v1/people/:subject': [plain],
  'POST /v1/people/admin-link': [plain],
  'GET /v1/names': [page],
  'GET /v1/me/sign-ins': [plain],
  'DELETE /v1/me/sign-ins': [plain],
  'DELETE /v1/me/sign-ins/:signInId': [plain],
  'DELETE /v1/me/tokens/:tokenId': [plain],
  'GET /v1/sign-ins': [page],
  'DELETE /v1/sign-ins/:signInId': [plain],
  'GET /auth/login': [plain],
  'POST /auth/login': [padded],
  'GET /auth/callback': [plain],
  'GET /auth/session': [plain],
  'POST /auth/logout': [plain],
  'POST /v1/invitations/accept': [padded],
  'GET /v1/rules': [page],
  'POST /v1/rules': [padded],
  'POST /v1/rules/try': [padded],
  'DELETE /v1/rules/:ruleId': [plain],
  'GET /v1/groups': [page],
  'PUT /v1/groups/:group': [
    {
      ...padded,
      largest: 'as many members as groups may have',
      json: () => ({ subjects: list(LIMITS.groupMembers, (n) => `person ${n}`) }),
    },
  ],
  'DELETE /v1/groups/:group': [plain],
  'GET /v1/me/quiet-hours': [plain],
  'PUT /v1/me/quiet-hours': [padded],
  'DELETE /v1/me/quiet-hours': [plain],
  'PUT /v1/me/pins/:sessionId': [plain],
  'DELETE /v1/me/pins/:sessionId': [plain],
  'GET /v1/people/:subject/quiet-hours': [plain],
  'PUT /v1/people/:subject/quiet-hours': [padded],
  'DELETE /v1/people/:subject/quiet-hours': [plain],
  'GET /v1/settings': [plain],
  'PUT /v1/settings': [
    {
      ...padded,
      largest: 'as many deadlines as may be, and blanks',
      json: () => ({ timeouts: TIMEOUTS }),
    },
  ],
  'GET /health': [plain],
  'GET /': [plain],
  'GET /inbox': [plain],
  'GET /assets/:name': [plain],
  'GET /sw.js': [plain],
  'GET /openapi.json': [plain],
  'GET /docs': [plain],
  'GET /docs/style.css': [plain],
};

export const FRAME_COSTS: Readonly<Record<ClientFrame['type'], FrameCost>> = {
  open: {
    ...WIDE,
    largest: 'as many values as a frame may have, and text',
    frame: () => ({ id: 'f', ...valued(), type: 'open' }),
  },
  batch: {
    ...WIDE,
    largest: 'as many requests as a batch may have, in a frame as large as may be',
    frame: () => ({ type: 'batch', id: 'f', requests: manyRequests(LIMITS.inboundFrameBytes) }),
  },
  answer: {
    ...WIDE,
    largest: 'an edited input as large as a frame',
    frame: (sample) => ({
      type: 'answer',
      id: 'f',
      interactionId: sample.open.approval.id,
      answer: {
        decision: 'approve',
        updatedInput: { text: characters(LIMITS.inboundFrameBytes - SPARE_BYTES) },
      },
    }),
  },
  message: {
    ...WIDE,
    largest: 'a text that answers a question, as long as may be',
    frame: (sample) => ({
      type: 'message',
      id: 'f',
      text: characters(LIMITS.feedbackChars),
      replyTo: sample.open.question.id,
    }),
  },
  cancel: {
    ...WIDE,
    largest: ALL_OPEN,
    opens: manyApprovals,
    frame: () => ({ type: 'cancel', id: 'f', reason: REASON }),
  },
  interrupt: {
    ...WIDE,
    largest: ALL_OPEN,
    opens: manyApprovals,
    frame: () => ({ type: 'interrupt', id: 'f'.repeat(128) }),
  },
  look: {
    ...SMALL,
    largest: 'the longest id of a request',
    frame: () => ({ type: 'look', id: 'f', looking: true, interactionId: `${'i'.repeat(128)}~1` }),
  },
};
