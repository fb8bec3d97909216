/** Doors to Durable Objects, by name, as the HTTP surface wants them. */
import type { InboxStub, AcceptedUpgrade, SessionStub, WorkspaceStub } from '../../http/ports.ts';
import type { Caller } from '../../protocol/caller.ts';
import type { Command, Context } from '../../protocol/schema/command.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import type { InteractionView } from '../../protocol/schema/interaction.ts';
import type { AskAndWait, JoinRequest } from '../../session/join.ts';
import { type NotUpgraded, readOpenedInteraction, writeUpgradeRequest } from './upgrade-request.ts';
import type { Env } from './env.ts';
import { clientSocket } from './client-socket.ts';
import { sessionName } from './session-name.ts';
import type { StartedSessions } from './started-sessions.ts';

/** Calls to an object return copies; their types say so at length, and mean the same values. */
type Remote = Omit<SessionStub, 'connect' | 'askAndWait'>;

/** Says nothing: an object has no addresses. */
const ADDRESS = 'https://object/';

const NO_SESSION = reject('not_found', 'There is no such session');

/** Made for every request, so that the object is looked up only for those that go to it. */
class RemoteSession implements SessionStub {
  readonly #find: () => DurableObjectStub;
  readonly #exists: () => Promise<boolean>;

  constructor(find: () => DurableObjectStub, exists: () => Promise<boolean>) {
    this.#find = find;
    this.#exists = exists;
  }

  get #remote(): Remote {
    return this.#find() as unknown as Remote;
  }

  async #ask<Value>(call: (remote: Remote) => Promise<Value>): Promise<Value | Rejection> {
    return (await this.#exists()) ? call(this.#remote) : NO_SESSION;
  }

  async handle(command: Command, context: Context) {
    if (command.type === 'session.create') return this.#remote.handle(command, context);
    return this.#ask((remote) => remote.handle(command, context));
  }

  async handleEach(commands: readonly Command[], context: Context) {
    if (!(await this.#exists())) return commands.map(() => NO_SESSION);
    return this.#remote.handleEach(commands, context);
  }

  snapshot() {
    return this.#ask((remote) => remote.snapshot());
  }

  interaction(interactionId: string, caller: Caller) {
    return this.#ask((remote) => remote.interaction(interactionId, caller));
  }

  interactions(ask: Parameters<SessionStub['interactions']>[0]) {
    return this.#ask((remote) => remote.interactions(ask));
  }

  agentSettings() {
    return this.#ask((remote) => remote.agentSettings());
  }

  rules() {
    return this.#ask((remote) => remote.rules());
  }

  files() {
    return this.#ask((remote) => remote.files());
  }

  file(path: string) {
    return this.#ask((remote) => remote.file(path));
  }

  events(after: number, limit: number) {
    return this.#ask((remote) => remote.events(after, limit));
  }

  async connect(request: JoinRequest, subprotocol?: string) {
    const call = writeUpgradeRequest({ request, subprotocol });
    if (call === undefined) return TOO_LONG;
    if (!(await this.#exists())) return NO_SESSION;
    return connection(await this.#find().fetch(ADDRESS, call));
  }

  async askAndWait(request: AskAndWait) {
    if (!(await this.#exists())) return NO_SESSION;
    const call = writeUpgradeRequest({ request });
    if (call === undefined) return this.#askThenWait(request);
    const upgrade = await this.#find().fetch(ADDRESS, call);
    const { webSocket } = upgrade;
    if (!webSocket) return upgrade.json<NotUpgraded>();
    return {
      ok: true,
      ...readOpenedInteraction(upgrade),
      socket: clientSocket(webSocket),
    } as const;
  }

  /** In two calls, for a question that is too long for one. */
  async #askThenWait({ command, context, until, isAgent, chain }: AskAndWait) {
    const result = await this.handle(command, context);
    if (!result.ok) return result;
    const { interaction } = JSON.parse(result.json) as { interaction?: InteractionView };
    if (interaction?.status !== 'open') return result;
    const { interactionId } = interaction;
    const { caller } = context;
    const attachment = { role: 'waiter', interactionId, until, agent: isAgent, chain } as const;
    const joined = await this.connect({ to: 'outcome', interactionId, caller, attachment });
    if (!joined.ok) return result;
    const { isNew, replayed } = result;
    return { ok: true, isNew, replayed, interactionId, socket: joined.socket } as const;
  }
}

const TOO_LONG = reject('too_large', 'This credential and session are too long to connect with');

/** Accepted by an object, or refused by it in a plain response. */
async function connection(upgrade: Response): Promise<AcceptedUpgrade | Rejection> {
  const { webSocket } = upgrade;
  if (!webSocket) return upgrade.json<Rejection>();
  return { ok: true, response: upgrade, socket: clientSocket(webSocket) };
}

export function sessionDoor(
  env: Env,
  files: StartedSessions,
  workspace: string,
  id: string,
): SessionStub {
  const name = sessionName(workspace, id);
  return new RemoteSession(
    () => env.SESSION.getByName(name),
    () => files.has(name),
  );
}

export function workspaceDoor(env: Env, name: string): WorkspaceStub {
  const stub: unknown = env.WORKSPACE.getByName(name);
  return stub as WorkspaceStub;
}

/** Calls to a stub cannot carry a connection, so this one goes as a request. */
export function inboxDoor(env: Env, workspace: string): InboxStub {
  return {
    async connect(request, subprotocol) {
      const call = writeUpgradeRequest({ request, subprotocol });
      if (call === undefined) return TOO_LONG;
      return connection(await env.WORKSPACE.getByName(workspace).fetch(ADDRESS, call));
    },
  };
}
