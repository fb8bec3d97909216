/**
 * Who gets a place for a connection: to one session, or to the inbox of a workspace.
 *
 * A connection that only reads could take every place. So one root has a share of them, and a part of all places is for
 * those who answer and for agents. In a root too: its readers do not use the places of the others.
 */
import { type Caller, mayAct } from '../protocol/caller.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';

/** Streams and waits are held by the stateless Worker and share their places. A wait is one of an agent for an outcome. */
type ConnectionKind = 'socket' | 'stream' | 'wait';

export interface ConnectionPlace {
  readonly kind: ConnectionKind;
  readonly root: string;
  /** Its holder may answer, or acts as an agent. */
  readonly takesPart: boolean;
}

export function takesPart(caller: Caller): boolean {
  return mayAct(caller, 'answer') || mayAct(caller, 'agent');
}

/** Undefined if there is a place beside those that are taken. */
export function rejectConnection(
  asked: ConnectionPlace,
  present: readonly ConnectionPlace[],
  to: 'session' | 'inbox',
): Rejection | undefined {
  const limit = asked.kind === 'socket' ? 'sockets' : 'waiters';
  const isSocket = ({ kind }: ConnectionPlace) => kind === 'socket';
  const all = present.filter((one) => isSocket(one) === isSocket(asked)).length;
  const max = LIMITS[limit] - (asked.takesPart ? 0 : LIMITS.keptPlaces);
  if (all >= max) return NO_ROOM[to](limit, max);
  const own = present.filter(
    (one) =>
      one.kind === asked.kind && one.root === asked.root && (one.takesPart || !asked.takesPart),
  ).length;
  const ofRoot = ROOT_LIMITS[asked.kind];
  if (own < LIMITS[ofRoot]) return undefined;
  const message = `This key, with every token of its line, has ${own} ${asked.kind}s on this ${to} open. Close one of them, or connect with a credential that an administrator made for you.`;
  return reject('limit_reached', message, { limit: ofRoot, max: LIMITS[ofRoot] });
}

const ROOT_LIMITS = { socket: 'rootSockets', stream: 'rootStreams', wait: 'rootWaits' } as const;

/** When others leave is unknown; a client that tries again so often costs little. */
const RETRY_SECONDS = 5;

const noRoomIn = (to: string) => (limit: 'sockets' | 'waiters', max: number) =>
  reject('limit_reached', `Too many connections to this ${to}. Try again in a moment.`, {
    limit,
    max,
    retryAfterSeconds: RETRY_SECONDS,
  });

const NO_ROOM = { session: noRoomIn('session'), inbox: noRoomIn('inbox') } as const;
