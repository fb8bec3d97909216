/**
 * One agent and one person in one session, and the three ways in which a question and its answer travel between them.
 *
 * Each trip is checked: the person must see the agent's question, and the agent must receive the person's answer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpConnection } from '../client/http-connection.ts';
import { SessionSocket } from '../client/session-socket.ts';
import type { Actor } from '../lib/closed-loop.ts';
import { type BenchServer, createSession } from '../lib/bench-server.ts';

/** `requests`: open, wait and answer by HTTP. `wait`: open with `Prefer: wait`. `sockets`: no HTTP at all. */
export type Travel = 'requests' | 'wait' | 'sockets';

interface Opened {
  readonly interaction: { readonly interactionId: string; readonly outcome: string | null };
}
interface Waited extends Opened {
  readonly settled: boolean;
}

export interface TripActor {
  readonly trip: Actor;
  /** One trip of three requests, with a person who reads the question for so long before answering. */
  pacedTrip(operation: number, readsForMs: number): Promise<number>;
  leave(): void;
}

export async function tripActor(
  server: BenchServer,
  session: string,
  travel: Travel,
): Promise<TripActor> {
  const agent = await server.connect('agent');
  const person = await server.connect('person');
  await createSession(server, agent, session);
  const watching = await SessionSocket.open(server, session, server.tokens.person);
  const asking =
    travel === 'sockets'
      ? await SessionSocket.open(server, session, server.tokens.agent)
      : undefined;
  const parts = { agent, person, watching, path: `/v1/sessions/${session}/interactions` };
  const trip: Actor = (operation) => {
    const toolCallId = `call-${operation}`;
    if (asking !== undefined) return bySockets(asking, watching, toolCallId);
    return travel === 'wait' ? byWaiting(parts, toolCallId) : byRequests(parts, toolCallId);
  };
  return {
    trip,
    pacedTrip: (operation, readsForMs) => byRequests(parts, `call-${operation}`, readsForMs),
    leave() {
      for (const one of [agent, person, watching, asking]) one?.close();
    },
  };
}

interface Parts {
  readonly agent: HttpConnection;
  readonly person: HttpConnection;
  readonly watching: SessionSocket;
  readonly path: string;
}

export function approval(toolCallId: string) {
  return {
    kind: 'approval',
    toolCallId,
    toolName: 'Bash',
    description: 'Remove the build folder before the release is built again',
    input: { command: 'rm -rf build && npm run build', cwd: '/srv/app', timeoutMs: 120_000 },
  };
}

const APPROVE = { decision: 'approve' };

async function byRequests(
  { agent, person, watching, path }: Parts,
  toolCallId: string,
  readsForMs = 0,
) {
  const start = performance.now();
  const seen = watching.heard('interaction_request', toolCallId);
  const opened = await agent.json<Opened>('POST', path, 201, { body: approval(toolCallId) });
  const { interactionId } = opened.interaction;
  // Sent before the answer, so that an agent is waiting for it.
  const waited = agent.json<Waited>('GET', `${path}/${interactionId}?wait=55`, 200);
  await seenToBe(seen, interactionId);
  if (readsForMs > 0) await sleep(readsForMs);
  const answered = person.json('POST', `${path}/${interactionId}/answer`, 200, { body: APPROVE });
  check(await waited, interactionId);
  const took = performance.now() - start;
  await answered;
  return took;
}

async function byWaiting({ agent, person, watching, path }: Parts, toolCallId: string) {
  const start = performance.now();
  const seen = watching.heard('interaction_request', toolCallId);
  const headers = 'Prefer: wait=55\r\n';
  const waited = agent.json<Waited>('POST', path, 201, { body: approval(toolCallId), headers });
  const { interactionId } = interactionOf(await seen);
  const answered = person.json('POST', `${path}/${interactionId}/answer`, 200, { body: APPROVE });
  check(await waited, interactionId);
  const took = performance.now() - start;
  await answered;
  return took;
}

async function bySockets(agent: SessionSocket, person: SessionSocket, toolCallId: string) {
  const start = performance.now();
  const seen = person.heard('interaction_request', toolCallId);
  const resumed = agent.heard('interaction_response', toolCallId);
  const opened = agent.ask({ type: 'open', id: `open-${toolCallId}`, ...approval(toolCallId) });
  const { interactionId } = interactionOf(await seen);
  const id = `answer-${toolCallId}`;
  const answered = person.ask({ type: 'answer', id, interactionId, answer: APPROVE });
  const response = interactionOf(await resumed);
  check({ interaction: response, settled: true }, interactionId);
  const took = performance.now() - start;
  await Promise.all([opened, answered]);
  return took;
}

async function seenToBe(seen: Promise<{ payload: object }>, interactionId: string) {
  const found = interactionOf(await seen).interactionId;
  if (found !== interactionId) throw new Error(`Opened ${interactionId}, seen ${found}`);
}

function interactionOf({ payload }: { payload: object }): Opened['interaction'] {
  return payload as Opened['interaction'];
}

function check({ interaction, settled }: Waited, interactionId: string): void {
  const { outcome } = interaction;
  if (!settled || outcome !== 'approved' || interaction.interactionId !== interactionId) {
    throw new Error(`A wrong answer for ${interactionId}: ${JSON.stringify(interaction)}`);
  }
}
