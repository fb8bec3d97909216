/**
 * Which turns run in a session: at most one for each credential that reports them.
 *
 * `turn` is the turn that started last, which a screen shows; `otherTurns` are running turns of other credentials.
 * Without `otherTurns` an agent could replace the turn of another agent and then end it, or a screen would show the
 * session as idle while the first turn still runs.
 *
 * Events of the built-in agent, of interrupts and of the oldest logs name no owner (`by`). A turn without an owner ends
 * with any turn that starts and with any end that matches it.
 */
import type { Opener } from '../protocol/schema/actor.ts';
import type { EventOf } from '../protocol/schema/event.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { SessionInfo, SessionTurn } from './state.ts';

/** The part of a session that says which turns run. */
export type RunningTurns = Pick<SessionInfo, 'turn' | 'otherTurns'>;

/** In the order in which they began. */
export function listRunningTurns({ turn, otherTurns = [] }: RunningTurns): readonly SessionTurn[] {
  return turn === null ? otherTurns : [...otherTurns, turn];
}

export function findTurnOfCredential(
  info: SessionInfo,
  credential: string,
): SessionTurn | undefined {
  return listRunningTurns(info).find(({ by }) => by?.credential === credential);
}

export function findTurnById(
  info: SessionInfo,
  turnId: string | undefined,
): SessionTurn | undefined {
  if (turnId === undefined) return undefined;
  return listRunningTurns(info).find((turn) => turn.turnId === turnId);
}

export function addStartedTurn<Info extends RunningTurns>(
  info: Info,
  event: EventOf<'turn_started'>,
): Info {
  const { turnId, at: startedAt, payload } = event;
  const { by } = payload;
  const kept = listRunningTurns(info).filter(
    (turn) => !isOwnTurn(turn, by) && (turnId === undefined || turn.turnId !== turnId),
  );
  const begun: SessionTurn = {
    startedAt,
    ...(turnId !== undefined && { turnId }),
    ...(by !== undefined && { by }),
  };
  // An agent that crashes within a turn never ends it, so the number of kept turns has a limit.
  return setRunningTurns(info, [...kept, begun].slice(-LIMITS.runningTurns));
}

/** An end with an id ends that turn. An end without an id ends the turn of its sender, or every turn if it has no sender. */
export function removeEndedTurns<Info extends RunningTurns>(
  info: Info,
  event: EventOf<'turn_ended'>,
): Info {
  const { by } = event.payload;
  const isOver = (turn: SessionTurn) =>
    hasTurnId(turn, event.turnId) || (mayHaveTurnId(turn, event.turnId) && isOwnTurn(turn, by));
  return removeTurns(info, isOver);
}

/** Without an owner it is the built-in agent, which goes on after a reported error and ends its turn itself. */
export function removeFailedTurns<Info extends RunningTurns>(
  info: Info,
  event: EventOf<'error'>,
): Info {
  const { by } = event.payload;
  if (by === undefined) return info;
  return removeTurns(
    info,
    (turn) =>
      turn.by !== undefined &&
      (hasTurnId(turn, event.turnId) || (mayHaveTurnId(turn, event.turnId) && isOwnTurn(turn, by))),
  );
}

export function removeAllTurns<Info extends RunningTurns>(info: Info): Info {
  return setRunningTurns(info, []);
}

function removeTurns<Info extends RunningTurns>(
  info: Info,
  isOver: (turn: SessionTurn) => boolean,
): Info {
  const before = listRunningTurns(info);
  const left = before.filter((turn) => !isOver(turn));
  return left.length === before.length ? info : setRunningTurns(info, left);
}

function setRunningTurns<Info extends RunningTurns>(
  info: Info,
  turns: readonly SessionTurn[],
): Info {
  const { turn: _turn, otherTurns: _others, ...rest } = info;
  const others = turns.slice(0, -1);
  const running = { turn: turns.at(-1) ?? null, ...(others.length > 0 && { otherTurns: others }) };
  return { ...rest, ...running } as unknown as Info;
}

function isOwnTurn(turn: SessionTurn, by: Opener | undefined): boolean {
  return by === undefined || turn.by === undefined || turn.by.credential === by.credential;
}

function hasTurnId(turn: SessionTurn, turnId: string | undefined): boolean {
  return turnId !== undefined && turn.turnId === turnId;
}

/** Ids contradict each other only if both are present. */
function mayHaveTurnId(turn: SessionTurn, turnId: string | undefined): boolean {
  return turnId === undefined || turn.turnId === undefined || turn.turnId === turnId;
}
