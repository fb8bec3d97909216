/**
 * A server at its limits, as the target of reads: a session whose log is longer than a replay, with as many open
 * interactions as are allowed; a session whose agent has settings and files of the maximum size; and a workspace whose
 * lists fill a page.
 */
import type { JsonObject } from '../../../src/protocol/json.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { startMessagesApi } from '../messages-api/messages-api.ts';
import { answer, type Reply } from '../messages-api/reply.ts';
import { agentSession } from './agent-session.ts';
import { ask } from './call.ts';
import { type SampleSession, openSampleSession } from './sample-session.ts';
import type { Server } from './server.ts';

/** Filling is not measured, and the machine may be busy. */
const PATIENCE_MS = 60_000;
const LOG_BYTES = 2 * LIMITS.replayBytes;
const EVENT_CHARS = 240_000;
const SETTLED = 64;

export interface FullWorkspace {
  readonly sample: SampleSession;
  /** Its built-in agent waits for the result of a client tool. */
  readonly agent: string;
}

export const characters = (count: number): string => 'x'.repeat(count);
export const list = <Item>(length: number, item: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => item(index));

/** The maximum number of kinds, with names of the maximum length. */
export const TIMEOUTS: JsonObject = Object.fromEntries(
  list(LIMITS.timeoutKinds, (index) => [
    `kind_${String.fromCodePoint(97 + index)}`.padEnd(32, '_'),
    LIMITS.timeoutMaxSeconds,
  ]),
);

export const METADATA: JsonObject = Object.fromEntries(
  list(8, (index) => [`key${index}`, characters(2_000)]),
);

/** As many and as large interactions as a sample session has room for. */
export function manyApprovals(): JsonObject[] {
  const room = LIMITS.openInteractions - 4;
  const each = Math.min(EVENT_CHARS, Math.floor((LIMITS.openRequestBytes * 0.95) / room));
  return list(room, (index) => ({
    kind: 'approval',
    toolName: 'Bash',
    toolCallId: `call-large-${index}`,
    input: { text: characters(each) },
    allowEdit: true,
  }));
}

/** A few at a time: sequential requests would leave the server idle in between. */
export async function openAll(
  server: Server,
  at: string,
  requests: readonly JsonObject[],
): Promise<void> {
  for (let from = 0; from < requests.length; from += 8) {
    const some = requests.slice(from, from + 8);
    await Promise.all(
      some.map((json) =>
        ask(server, { method: 'POST', path: `${at}/interactions`, json, patienceMs: PATIENCE_MS }),
      ),
    );
  }
}

export async function fillLog(server: Server, at: string, bytes: number): Promise<void> {
  const json = { events: [{ type: 'assistant_text', payload: { text: characters(EVENT_CHARS) } }] };
  for (let written = 0; written < bytes; written += EVENT_CHARS)
    await ask(server, { method: 'POST', path: `${at}/events`, json });
}

async function fillSession(server: Server): Promise<SampleSession> {
  const sample = await openSampleSession(server);
  const at = `/v1/sessions/${sample.session}`;
  await fillLog(server, at, LOG_BYTES);
  const large = list(SETTLED, (index) => ({
    kind: 'approval',
    toolName: 'Bash',
    toolCallId: `call-settled-${index}`,
    input: { text: characters(EVENT_CHARS) },
  }));
  for (const { toolCallId, ...json } of large) {
    await openAll(server, at, [{ ...json, toolCallId }]);
    const decision = { decision: 'deny', reason: characters(LIMITS.reasonChars) };
    const path = `${at}/interactions/${toolCallId}~1/answer`;
    await ask(server, { method: 'POST', path, json: decision });
  }
  await openAll(server, at, manyApprovals());
  const settings = { title: characters(LIMITS.titleChars), metadata: METADATA };
  const json = { ...settings, timeouts: TIMEOUTS };
  await ask(server, { method: 'PATCH', path: at, json });
  return sample;
}

/** Entries of every list of the workspace; 48 stay below what one session may have open. */
async function fillLists(server: Server, rows: number): Promise<void> {
  const name = characters(LIMITS.nameChars - 10);
  const made = list(rows, (index) => index);
  const inSession = 48;
  await inTurns(made, async (index) => {
    const token = { scopes: ['read'], subject: `${name} ${index}`, ttlSeconds: 3_600 };
    await ask(server, { method: 'POST', path: '/v1/tokens', json: token });
    const session = { id: `listed-${index}`, title: characters(LIMITS.titleChars) };
    await ask(server, { method: 'POST', path: '/v1/sessions', json: session });
  });
  const inInbox = list(Math.ceil(rows / inSession), (index) => `/v1/sessions/listed-${index}`);
  await inTurns(inInbox, async (at) => {
    await openAll(server, at, small('cancelled', inSession, 10));
    const json = { reason: characters(LIMITS.reasonChars) };
    await ask(server, { method: 'POST', path: `${at}/interactions/cancel`, json });
    await openAll(server, at, small('listed', inSession, LIMITS.inboxRequestChars - 200));
  });
}

function small(named: string, count: number, chars: number): JsonObject[] {
  return list(count, (index) => ({
    kind: 'approval',
    toolName: 'Bash',
    toolCallId: `${named}-${index}`,
    input: { text: characters(chars) },
  }));
}

async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  const left = [...items];
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  };
  await Promise.all(list(4, worker));
}

/** Agent settings of almost the maximum size. */
export function agentSettings(): JsonObject {
  const tools = list(LIMITS.agentTools - 4, (index) => ({
    type: 'client',
    name: `Tool${index}`,
    description: characters(LIMITS.toolDescriptionChars - 200),
    inputSchema: { type: 'object' },
    class: 'read',
  }));
  return { system: characters(12_000), tools };
}

/** The scripted model; `startServer` takes its address. */
export async function startScriptedModel() {
  const replies: Reply[] = [];
  const api = await startMessagesApi(() => replies.shift());
  return { api, replies };
}

async function fillAgent(server: Server, replies: Reply[]): Promise<string> {
  const settings = { agent: agentSettings(), permissionMode: 'bypassPermissions' };
  const session = await agentSession(server, settings);
  const file = { path: 'notes/0', content: characters(LIMITS.fileBytes) };
  replies.push(callOf('toolu_file', 'Write', file), callOf('toolu_open', 'Tool0', {}));
  await session.send('Begin');
  await session.until('tool_call', 2, PATIENCE_MS);
  return session.path;
}

/** The input in one piece: a file would be 50,000 pieces of the usual size. */
function callOf(id: string, name: string, input: JsonObject): Reply {
  const call = answer([{ type: 'tool_use', id, name, json: '' }], { stopReason: 'tool_use' });
  const steps = 'steps' in call ? call.steps : [];
  const delta = { type: 'input_json_delta', partial_json: JSON.stringify(input) };
  return {
    steps: steps.map((step) =>
      'event' in step && step.event.type === 'content_block_delta'
        ? { event: { ...step.event, delta } }
        : step,
    ),
  };
}

/** `rows`: the number of entries in each list of the workspace. */
export async function fillWorkspace(
  server: Server,
  replies: Reply[],
  rows: number,
): Promise<FullWorkspace> {
  const sample = await fillSession(server);
  await fillLists(server, rows);
  const agent = await fillAgent(server, replies);
  return { sample, agent };
}
