/**
 * A calm moment in the run: clients repeat requests in doubt, disconnected clients return, and the workspace receives
 * every report. Then sessions, workspace and clients must agree.
 */
import { checkStored } from './check-stored.ts';
import { checkWorkspace } from './check-workspace.ts';
import { runQuietPeriod } from './quiet-period.ts';
import { LATEST_MS } from './network.ts';
import { CRASHES } from './object-host.ts';
import type { SessionHost } from './session-host.ts';
import type { Simulation } from './simulation.ts';

/** An outbox that failed often waits up to five minutes. */
const TELLING_MS = 400_000;
/** Long enough for the alarm, a retry and two rounds of the sweep. */
const OVERDUE_MS = 600_000;

export async function calmDown(simulation: Simulation): Promise<void> {
  simulation.note(() => '  all is calm, and every client returns');
  beCalm(simulation);
  await runQuietPeriod(simulation, () => simulation.network.size === 0, LATEST_MS);
  await returnAll(simulation);
  await runQuietPeriod(simulation, () => isAllReported(simulation), TELLING_MS);
  await pokeForgotten(simulation);
  check(simulation);
  simulation.isCalm = false;
}

/** The end of a run: all deadlines pass without a client, and then all clients return. */
export async function finish(simulation: Simulation): Promise<void> {
  if (simulation.random.chance(0.5)) await calmDown(simulation);
  for (const host of simulation.hosts) {
    if (simulation.random.chance(0.4))
      await simulation.crash(host, simulation.random.pick(CRASHES));
  }
  await leaveAlone(simulation);
  await calmDown(simulation);
}

function beCalm(simulation: Simulation): void {
  simulation.isCalm = true;
  simulation.network.isCut = false;
  for (const host of simulation.hosts) host.storage.failNext = null;
  // Nothing else wakes the workspace, so its alarm must fire eventually.
  const { alarm } = simulation.workspace.host.storage;
  if (alarm.isLost) alarm.arm(simulation.now + 1);
}

/** Alarms and the sweep alone must settle everything in time and report it to the workspace. */
async function leaveAlone(simulation: Simulation): Promise<void> {
  simulation.note(() => '  no client comes any more');
  beCalm(simulation);
  const { workspace, sessions } = simulation;
  const confirmedHead = (session: SessionHost) => workspace.confirmedHeads.get(session.id) ?? 0;
  // Its alarm is lost and the workspace lacks its last report: only a client can wake it.
  const watched = sessions.filter(
    (session) =>
      !session.host.storage.alarm.isLost || confirmedHead(session) === session.ledger.confirmedHead,
  );
  await runQuietPeriod(simulation, () => simulation.network.size === 0, LATEST_MS);
  const times = sessions.flatMap((session) => [
    // A settled interaction can leave its alarm set; until then the session may sleep.
    session.host.storage.alarm.armedAt ?? 0,
    ...session.model.open.map((two) => two.deadline ?? 0),
  ]);
  const latest = Math.max(simulation.now, ...times);
  await runQuietPeriod(simulation, undefined, latest - simulation.now + OVERDUE_MS);
  simulation.now = Math.max(simulation.now, latest + OVERDUE_MS);
  for (const session of watched) {
    const { model, id } = session;
    const left = model.open.find((interaction) => interaction.isOver(simulation.now));
    simulation.judge.hold(
      left === undefined,
      'I8',
      () => `${id}: nothing ended ${left?.id} in time`,
    );
    const isReported = model.lastForInbox <= confirmedHead(session);
    simulation.judge.hold(isReported, 'I11', () => `${id}: no report covers ${model.lastForInbox}`);
  }
}

async function returnAll(simulation: Simulation): Promise<void> {
  for (const session of simulation.sessions) await simulation.act(() => void session.host.wake());
  for (const subscriber of simulation.subscribers) {
    if (subscriber.canConnect) await simulation.act(() => subscriber.connect());
  }
  await runQuietPeriod(simulation);
  for (const operation of simulation.operations.all) {
    const canReturn = operation.by === undefined || operation.by.connection !== null;
    const isAgain =
      operation.state === 'in doubt' && simulation.operations.mayRepeat(operation) && canReturn;
    if (isAgain) await simulation.act(() => simulation.operations.send(operation));
  }
  for (const waiter of simulation.waiters) {
    if (waiter.state === 'has to look') await simulation.act(() => waiter.look());
  }
}

function isAllReported({ sessions, workspace }: Simulation): boolean {
  return sessions.every(
    ({ id, ledger, model }) =>
      (workspace.confirmedHeads.get(id) ?? 0) === ledger.confirmedHead &&
      ledger.isErased === (model.deletedAt !== null),
  );
}

/** Without its alarm a session does not retry by itself; a request to the session makes it retry. */
async function pokeForgotten(simulation: Simulation): Promise<void> {
  const ignoreReply = () => undefined;
  for (const session of simulation.sessions) {
    if (session.host.storage.alarm.isLost)
      await simulation.act(() => session.poke(ignoreReply, ignoreReply));
  }
  await runQuietPeriod(simulation);
}

function check(simulation: Simulation): void {
  for (const session of simulation.sessions) checkStored(simulation, session);
  checkWorkspace(simulation);
  simulation.operations.checkEffects();
  for (const { state, name } of simulation.waiters) {
    const isThrough = state !== 'looking';
    simulation.judge.hold(isThrough, 'waiter', () => `${name} never gets an answer`);
  }
}
