/** Stubs of Durable Objects, by name, as the HTTP surface calls them. */
import type * as stubs from '../../http/stubs.ts';
import { rootOf } from '../../protocol/caller.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import type { AskAndWait, WaitRequest } from '../../session/join.ts';
import type { AskReply, WaitReply } from '../../session/pending-calls.ts';
import { freshId } from '../fresh-id.ts';
import { clientSocket, readWaitResponse, writeUpgradeRequest } from './upgrade.ts';
import { type Env, sessionName } from './env.ts';

/** Any address will do: a Durable Object does not look at it. */
const OBJECT_ADDRESS = 'https://object/';

const SESSION_NOT_STARTED = reject('not_found', 'There is no such session');
const TOO_LONG_TO_CONNECT = reject(
  'too_large',
  'This credential and session are too long to connect with',
);

/** Names and ids of some hundred bytes each. */
const MAX_REMEMBERED_OBJECTS = 10_000;

/**
 * Whether an object was ever created, found out without waking it.
 *
 * Under plain workerd a wake creates a file, an alarm lookup and three descriptors before the object can say that it is
 * none. A caller that may name an object could fill a disk with unused ids. The file itself is the evidence: it exists
 * before the response to the creation, and after a crash. On Cloudflare an object that writes nothing leaves nothing, and
 * there are no files to look for.
 *
 * The ids are kept, because the platform hashes a name for each.
 */
export class StartedObjects {
  readonly #objects: Pick<DurableObjectNamespace, 'idFromName'>;
  readonly #files: Fetcher | undefined;
  readonly #ids = new Map<string, DurableObjectId>();

  constructor(objects: Pick<DurableObjectNamespace, 'idFromName'>, files: Fetcher | undefined) {
    this.#objects = objects;
    this.#files = files;
  }

  /** Undefined for an object that was never created. */
  find(name: string): DurableObjectId | undefined | Promise<DurableObjectId | undefined> {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = this.#objects.idFromName(name);
    return this.#files === undefined ? this.#remember(name, id) : this.#look(name, id, this.#files);
  }

  /** Call it for an object that has replied to a creation: its file is there. */
  remember(name: string): void {
    this.#remember(name, this.#objects.idFromName(name));
  }

  async #look(
    name: string,
    id: DurableObjectId,
    files: Fetcher,
  ): Promise<DurableObjectId | undefined> {
    const { status } = await files.fetch(`http://files/${id.toString()}.sqlite`, {
      method: 'HEAD',
    });
    return status === 404 ? undefined : this.#remember(name, id);
  }

  #remember(name: string, id: DurableObjectId): DurableObjectId {
    if (this.#ids.size >= MAX_REMEMBERED_OBJECTS) this.#ids.clear();
    this.#ids.set(name, id);
    return id;
  }
}

/** A stub of a session that has started: a call to any other would leave a file under plain workerd. */
export async function findSession(
  env: Env,
  started: StartedObjects,
  workspace: string,
  id: string,
): Promise<stubs.FoundSession | Rejection> {
  const object = await started.find(sessionName(workspace, id));
  if (object === undefined) return SESSION_NOT_STARTED;
  const stub = env.SESSION.get(object);
  return { ok: true, session: asSessionStub(stub), connections: connectionsOf(stub) };
}

/** A stub for `session.create`: the next request to a created session looks for no file. */
export function newSessionStub(
  env: Env,
  started: StartedObjects,
  workspace: string,
  id: string,
): Pick<stubs.SessionStub, 'handle'> {
  const stub = sessionStub(env, workspace, id);
  return {
    async handle(command, context) {
      const result = await stub.handle(command, context);
      if (result.ok) started.remember(sessionName(workspace, id));
      return result;
    },
  };
}

/** A stub of a session that is known to have started. */
export function sessionStub(env: Env, workspace: string, id: string): stubs.SessionStub {
  return asSessionStub(env.SESSION.getByName(sessionName(workspace, id)));
}

export function workspaceStub(env: Env, name: string): stubs.WorkspaceStub {
  const stub: unknown = env.WORKSPACE.getByName(name);
  return stub as stubs.WorkspaceStub;
}

/** A stub of a target that exists, or existed. */
export async function findTarget(
  env: Env,
  started: StartedObjects,
  id: string,
): Promise<stubs.TargetStub | undefined> {
  const object = await started.find(id);
  if (object === undefined) return undefined;
  const stub: unknown = env.TARGET.get(object);
  return stub as stubs.TargetStub;
}

export function inboxStub(env: Env, workspace: string): stubs.InboxStub {
  return {
    async connect(request, subprotocol) {
      const call = writeUpgradeRequest({ request, subprotocol });
      if (call === undefined) return TOO_LONG_TO_CONNECT;
      return readUpgradeResponse(
        await env.WORKSPACE.getByName(workspace).fetch(OBJECT_ADDRESS, call),
      );
    },
  };
}

/** Calls to an object return copies; the platform's types say so at length, and mean the same values. */
function asSessionStub(stub: DurableObjectStub): stubs.SessionStub {
  return stub as unknown as stubs.SessionStub;
}

/** A call of a stub cannot return a connection, so a request asks for it. */
function connectionsOf(stub: DurableObjectStub): stubs.SessionConnections {
  const calls = stub as unknown as PendingMethods;
  const connections: stubs.SessionConnections = {
    async connect(request, subprotocol) {
      const call = writeUpgradeRequest({ request, subprotocol });
      if (call === undefined) return TOO_LONG_TO_CONNECT;
      return readUpgradeResponse(await stub.fetch(OBJECT_ADDRESS, call));
    },
    async waitForOutcome(request, signal) {
      const pendingCall = freshId();
      const reply = await untilAborted(calls, pendingCall, signal, () =>
        calls.waitForOutcome(pendingCall, request),
      );
      if (typeof reply === 'object') return reply;
      return waitFurther(reply, { ...request, pendingCall }, signal);
    },
    async askAndWait(request, signal) {
      const pendingCall = freshId();
      const reply = await untilAborted(calls, pendingCall, signal, () =>
        calls.askAndWait(pendingCall, request),
      );
      if (!('interactionId' in reply)) return reply;
      const { interactionId, frame, isNew, replayed } = reply;
      const { until, isAgent: agent, chain, context } = request;
      const { caller } = context;
      const root = rootOf(caller);
      const attachment = { role: 'waiter', interactionId, until, agent, chain, root } as const;
      const wait = { to: 'outcome', interactionId, caller, attachment, pendingCall } as const;
      const waiting = await waitFurther(frame, wait, signal);
      return waiting.ok ? { ...waiting, interactionId, isNew, replayed } : waiting;
    },
  };
  /** The call returned an outcome, or its waiter moves to a connection. */
  const waitFurther = async (
    frame: string | undefined,
    request: WaitRequest,
    signal: AbortSignal,
  ): Promise<stubs.OutcomeWaiting | Rejection> => {
    if (frame !== undefined) return { ok: true, frame: JSON.parse(frame) as stubs.OutcomeFrame };
    if (signal.aborted) return { ok: true, frame: undefined };
    const call = writeUpgradeRequest({ request });
    if (call === undefined) return TOO_LONG_TO_CONNECT;
    return readWaitResponse(await stub.fetch(OBJECT_ADDRESS, call));
  };
  return connections;
}

/** The methods of a session that stay pending. */
interface PendingMethods {
  waitForOutcome(pendingCall: string, request: WaitRequest): Promise<WaitReply>;
  askAndWait(pendingCall: string, request: AskAndWait): Promise<AskReply>;
  leaveWait(pendingCall: string): Promise<void>;
}

/** When the signal is aborted, the session is asked to return at once; otherwise the waiter of the call would stay. */
async function untilAborted<Reply>(
  calls: PendingMethods,
  pendingCall: string,
  signal: AbortSignal,
  call: () => Promise<Reply>,
): Promise<Reply> {
  // A session that cannot be reached has lost the waiter too.
  const leave = () => void calls.leaveWait(pendingCall).catch(() => undefined);
  signal.addEventListener('abort', leave);
  try {
    const reply = call();
    if (signal.aborted) leave();
    return await reply;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/** The object either accepts the connection, or rejects it in a plain response. */
async function readUpgradeResponse(response: Response): Promise<stubs.AcceptedUpgrade | Rejection> {
  const { webSocket } = response;
  if (!webSocket) return response.json<Rejection>();
  return { ok: true, response, socket: clientSocket(webSocket) };
}
