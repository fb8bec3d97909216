/**
 * A long poll: the Worker waits for an outcome, for the first seconds of an interaction in its call to the session
 * (`session/pending-calls.ts`), and then on a hibernating socket.
 *
 * From then on the session may sleep while the request is open, and wakes only to send the outcome. When the time is
 * up the record is read once more, so that an outcome whose frame was lost is still found.
 *
 * A credential can be revoked while its request waits. The workspace records a wait on a socket (`recorded-waits.ts`),
 * as it records a subscription, so that a revocation reaches the session and ends the wait. A pending call is too short
 * for a record. Before every response the revoked credentials are checked once more.
 */
import type { InteractionView } from '../../protocol/schema/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { isAgentOf, mayAct, rootOf } from '../../protocol/caller.ts';
import { type Rejection, reject, type ReadResult } from '../../protocol/errors.ts';
import type { AskAndWait } from '../../session/join.ts';
import type { ResultMeta } from '../../session/command-result.ts';
import { isRevoked, CREDENTIAL_REVOKED } from '../authenticate.ts';
import type { HttpPorts, Identity } from '../ports.ts';
import type {
  AskedAndWaiting,
  ClientSocket,
  FoundSession,
  OutcomeFrame,
  OutcomeWaiting,
  SessionConnections,
  WorkspaceStub,
} from '../stubs.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { RequestHeader, RouteCall } from '../route.ts';

interface OutcomeWait {
  readonly connections: SessionConnections;
  /** For the reading after the wait: by then the first stub may be broken. */
  readonly findSession: () => Promise<FoundSession | Rejection>;
  readonly sessionId: string;
  readonly workspace: () => WorkspaceStub;
  readonly policy: HttpPorts['policy'];
  readonly recordedWaits: HttpPorts['recordedWaits'];
  readonly identity: Identity;
  /** When the time is up, or the credential expires. */
  readonly until: number;
  readonly recordAfter: number;
  readonly now: () => number;
  /** Aborted when the client disconnects, where the platform reports that. */
  readonly signal: AbortSignal;
}

/** Programs answer sooner, and their waits need no record. */
const RECORD_AFTER_MS = 1_000;

export const PREFER_WAIT: RequestHeader = {
  name: 'Prefer',
  description: `\`wait=55\`: seconds for which the response waits for the outcome, at most ${LIMITS.waitSeconds}.`,
  schema: { type: 'string' },
  example: `wait=${LIMITS.waitSeconds}`,
};

/** `Prefer: wait=55`, in seconds, clamped; other preferences in the header are ignored. */
export function readPreferredWait(request: Request): number {
  const wanted = /(?:^|[,;\s])wait=(\d{1,6})(?:$|[,;\s])/.exec(request.headers.get('Prefer') ?? '');
  return Math.min(Number(wanted?.[1] ?? 0), LIMITS.waitSeconds);
}

/** What a wait needs of its request. */
type WaitingCall = Pick<
  RouteCall<{ id: string }, unknown, unknown>,
  'request' | 'connections' | 'params' | 'workspace' | 'identity' | 'ports'
>;

/** How long a request waits, and what it needs for that. */
export function outcomeWait(call: WaitingCall, seconds: number): OutcomeWait {
  const { request, connections, params, identity, ports } = call;
  const { policy, recordedWaits } = ports;
  const now = ports.now();
  return {
    connections,
    findSession: () => ports.findSession(identity.workspace, params.id),
    sessionId: params.id,
    workspace: () => call.workspace,
    policy,
    recordedWaits,
    identity,
    until: Math.min(now + seconds * 1_000, identity.expiresAt ?? Number.MAX_SAFE_INTEGER),
    recordAfter: now + RECORD_AFTER_MS,
    now: ports.now,
    signal: request.signal,
  };
}

interface WaitedFor {
  readonly toolCallId?: string | undefined;
  /** Of a batch that is awaited as a whole. */
  readonly openedAt?: number;
}

/** With a `toolCallId` the wait ends as soon as another call of the agent has the interaction. */
export async function waitForOutcome(
  interactionId: string,
  wait: OutcomeWait,
  { toolCallId, openedAt }: WaitedFor = {},
): Promise<ReadResult<InteractionView>> {
  const { connections, identity, until, signal } = wait;
  const { caller, chain } = identity;
  const agent = mayAct(caller, 'agent');
  const inBatch = openedAt === undefined ? {} : { openedAt };
  const waiter = { role: 'waiter', interactionId, ...inBatch, until, agent, chain } as const;
  const attachment = { ...waiter, root: rootOf(caller) };
  const request = { to: 'outcome', interactionId, caller, attachment, toolCallId } as const;
  // A call that broke, as when the session restarts, is a wait without an outcome.
  const waiting = await connections.waitForOutcome(request, signal).catch(() => undefined);
  return waiting?.ok === false ? waiting : readWaited(waiting, interactionId, wait);
}

interface AwaitedOpening extends Pick<WaitedFor, 'toolCallId'> {
  readonly interaction: InteractionView;
}

/**
 * The outcomes of what a batch opened, one wait after another: the response is due once all are settled, so the order of
 * the waits does not matter, and a request holds one connection.
 */
export async function waitForOutcomes(
  opened: readonly AwaitedOpening[],
  wait: OutcomeWait,
): Promise<ReadResult<ReadonlyMap<string, InteractionView>>> {
  const read = new Map<string, InteractionView>();
  for (const { interaction, toolCallId } of opened) {
    const { interactionId, openedAt } = interaction;
    const ended =
      wait.now() < wait.until
        ? await waitForOutcome(interactionId, wait, { toolCallId, openedAt })
        : await readAgain(interactionId, wait);
    // Without a place to wait the request stays open, and its caller asks again.
    if (!ended.ok && ended.code !== 'limit_reached') return ended;
    if (ended.ok) read.set(interactionId, ended.value);
  }
  return { ok: true, value: read };
}

type AwaitedOutcome = ResultMeta & {
  readonly ok: true;
  /** A rule or the mode may decide without asking a person. */
  readonly body: { readonly interaction: InteractionView } | { readonly decision: JsonObject };
};

/** Asks and waits in one call, so that a question makes one trip to the session. */
export async function openAndWait(
  question: Pick<AskAndWait, 'command' | 'context'>,
  wait: OutcomeWait,
): Promise<AwaitedOutcome | Rejection> {
  const { connections, identity, until, signal } = wait;
  const isAgent = mayAct(identity.caller, 'agent');
  const request = { to: 'ask', ...question, until, isAgent, chain: identity.chain } as const;
  const asked = await connections
    .askAndWait(request, signal)
    .catch((cause: unknown) => findAsked(question.command, wait, cause));
  if (!asked.ok) return asked;
  const { isNew, replayed } = asked;
  if ('json' in asked) {
    return { ok: true, isNew, replayed, body: JSON.parse(asked.json) as AwaitedOutcome['body'] };
  }
  const read = await readWaited(asked, asked.interactionId, wait);
  return read.ok ? { ok: true, isNew, replayed, body: { interaction: read.value } } : read;
}

/**
 * After a call that broke, as when the session restarts: the question, if it was opened. Without its tool call it cannot be
 * found, and the client repeats its request.
 */
async function findAsked(
  { common: { toolCallId } }: AskAndWait['command'],
  { findSession, identity: { caller } }: OutcomeWait,
  cause: unknown,
): Promise<AskedAndWaiting | Rejection> {
  const found = await findSession();
  if (!found.ok) return found;
  const all = { status: 'open', limit: LIMITS.openInteractions } as const;
  const page = await found.session.interactions(all, caller);
  if (!page.ok) return page;
  const interaction = page.value.interactions.find((one) => one.toolCallId === toolCallId);
  if (interaction !== undefined && isAgentOf(caller, interaction.openedBy)) {
    const { interactionId } = interaction;
    const frame = { type: 'settled', interaction } as const;
    return { ok: true, isNew: true, replayed: false, interactionId, frame };
  }
  throw cause;
}

/** `waiting` is undefined if the call ended without an outcome. */
async function readWaited(
  waiting: OutcomeWaiting | undefined,
  interactionId: string,
  wait: OutcomeWait,
): Promise<ReadResult<InteractionView>> {
  const outcome = waiting && (await outcomeOf(waiting, wait));
  const read = outcome ?? (await readAgain(interactionId, wait));
  const policy = await wait.policy.get(wait.identity.workspace);
  return isRevoked(wait.identity, policy) ? CREDENTIAL_REVOKED : read;
}

function outcomeOf(
  waiting: OutcomeWaiting,
  wait: OutcomeWait,
): ReadResult<InteractionView> | Promise<ReadResult<InteractionView> | undefined> | undefined {
  if ('socket' in waiting) return awaitSettlement(waiting.socket, wait);
  return waiting.frame && readOutcomeFrame(waiting.frame);
}

async function readAgain(
  interactionId: string,
  { findSession, identity }: OutcomeWait,
): Promise<ReadResult<InteractionView>> {
  const found = await findSession();
  return found.ok ? found.session.interaction(interactionId, identity.caller) : found;
}

/** Undefined: the wait ended without a frame from the session. */
function awaitSettlement(
  socket: ClientSocket,
  wait: OutcomeWait,
): Promise<ReadResult<InteractionView> | undefined> {
  const { until, recordAfter, recordedWaits, identity, sessionId, now, signal } = wait;
  return new Promise((resolve) => {
    const finish = (read: ReadResult<InteractionView> | undefined) => {
      clearTimeout(end);
      if (record !== undefined) clearTimeout(record);
      signal.removeEventListener('abort', leave);
      socket.close(1000, 'done');
      resolve(read);
    };
    const leave = () => finish(undefined);
    const end = setTimeout(leave, until - now());
    const finishIfRevoked = (revoked: boolean) => revoked && finish(CREDENTIAL_REVOKED);
    // A wait without its record goes on: the credentials are checked again before the response.
    const record =
      identity.chain.length === 0
        ? undefined
        : setTimeout(
            () =>
              void recordedWaits
                .record({ identity, sessionId, workspace: wait.workspace() })
                .then(finishIfRevoked, () => undefined),
            recordAfter - now(),
          );
    socket.listen((text) => finish(readOutcomeFrame(JSON.parse(text) as OutcomeFrame)), leave);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave);
  });
}

function readOutcomeFrame(frame: OutcomeFrame): ReadResult<InteractionView> {
  if (frame.type === 'settled') return { ok: true, value: frame.interaction };
  const { code, message, details } = frame.error;
  return reject(code, message, details);
}
