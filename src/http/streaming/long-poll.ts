/**
 * A long poll: the Worker waits for an outcome on a hibernating socket to the session.
 *
 * The session may sleep while the request is open, and wakes only to send the outcome. When the time is
 * up the record is read once more, so that an outcome whose frame was lost is still found.
 *
 * A credential can be revoked while its request waits. The workspace records a wait of more than a
 * second, as it records a subscription, so that a revocation reaches the session and ends the wait.
 * Before every response the revoked credentials are checked once more.
 */
import type { InteractionView } from '../../protocol/schema/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { mayAct } from '../../protocol/caller.ts';
import { type Rejection, reject, type ReadResult } from '../../protocol/errors.ts';
import type { AskAndWait } from '../../session/join.ts';
import type { ResultMeta } from '../../session/command-result.ts';
import { isRevoked, CREDENTIAL_REVOKED } from '../authenticate.ts';
import type { HttpPorts, Identity } from '../ports.ts';
import type { ClientSocket, FoundSession, SessionConnections, WorkspaceStub } from '../stubs.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { RequestHeader, RouteCall } from '../route.ts';

interface OutcomeWait {
  readonly connections: SessionConnections;
  /** For the reading after the wait: by then the first stub may be broken. */
  readonly findSession: () => Promise<FoundSession | Rejection>;
  readonly sessionId: string;
  readonly workspace: WorkspaceStub;
  readonly policy: HttpPorts['policy'];
  readonly identity: Identity;
  readonly waitMs: number;
  readonly now: number;
  /** Aborted when the client disconnects, where the platform reports that. */
  readonly signal: AbortSignal;
}

/** Programs answer sooner, and their waits need no record. */
const NOTE_AFTER_MS = 1_000;

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
  'http' | 'connections' | 'params' | 'workspace' | 'identity' | 'ports'
>;

/** How long a request waits, and what it needs for that. */
export function outcomeWait(
  { http, connections, params, workspace, identity, ports }: WaitingCall,
  seconds: number,
): OutcomeWait {
  const { policy } = ports;
  return {
    connections,
    findSession: () => ports.findSession(identity.workspace, params.id),
    sessionId: params.id,
    workspace,
    policy,
    identity,
    waitMs: seconds * 1_000,
    now: ports.now(),
    signal: http.req.raw.signal,
  };
}

/** With a `toolCallId` the wait ends as soon as another call of the agent has the interaction. */
export async function waitForOutcome(
  interactionId: string,
  wait: OutcomeWait,
  toolCallId?: string,
): Promise<ReadResult<InteractionView>> {
  const { connections, identity } = wait;
  const { caller, chain } = identity;
  const until = waitEnd(wait);
  const agent = mayAct(caller, 'agent');
  const attachment = { role: 'waiter', interactionId, until, agent, chain } as const;
  const request = { to: 'outcome', interactionId, caller, attachment, toolCallId } as const;
  const joined = await connections.connect(request);
  return joined.ok ? readWaited(joined.socket, interactionId, wait) : joined;
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
  const isAgent = mayAct(wait.identity.caller, 'agent');
  const asked = await wait.connections.askAndWait({
    to: 'ask',
    ...question,
    until: waitEnd(wait),
    isAgent,
    chain: wait.identity.chain,
  });
  if (!asked.ok) return asked;
  const { isNew, replayed } = asked;
  if ('json' in asked) {
    return { ok: true, isNew, replayed, body: JSON.parse(asked.json) as AwaitedOutcome['body'] };
  }
  const read = await readWaited(asked.socket, asked.interactionId, wait);
  return read.ok ? { ok: true, isNew, replayed, body: { interaction: read.value } } : read;
}

function waitEnd({ identity, waitMs, now }: OutcomeWait): number {
  return Math.min(now + waitMs, identity.expiresAt ?? Number.MAX_SAFE_INTEGER);
}

async function readWaited(
  socket: ClientSocket,
  interactionId: string,
  wait: OutcomeWait,
): Promise<ReadResult<InteractionView>> {
  const { identity, policy } = wait;
  const read = (await awaitSettlement(socket, wait)) ?? (await readAgain(interactionId, wait));
  return (await isRevoked(identity, policy)) ? CREDENTIAL_REVOKED : read;
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
  { waitMs, workspace, sessionId, identity, signal }: OutcomeWait,
): Promise<ReadResult<InteractionView> | undefined> {
  const { chain, expiresAt } = identity;
  return new Promise((resolve) => {
    const finish = (read: ReadResult<InteractionView> | undefined) => {
      clearTimeout(timer);
      clearTimeout(note);
      signal.removeEventListener('abort', leave);
      socket.close(1000, 'done');
      resolve(read);
    };
    const leave = () => finish(undefined);
    const timer = setTimeout(leave, waitMs);
    const noteWait = async () => {
      if (await workspace.watch(chain, sessionId, expiresAt)) finish(CREDENTIAL_REVOKED);
    };
    // A wait without its record goes on: the credentials are checked again before the response.
    const note = setTimeout(() => void noteWait().catch(() => undefined), NOTE_AFTER_MS);
    if (chain.length === 0) clearTimeout(note);
    socket.listen((text) => finish(readOutcomeFrame(text)), leave);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave);
  });
}

type OutcomeFrame =
  | { readonly type: 'settled'; readonly interaction: InteractionView }
  | { readonly type: 'error'; readonly error: Omit<Rejection, 'ok'> };

function readOutcomeFrame(text: string): ReadResult<InteractionView> {
  const frame = JSON.parse(text) as OutcomeFrame;
  if (frame.type === 'settled') return { ok: true, value: frame.interaction };
  const { code, message, details } = frame.error;
  return reject(code, message, details);
}
