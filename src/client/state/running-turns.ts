/**
 * The running turns of a session, folded from events in the same way as on the server: `turn` is the latest one,
 * `otherTurns` are those of other agents. The replica handles what the end of a turn means for calls and requests.
 */
import { RUNNING_TURNS } from '../../protocol/limits.ts';
import { isObject } from '../../protocol/guards.ts';
import type { EventOf, SessionView } from '../../protocol/types.ts';

type Turns = Pick<SessionView, 'turn' | 'otherTurns'>;
type ViewTurn = NonNullable<SessionView['turn']>;
type TurnReporter = ViewTurn['by'];

export function addRunningTurn(session: SessionView, event: EventOf<'turn_started'>): SessionView {
  const { turnId, at: startedAt, payload } = event;
  const by = isObject(payload.by) ? payload.by : undefined;
  const kept = runningIn(session).filter(
    (turn) => !isTurnOf(turn, by) && (turnId === undefined || turn.turnId !== turnId),
  );
  const begun: ViewTurn = {
    startedAt,
    ...(turnId !== undefined && { turnId }),
    ...(by !== undefined && { by }),
  };
  return withRunning(session, [...kept, begun].slice(-RUNNING_TURNS));
}

export function removeEndedViewTurns(
  session: SessionView,
  event: EventOf<'turn_ended'>,
): SessionView {
  return withRunning(
    session,
    runningIn(session).filter((turn) => !isOver(turn, event)),
  );
}

/** The built-in agent continues after an error that it reports. */
export function removeFailedViewTurns(session: SessionView, event: EventOf<'error'>): SessionView {
  if (!isObject(event.payload.by)) return session;
  const left = runningIn(session).filter((turn) => turn.by === undefined || !isOver(turn, event));
  return withRunning(session, left);
}

export function removeAllViewTurns(session: SessionView): SessionView {
  return withRunning(session, []);
}

/** The turn that an end is about: by its id, or else by its reporter. */
export function endedTurnId(
  session: SessionView | null,
  event: EventOf<'turn_ended'>,
): string | undefined {
  if (event.turnId !== undefined || session === null) return event.turnId;
  return runningIn(session).findLast((turn) => isOver(turn, event))?.turnId;
}

function isOver(
  turn: ViewTurn,
  { turnId, payload }: EventOf<'turn_ended'> | EventOf<'error'>,
): boolean {
  if (turnId !== undefined && turn.turnId === turnId) return true;
  const fits = turnId === undefined || turn.turnId === undefined;
  return fits && isTurnOf(turn, payload.by);
}

function isTurnOf({ by: starter }: ViewTurn, by: TurnReporter): boolean {
  if (!isObject(by) || !isObject(starter)) return true;
  return starter.credential === by.credential;
}

function runningIn({ turn, otherTurns }: Turns): readonly ViewTurn[] {
  const others = Array.isArray(otherTurns) ? otherTurns.filter(isObject) : [];
  return turn === null ? others : [...others, turn];
}

function withRunning(session: SessionView, turns: readonly ViewTurn[]): SessionView {
  const { otherTurns: _others, ...rest } = session;
  const others = turns.slice(0, -1);
  const turn = turns.at(-1) ?? null;
  return { ...rest, turn, ...(others.length > 0 && { otherTurns: others }) };
}
