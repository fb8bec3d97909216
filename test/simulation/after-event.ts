/** What must hold in a session after whatever happened; cheap, because it is asked all the time. */
import type { SessionHost } from './session-host.ts';
import type { World } from './world.ts';

/** A write that failed is tried again by the alarm after so long. */
const STUCK_MS = 2_000;
/** An alarm that should have gone off so long ago will not any more; whoever wakes must see that. */
const LOST_MS = 120_000;

export function checkSession(world: World, session: SessionHost): void {
  world.tally.checks += 1;
  const { told, name } = session.ledger;
  const confirmed = world.workspace.confirmedHeads.get(session.id) ?? 0;
  checkAlarm(world, session);
  checkTelling(world, session, confirmed);
  world.judge.hold(
    told <= confirmed,
    'I11',
    () => `${name} has it stored that ${told} was told; the workspace knows ${confirmed}`,
  );
  const { gate } = session.host.storage;
  const nextTimer = session.host.timers.nextAt ?? Number.POSITIVE_INFINITY;
  if (gate.isClosed || nextTimer <= world.now) return;
  checkWaiting(world, session);
  checkCaughtUp(world, session);
}

function checkAlarm(world: World, { model, host, ledger }: SessionHost): void {
  const { alarm } = host.storage;
  const due = model.nextDue;
  if (due === null || ledger.isErased) return;
  const isBelieved = alarm.armedAt !== null && alarm.armedAt >= host.wokenAt - LOST_MS;
  world.judge.hold(
    !host.isAwake || isBelieved,
    'I8',
    () => `${ledger.name} woke at ${host.wokenAt} and relies on an alarm at ${alarm.armedAt}`,
  );
  if (alarm.isLost) return;
  const latest = Math.max(due, world.now + 1, host.storage.failedAt + STUCK_MS);
  world.judge.hold(
    alarm.armedAt !== null && alarm.armedAt <= latest,
    'I8',
    () => `${ledger.name} is due at ${due}, its alarm is set for ${alarm.armedAt}`,
  );
}

/** If it dies before the workspace knows what is open in it, something must wake it to tell. */
function checkTelling(world: World, session: SessionHost, confirmed: number): void {
  const { alarm } = session.host.storage;
  const { lastForInbox } = session.model;
  if (lastForInbox <= confirmed || alarm.isLost || alarm.isRinging) return;
  world.judge.hold(
    alarm.armedAt !== null,
    'I8',
    () => `${session.id} has ${lastForInbox} to tell, heard is ${confirmed}, and no alarm is set`,
  );
}

/** An outcome that is in storage has been sent to everybody who waits for it. */
function checkWaiting(world: World, { connections, model, ledger }: SessionHost): void {
  for (const { attachment, cut, isClosed } of connections) {
    if (attachment.role !== 'waiter' || cut !== null || isClosed) continue;
    const { interactionId, until } = attachment;
    const waitsFor = model.interactions.get(interactionId);
    world.judge.hold(
      until <= world.now || waitsFor?.isOpen === true,
      'waiter',
      () => `in ${ledger.name} somebody waits for ${interactionId}: ${waitsFor?.ending?.outcome}`,
    );
  }
}

function checkCaughtUp(world: World, session: SessionHost): void {
  for (const one of world.subscribers) {
    const { connection } = one;
    if (one.session !== session || connection === null) continue;
    if (connection.cut !== null || connection.isClosed) continue;
    world.judge.hold(
      one.cursor === session.ledger.confirmedHead,
      'I7',
      () => `${one.name} of ${session.id} heard ${one.cursor} of ${session.ledger.confirmedHead}`,
    );
  }
}
