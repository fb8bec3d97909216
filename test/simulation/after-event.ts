/** The invariants of a session after every event of the run; the checks are cheap, because they run all the time. */
import type { SessionHost } from './session-host.ts';
import type { Simulation } from './simulation.ts';

/** The delay after which the alarm retries a failed write. */
const STUCK_MS = 2_000;
/** An alarm that is overdue by this long will not fire any more, and the session must notice when it wakes. */
const LOST_MS = 120_000;

export function checkSession(simulation: Simulation, session: SessionHost): void {
  simulation.tally.checks += 1;
  const { reportedSeq, name } = session.ledger;
  const confirmed = simulation.workspace.confirmedHeads.get(session.id) ?? 0;
  checkAlarm(simulation, session);
  checkReporting(simulation, session, confirmed);
  simulation.judge.hold(
    reportedSeq <= confirmed,
    'I11',
    () => `${name} stores ${reportedSeq} as reported; the workspace knows ${confirmed}`,
  );
  const { gate } = session.host.storage;
  const nextTimer = session.host.timers.nextAt ?? Number.POSITIVE_INFINITY;
  if (gate.isClosed || nextTimer <= simulation.now) return;
  checkWaiting(simulation, session);
  checkCaughtUp(simulation, session);
}

function checkAlarm(simulation: Simulation, { model, host, ledger }: SessionHost): void {
  const { alarm } = host.storage;
  const due = model.nextDue;
  if (due === null || ledger.isErased) return;
  const isBelieved = alarm.armedAt !== null && alarm.armedAt >= host.wokenAt - LOST_MS;
  simulation.judge.hold(
    !host.isAwake || isBelieved,
    'I8',
    () => `${ledger.name} woke at ${host.wokenAt} and relies on an alarm at ${alarm.armedAt}`,
  );
  if (alarm.isLost) return;
  const latest = Math.max(due, simulation.now + 1, host.storage.failedAt + STUCK_MS);
  simulation.judge.hold(
    alarm.armedAt !== null && alarm.armedAt <= latest,
    'I8',
    () => `${ledger.name} is due at ${due}, its alarm is set for ${alarm.armedAt}`,
  );
}

/** If the session crashes before the workspace knows its open interactions, an alarm must wake it to report. */
function checkReporting(simulation: Simulation, session: SessionHost, confirmed: number): void {
  const { alarm } = session.host.storage;
  const { lastForInbox } = session.model;
  if (lastForInbox <= confirmed || alarm.isLost || alarm.isRinging) return;
  simulation.judge.hold(
    alarm.armedAt !== null,
    'I8',
    () =>
      `${session.id} must report ${lastForInbox}, reported is ${confirmed}, and no alarm is set`,
  );
}

/** A stored outcome has been sent to every waiter. */
function checkWaiting(simulation: Simulation, { connections, model, ledger }: SessionHost): void {
  for (const { attachment, cut, isClosed } of connections) {
    if (attachment.role !== 'waiter' || cut !== null || isClosed) continue;
    const { interactionId, until } = attachment;
    const waitsFor = model.interactions.get(interactionId);
    simulation.judge.hold(
      until <= simulation.now || waitsFor?.isOpen === true,
      'waiter',
      () =>
        `in ${ledger.name} a waiter still waits for ${interactionId}: ${waitsFor?.ending?.outcome}`,
    );
  }
}

function checkCaughtUp(simulation: Simulation, session: SessionHost): void {
  for (const subscriber of simulation.subscribers) {
    const { connection } = subscriber;
    if (subscriber.session !== session || connection === null) continue;
    if (connection.cut !== null || connection.isClosed) continue;
    simulation.judge.hold(
      subscriber.cursor === session.ledger.confirmedHead,
      'I7',
      () =>
        `${subscriber.name} of ${session.id} received ${subscriber.cursor} of ${session.ledger.confirmedHead}`,
    );
  }
}
