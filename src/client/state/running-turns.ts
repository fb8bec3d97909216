/**
 * Which turns run, folded from events the same way as the server does: the one that began last is shown, those of
 * other agents stand behind it. What it leaves to the replica: everything that an end means for calls and requests.
 */
import { isObject } from '../timeline/guards.ts';
import type { EventOf, SessionView } from '../../protocol/types.ts';

type Turns = Pick<SessionView, 'turn' | 'otherTurns'>;
type Turn = NonNullable<SessionView['turn']>;
type Reporter = Turn['by'];

/** As many as the server keeps of agents that never ended theirs. */
const MOST = 16;

export function startTurn(session: SessionView, event: EventOf<'turn_started'>): SessionView {
  const { turnId, at: startedAt, payload } = event;
  const by = isObject(payload.by) ? payload.by : undefined;
  const kept = runningIn(session).filter(
    (turn) => !isOwn(turn, by) && (turnId === undefined || turn.turnId !== turnId),
  );
  const begun: Turn = {
    startedAt,
    ...(turnId !== undefined && { turnId }),
    ...(by !== undefined && { by }),
  };
  return withRunning(session, [...kept, begun].slice(-MOST));
}

export function endTurns(session: SessionView, event: EventOf<'turn_ended'>): SessionView {
  return withRunning(
    session,
    runningIn(session).filter((turn) => !isOver(turn, event)),
  );
}

/** The built-in agent goes on after an error that it reports. */
export function endFailedTurns(session: SessionView, event: EventOf<'error'>): SessionView {
  if (!isObject(event.payload.by)) return session;
  const left = runningIn(session).filter((turn) => turn.by === undefined || !isOver(turn, event));
  return withRunning(session, left);
}

export function endAllTurns(session: SessionView): SessionView {
  return withRunning(session, []);
}

/** The turn that an end is about, by its name or else by whose it is. */
export function endedTurnId(
  session: SessionView | null,
  event: EventOf<'turn_ended'>,
): string | undefined {
  if (event.turnId !== undefined || session === null) return event.turnId;
  return runningIn(session).findLast((turn) => isOver(turn, event))?.turnId;
}

function isOver(
  turn: Turn,
  { turnId, payload }: EventOf<'turn_ended'> | EventOf<'error'>,
): boolean {
  if (turnId !== undefined && turn.turnId === turnId) return true;
  const fits = turnId === undefined || turn.turnId === undefined;
  return fits && isOwn(turn, payload.by);
}

function isOwn({ by: starter }: Turn, by: Reporter): boolean {
  if (!isObject(by) || !isObject(starter)) return true;
  return starter.credential === by.credential;
}

function runningIn({ turn, otherTurns }: Turns): readonly Turn[] {
  const others = Array.isArray(otherTurns) ? otherTurns.filter(isObject) : [];
  return turn === null ? others : [...others, turn];
}

function withRunning(session: SessionView, turns: readonly Turn[]): SessionView {
  const { otherTurns: _others, ...rest } = session;
  const others = turns.slice(0, -1);
  const turn = turns.at(-1) ?? null;
  return { ...rest, turn, ...(others.length > 0 && { otherTurns: others }) };
}
