/** Runs one trial: a turn, its kills, and its recovery. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { attempt } from '../../support/attempt.ts';
import { TEST_BINDINGS } from '../../support/server-credentials.ts';
import { type SocketProbe, openSocketProbe } from './socket-probe.ts';
import type { TrialWorker } from './trial-worker.ts';
import { Person } from './person.ts';
import { PLAN_FILE, SCENES, settingsFor } from './scenes.ts';
import type { Trial } from './trial.ts';

/** A turn takes one second, and five more if it waits for its alarm. */
const PATIENCE_MS = 25_000;
const LOOK_MS = 20;
/** The lease of a turn is five seconds; the rest allows for a busy machine. */
const ALONE_MS = 12_000;
/** What is found may be more than anybody was patient for. */
const LAST_LOOK_MS = 10_000;

export interface Played {
  /** From the last restart to the end of the turn. */
  readonly tookMs: number;
  readonly file: string | undefined;
}

export async function playTrial(worker: TrialWorker, trial: Trial): Promise<Played> {
  worker.trial = trial;
  const { scene } = trial.boundary;
  await createSession(worker, trial);
  const probe = await openSocketProbe(worker, trial);
  const person = new Person(worker, trial, PATIENCE_MS);
  const over = new AbortController();
  const life = live(person, trial, probe, over.signal);
  const restartedAt = await killAll(worker, trial, person, life);
  probe.close();
  await life;
  over.abort();
  const looker = new Person(worker, trial, LAST_LOOK_MS);
  trial.events = await looker.log();
  if (!isOver(trial.events, trial)) trial.problem('HANGS', shortLog(trial.events));
  const file = scene === 'work' ? await looker.file(PLAN_FILE) : undefined;
  return { tookMs: Date.now() - restartedAt, file };
}

async function killAll(worker: TrialWorker, trial: Trial, person: Person, life: Promise<void>) {
  let restartedAt = Date.now();
  while (!trial.areAllKillsDone) {
    const how = await Promise.race([trial.fired.then(() => 'killed'), life.then(() => 'over')]);
    if (how === 'over') {
      // A tool call whose answer arrived in time does not run again, so there is no second kill.
      if (!trial.isSprung) break;
      // The kill came too late for this turn, and must not hit the next one.
      await trial.fired;
      trial.wasOver = trial.kills === 1;
    }
    // The request that triggers the kill may have arrived in this millisecond.
    if (trial.isAlone) person.keepsAwaySince = Date.now() + 1;
    await worker.restart(trial.boundary.downMs);
    restartedAt = Date.now();
    trial.armAgain();
    if (trial.isAlone && !(await shows(worker, trial, person.keepsAwaySince))) {
      trial.lastRequestAt = Date.now();
      const events = await person.log();
      if (!waitsForClient(events)) trial.problem('ALONE', shortLog(events));
    }
  }
  if (!trial.isHit)
    trial.problem('NOT HIT', shortLog(await new Person(worker, trial, LAST_LOOK_MS).log()));
  return restartedAt;
}

/**
 * Waits without a request to the session, until its model or a tool receives a request from it or the inbox lists its
 * question. A question is possible at any boundary, because a late kill leaves a tool call that may have run.
 */
async function shows(worker: TrialWorker, trial: Trial, since: number): Promise<boolean> {
  const token = TEST_BINDINGS.HOLDPOINT_ADMIN_KEY;
  const until = Date.now() + ALONE_MS;
  while (trial.lastRequestAt < since && Date.now() < until) {
    const path = '/v1/inbox?limit=1000';
    const got = await attempt(worker.url, { method: 'GET', path, token });
    const shown = got.type === 'answered' ? (got.body.interactions ?? []) : [];
    if (shown.some(({ sessionId }) => sessionId === trial.session))
      trial.lastRequestAt = Date.now();
    await sleep(LOOK_MS);
  }
  return trial.lastRequestAt >= since;
}

/** So late was the kill: whoever runs the client tool finds it by looking. */
function waitsForClient(events: readonly SessionEvent[]): boolean {
  const done = events.filter(({ type }) => type === 'tool_result').map((event) => event.toolCallId);
  return events.some(
    (event) =>
      event.type === 'tool_call' &&
      event.payload.runBy === 'client' &&
      !done.includes(event.toolCallId),
  );
}

/** The actions of people from the first message to the end of the turn. */
async function live(
  person: Person,
  trial: Trial,
  probe: SocketProbe,
  signal: AbortSignal,
): Promise<void> {
  const { scene } = trial.boundary;
  await person.send(`Play the scene ${scene}.`);
  const { compaction, meanwhile } = SCENES[scene];
  if (meanwhile?.when === 'talking') {
    await probe.firstDelta;
    await person.interrupt();
  } else if (meanwhile?.when === 'asking') await probe.firstRequest;
  if (meanwhile !== undefined) await person.send(meanwhile.text, 'second');
  let hasRestored = false;
  while (!signal.aborted && !person.isPastDeadline) {
    const events = await person.log();
    if (isOver(events, trial)) return;
    if (!hasRestored && compaction !== undefined && events.some(isEnd)) {
      hasRestored = true;
      await person.restore(events.find(isSummary)?.seq ?? 0);
      await person.send(compaction.afterUndo, 'second');
    }
    await person.tend(events);
    await sleep(LOOK_MS);
  }
}

function isEnd({ type }: SessionEvent): boolean {
  return type === 'turn_ended';
}

function isSummary({ type }: SessionEvent): boolean {
  return type === 'conversation_compacted';
}

function isOver(events: readonly SessionEvent[], trial: Trial): boolean {
  const ends = events.filter(isEnd).length;
  return ends >= SCENES[trial.boundary.scene].ends.length || events.some(isFailure);
}

function isFailure(event: SessionEvent): boolean {
  return event.type === 'turn_ended' && event.payload.reason === 'error';
}

async function createSession(worker: TrialWorker, trial: Trial): Promise<void> {
  const agent = settingsFor(trial.id, `${worker.services.url}/tools`) as JsonObject;
  const { timeouts } = SCENES[trial.boundary.scene];
  const settings = { permissionMode: trial.mode, agent, ...(timeouts && { timeouts }) };
  const body: JsonObject = { id: trial.session, ...settings };
  const token = TEST_BINDINGS.HOLDPOINT_ADMIN_KEY;
  const made = await attempt(worker.url, { method: 'POST', path: '/v1/sessions', token, body });
  if (made.type !== 'answered' || made.status !== 201) {
    throw new Error(`The session could not be created: ${JSON.stringify(made)}`);
  }
}

function shortLog(events: readonly SessionEvent[]): string {
  return events.map(({ type, toolCallId = '' }) => `${type} ${toolCallId}`.trim()).join(', ');
}
