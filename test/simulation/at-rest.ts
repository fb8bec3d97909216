/**
 * A calm moment in the run: everybody who was in doubt asks again, everybody who was away returns,
 * the workspace hears everything. Then all of it must fit together.
 */
import { checkStored } from './check-stored.ts';
import { checkWorkspace } from './check-workspace.ts';
import { lull } from './quiet-period.ts';
import { LATEST_MS } from './network.ts';
import { CRASHES } from './object-host.ts';
import type { SessionHost } from './session-host.ts';
import type { World } from './world.ts';

/** An outbox that failed often waits up to five minutes. */
const TELLING_MS = 400_000;
/** Alarm, retry and two rounds of the sweep have had their turn by then. */
const OVERDUE_MS = 600_000;

export async function calmDown(world: World): Promise<void> {
  world.say(() => '  all is calm, and everybody returns');
  beCalm(world);
  await lull(world, () => world.network.size === 0, LATEST_MS);
  await returnAll(world);
  await lull(world, () => isTold(world), TELLING_MS);
  await pokeForgotten(world);
  check(world);
  world.isCalm = false;
}

/** The end of a run: all deadlines pass while nobody looks, and then everybody does. */
export async function finish(world: World): Promise<void> {
  if (world.random.chance(0.5)) await calmDown(world);
  for (const host of world.hosts) {
    if (world.random.chance(0.4)) await world.crash(host, world.random.pick(CRASHES));
  }
  await leaveAlone(world);
  await calmDown(world);
}

function beCalm(world: World): void {
  world.isCalm = true;
  world.network.isCut = false;
  for (const host of world.hosts) host.storage.failNext = null;
  // Nobody watches over the workspace, so its alarm must come in the end.
  const { alarm } = world.workspace.host.storage;
  if (alarm.isLost) alarm.arm(world.now + 1);
}

/** Alarms and the sweep alone see to it that all ends in time and the workspace hears of it. */
async function leaveAlone(world: World): Promise<void> {
  world.say(() => '  nobody comes any more');
  beCalm(world);
  const { workspace, sessions } = world;
  const heard = (session: SessionHost) => workspace.confirmedHeads.get(session.id) ?? 0;
  // Its alarm is lost and nobody knows what it has: only a visitor can wake it.
  const watched = sessions.filter(
    (one) => !one.host.storage.alarm.isLost || heard(one) === one.ledger.confirmedHead,
  );
  await lull(world, () => world.network.size === 0, LATEST_MS);
  const times = sessions.flatMap((one) => [
    // One that is settled can leave the alarm where it was; until then the session may sleep.
    one.host.storage.alarm.armedAt ?? 0,
    ...one.model.open.map((two) => two.deadline ?? 0),
  ]);
  const latest = Math.max(world.now, ...times);
  await lull(world, undefined, latest - world.now + OVERDUE_MS);
  world.now = Math.max(world.now, latest + OVERDUE_MS);
  for (const session of watched) {
    const { model, id } = session;
    const left = model.open.find((one) => one.isOver(world.now));
    world.judge.hold(left === undefined, 'I8', () => `${id}: nobody ended ${left?.id} in time`);
    const isTold = model.lastForInbox <= heard(session);
    world.judge.hold(isTold, 'I11', () => `${id}: nobody tells of ${model.lastForInbox}`);
  }
}

async function returnAll(world: World): Promise<void> {
  for (const session of world.sessions) await world.act(() => void session.host.wake());
  for (const one of world.subscribers) {
    if (one.canConnect) await world.act(() => one.connect());
  }
  await lull(world);
  for (const one of world.operations.all) {
    const canReturn = one.by === undefined || one.by.connection !== null;
    const isAgain = one.state === 'in doubt' && world.operations.mayRepeat(one) && canReturn;
    if (isAgain) await world.act(() => world.operations.send(one));
  }
  for (const one of world.waiters) {
    if (one.state === 'has to look') await world.act(() => one.look());
  }
}

function isTold({ sessions, workspace }: World): boolean {
  return sessions.every(
    ({ id, ledger, model }) =>
      (workspace.confirmedHeads.get(id) ?? 0) === ledger.confirmedHead &&
      ledger.isErased === (model.deletedAt !== null),
  );
}

/** Without its alarm a session does not try again by itself; whoever visits it makes it. */
async function pokeForgotten(world: World): Promise<void> {
  const nobody = () => undefined;
  for (const session of world.sessions) {
    if (session.host.storage.alarm.isLost) await world.act(() => session.poke(nobody, nobody));
  }
  await lull(world);
}

function check(world: World): void {
  for (const session of world.sessions) checkStored(world, session);
  checkWorkspace(world);
  world.operations.checkEffects();
  for (const { state, name } of world.waiters) {
    const isThrough = state !== 'looking';
    world.judge.hold(isThrough, 'waiter', () => `${name} never gets an answer`);
  }
}
