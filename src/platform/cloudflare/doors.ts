/** Doors to Durable Objects, by name, as the HTTP surface wants them. */
import type { SessionDoor, WorkspaceDoor } from '../../http/ports.ts';
import type { Rejection } from '../../protocol/error.ts';
import type { Env } from './env.ts';
import { heldSocket } from './held-socket.ts';
import { sessionName } from './names.ts';

/** Calls to an object return copies; their types say so at length, and mean the same values. */
type Remote<Door> = Omit<Door, 'connect'>;

export function sessionDoor(env: Env, workspace: string, id: string): SessionDoor {
  const stub = env.SESSION.getByName(sessionName(workspace, id));
  const remote = stub as unknown as Remote<SessionDoor>;
  return {
    handle: (command, context) => remote.handle(command, context),
    handleEach: (commands, context) => remote.handleEach(commands, context),
    snapshot: () => remote.snapshot(),
    interaction: (interactionId, caller) => remote.interaction(interactionId, caller),
    interactions: (ask) => remote.interactions(ask),
    rules: () => remote.rules(),
    events: (after, limit) => remote.events(after, limit),
    async connect(request, subprotocol) {
      const url = new URL('https://session/');
      url.searchParams.set('attach', JSON.stringify(request));
      if (subprotocol !== undefined) url.searchParams.set('protocol', subprotocol);
      const upgrade = await stub.fetch(url, { headers: { Upgrade: 'websocket' } });
      const { webSocket } = upgrade;
      if (!webSocket) return upgrade.json<Rejection>();
      return { ok: true, upgrade, socket: heldSocket(webSocket) };
    },
  };
}

export function workspaceDoor(env: Env, name: string): WorkspaceDoor {
  const stub: unknown = env.WORKSPACE.getByName(name);
  return stub as WorkspaceDoor;
}
