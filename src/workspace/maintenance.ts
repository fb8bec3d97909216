/**
 * Work on the alarm of a workspace: the sweep, revocations that must be pushed again, announcements that targets have not
 * confirmed, the removal of expired rows, and the deletion of old sessions.
 *
 * All of it is read from rows, so nothing is lost with this object; the fields only space the runs. The one alarm is
 * set for the earliest of them, and is moved only to an earlier time: moving it is a write of its own. `alarm` never
 * throws, because the platform silently drops an alarm that failed six times. It arms last, for the work that is left
 * and for the work that failed.
 */
import { pushRevocation } from './entry-keys.ts';
import { NO_DEADLINE } from './inbox.ts';
import type { WorkspacePorts } from './ports.ts';
import type { AppliedReport } from './session-index.ts';
import type { Watcher } from './store.ts';
import { SessionRetention } from './retention.ts';
import type { TargetOutbox } from './target-outbox.ts';

/** A revocation must be in force within a minute, and the rest of a run should not wait long. */
const RETRY_AFTER_MS = 10_000;
/**
 * The first alarm after a session was created. Most interactions of the built-in agent expire after ten minutes, so an
 * interaction that opens before this alarm does not have to move it.
 */
const FIRST_ALARM_MS = 600_000;

/**
 * Rows of the outbox that are still there after so long belong to a target that was out of reach, or to a crash, or are
 * confirmed and only waste space. A nearer alarm would be moved by nearly every report.
 */
const OUTBOX_AFTER_MS = 60_000;

/** Expired tokens do no harm; an alarm for each of them would cost a write. */
const REMOVE_EXPIRED_EVERY_MS = 3_600_000;
/** Each removal is a write, and all of them are one transaction. */
const MAX_TOKENS_REMOVED = 1_000;

export class Maintenance {
  readonly #ports: WorkspacePorts;
  readonly #outbox: Pick<TargetOutbox, 'hasRows' | 'flush'>;
  /** No sweep before this time: the last sweep poked every overdue session. */
  #sweepFrom: number;
  /** No alarm before this time for the sake of an expired token alone. */
  #removeExpiredFrom: number;
  readonly #retention: SessionRetention;
  /** When to push revocations again; null when every session has confirmed. */
  #pushAt: number | null;

  constructor(ports: WorkspacePorts, outbox: Pick<TargetOutbox, 'hasRows' | 'flush'>) {
    this.#ports = ports;
    this.#outbox = outbox;
    // After a wake, the alarm alone shows when the next run was due. Without it, every wake, such as a read of the
    // inbox, would call the sessions that are out of reach.
    this.#sweepFrom = this.#armedTimeWithin(SWEEP_GRACE_MS);
    this.#removeExpiredFrom = this.#armedTimeWithin(REMOVE_EXPIRED_EVERY_MS);
    this.#retention = new SessionRetention(ports, (ms) => this.#armedTimeWithin(ms));
    this.#pushAt =
      ports.store.revocations.unconfirmed(1).length > 0
        ? this.#armedTimeWithin(RETRY_AFTER_MS)
        : null;
    this.arm();
  }

  /** A report adds a session, a deadline or announcements, and what needs no earlier alarm costs no look at the rows. */
  armAfterReport({
    isNew,
    earliestDue,
    isAnnounced,
  }: Pick<AppliedReport, 'isNew' | 'earliestDue'> & { readonly isAnnounced: boolean }): void {
    const { armedAt } = this.#ports.alarm;
    const needed = earliestDue === undefined ? [] : [earliestDue + SWEEP_GRACE_MS];
    const isEarlier = needed.some((at) => armedAt === null || at < armedAt);
    if (isEarlier || isAnnounced || (isNew && armedAt === null) || this.#isLost(armedAt))
      this.arm(isNew ? 'new-session' : undefined);
  }

  /** Called on wake, and at the end of the alarm. */
  arm(why?: 'new-session'): void {
    const { alarm, store, now } = this.#ports;
    const earliest = store.inbox.earliestDue();
    const expiry = store.tokens.earliestExpiry();
    const times = [
      this.#pushAt,
      earliest === null || earliest >= NO_DEADLINE
        ? null
        : Math.max(earliest + SWEEP_GRACE_MS, this.#sweepFrom),
      expiry === null ? null : Math.max(expiry, this.#removeExpiredFrom),
      this.#outbox.hasRows ? now() + OUTBOX_AFTER_MS : null,
      this.#retention.dueAt,
      why === 'new-session' && alarm.armedAt === null ? now() + FIRST_ALARM_MS : null,
    ].filter((at) => at !== null);
    if (times.length > 0) this.#armBy(Math.min(...times));
  }

  /** Pushes new revocations to sessions; the alarm tries again for sessions that are out of reach. */
  async pushRevocations(): Promise<void> {
    const { store, now } = this.#ports;
    if (store.revocations.unconfirmed(1).length === 0) return;
    // Before the first call: a crash during the call must find the alarm set.
    this.#pushAt = now() + RETRY_AFTER_MS;
    this.arm();
    await this.#attempt('Pushing revocations to sessions', () => this.#push());
  }

  /** The settings have changed. */
  restartRetention(): void {
    this.#retention.restart();
    this.arm();
  }

  /** A target was out of reach. */
  retryHandover(): void {
    this.#armBy(this.#ports.now() + RETRY_AFTER_MS);
  }

  async alarm(): Promise<void> {
    await this.#attempt('Removing expired rows', () => this.#removeExpired());
    await this.#attempt('Pushing revocations to sessions', () => this.#push());
    await this.#attempt('The sweep', () => this.#sweep());
    await this.#attempt('Deleting old sessions', () => this.#retention.run());
    await this.#attempt('Handing over announcements', async () => {
      if (!(await this.#outbox.flush())) this.retryHandover();
    });
    await this.#attempt('Arming the alarm', () => this.arm());
  }

  /** A failure does not affect the other work, and is tried again soon. */
  async #attempt(what: string, work: () => void | Promise<void>): Promise<void> {
    const { now, warn } = this.#ports;
    try {
      await work();
    } catch (cause) {
      warn(`${what} failed and is tried again`, cause);
      this.#armBy(now() + RETRY_AFTER_MS);
    }
  }

  async #push(): Promise<void> {
    const { store, now } = this.#ports;
    this.#pushAt = now() + RETRY_AFTER_MS;
    await pushRevocations(this.#ports);
    if (store.revocations.unconfirmed(1).length === 0) this.#pushAt = null;
  }

  #removeExpired(): void {
    const { store, now } = this.#ports;
    const removed = store.write(() => {
      store.revocations.removeExpired(now());
      return store.tokens.removeExpired(now(), MAX_TOKENS_REMOVED);
    });
    this.#removeExpiredFrom =
      now() + (removed < MAX_TOKENS_REMOVED ? REMOVE_EXPIRED_EVERY_MS : RETRY_AFTER_MS);
  }

  async #sweep(): Promise<void> {
    const { now } = this.#ports;
    if (now() < this.#sweepFrom) return;
    // Before the first poke: reports that arrive during the sweep must not start another one.
    this.#sweepFrom = now() + SWEEP_GRACE_MS;
    const result = await sweepFor(this.#ports, SWEEP_RUN_MS);
    if (result === 'nothing') this.#sweepFrom = now();
    if (result === 'some') this.#sweepFrom = now() + SWEEP_PAUSE_MS;
    if (result === 'failing') this.#sweepFrom = now() + RETRY_AFTER_MS;
  }

  /** The time of the alarm if it is set for the next `withinMs`, and otherwise now. */
  #armedTimeWithin(withinMs: number): number {
    const { armedAt } = this.#ports.alarm;
    const now = this.#ports.now();
    return armedAt !== null && armedAt > now && armedAt <= now + withinMs ? armedAt : now;
  }

  #armBy(at: number): void {
    const { alarm } = this.#ports;
    const { armedAt } = alarm;
    const now = this.#ports.now();
    // An alarm that is set to the present time may keep its old time: https://github.com/cloudflare/workerd/issues/6866
    const next = Math.max(at, now + 1);
    if (armedAt === null || next < armedAt || this.#isLost(armedAt)) alarm.arm(next);
  }

  /** An alarm that is minutes overdue was lost: https://github.com/cloudflare/workerd/issues/3138 */
  #isLost(armedAt: number | null): boolean {
    return armedAt !== null && armedAt <= this.#ports.now() - SWEEP_GRACE_MS;
  }
}

/** The platform limits the concurrent calls of one object. */
const MAX_CALLS_AT_ONCE = 50;

async function pushRevocations(
  ports: Pick<WorkspacePorts, 'store' | 'sessions' | 'workspaces' | 'warn'>,
): Promise<void> {
  const { store, warn } = ports;
  let after: Watcher | undefined;
  for (;;) {
    const page = store.revocations.unconfirmed(MAX_CALLS_AT_ONCE, after);
    after = page.at(-1);
    if (after === undefined) return;
    const failures = await attemptAll(page, (watcher) => pushRevocation(ports, watcher));
    const failed = new Set(failures.map((failure) => failure.target));
    store.write(() => {
      for (const watcher of page)
        if (!failed.has(watcher)) store.revocations.removeWatcher(watcher);
    });
    const [first] = failures;
    if (first !== undefined) {
      const who = `${failures.length} sessions, ${first.target.sessionId} among them`;
      warn(`A revocation did not reach ${who}; it is tried again`, first.cause);
    }
  }
}

/** Long enough for the session's own alarm, its retry and its report. */
export const SWEEP_GRACE_MS = 120_000;

/** In one round; its end is stored, and a restart goes on from there. */
const MAX_SESSIONS = 50;
/** One session can have 64 open interactions; reading stops well before 64 rows for each session. */
const MAX_ROWS = 1_000;
/** Each is read from disk and writes twice; what others ask comes between. */
const POKES_AT_ONCE = 8;
/** The other work of the alarm waits for a run of the sweep: a revocation must be in force within a minute. */
const SWEEP_RUN_MS = 5_000;
const SWEEP_PAUSE_MS = 1_000;

/**
 * Nothing was overdue; every overdue session was poked; some are left; most of those poked last failed, and more calls
 * would burden a platform that is failing already.
 */
type SweepResult = 'nothing' | 'all' | 'some' | 'failing';

/** Rounds without a pause, as long as they help: after a crash thousands of alarms can be lost. */
async function sweepFor(
  ports: Pick<WorkspacePorts, 'store' | 'sessions' | 'now' | 'warn'>,
  ms: number,
): Promise<SweepResult> {
  const until = ports.now() + ms;
  let result = await sweep(ports);
  while (result === 'some' && ports.now() < until) {
    const next = await sweep(ports);
    result = next === 'nothing' ? 'all' : next;
  }
  return result;
}

/**
 * The sweep finds sessions that missed a deadline. Sessions keep their own deadlines; the sweep covers a lost alarm.
 *
 * An interaction that is open two minutes after its deadline means that its session slept through the deadline. The
 * workspace pokes the session, which then settles overdue interactions and reports. The position of a sweep is stored,
 * and the next sweep continues from there: sessions that fail every time must not keep later sessions from their turn.
 */
async function sweep(
  ports: Pick<WorkspacePorts, 'store' | 'sessions' | 'now' | 'warn'>,
): Promise<SweepResult> {
  const { sessions, warn } = ports;
  const { chosen, isCut } = chooseSessions(ports);
  if (chosen.length === 0) return 'nothing';
  const failures = await attemptAll(chosen, (sessionId) => sessions.poke(sessionId), POKES_AT_ONCE);
  const [first] = failures;
  if (first !== undefined) {
    const count = `${failures.length} of ${chosen.length} overdue sessions`;
    warn(`${count} could not be poked, ${first.target} among them; tried again later`, first.cause);
  }
  if (!isCut) return 'all';
  return failures.length * 2 > chosen.length ? 'failing' : 'some';
}

function chooseSessions({ store, now }: Pick<WorkspacePorts, 'store' | 'now'>) {
  const dueBy = now() - SWEEP_GRACE_MS;
  const from = store.inbox.sweptTo();
  let rows = store.inbox.overdue(dueBy, MAX_ROWS, from);
  if (rows.length === 0 && from !== undefined) rows = store.inbox.overdue(dueBy, MAX_ROWS);
  const chosen = new Set<string>();
  let last = from;
  let isCut = rows.length === MAX_ROWS;
  for (const row of rows) {
    if (chosen.size === MAX_SESSIONS && !chosen.has(row.sessionId)) {
      isCut = true;
      break;
    }
    chosen.add(row.sessionId);
    last = row;
  }
  const to = isCut ? last : undefined;
  if (to !== from) store.write(() => store.inbox.saveSweptTo(to));
  return { chosen: [...chosen], isCut };
}

interface FailedCall<Target> {
  readonly target: Target;
  readonly cause: unknown;
}

/** Calls up to `atOnce` sessions at the same time. A failed call does not stop the other calls. */
async function attemptAll<Target>(
  targets: readonly Target[],
  attempt: (target: Target) => Promise<void>,
  atOnce = targets.length,
): Promise<FailedCall<Target>[]> {
  const failures: FailedCall<Target>[] = [];
  const left = targets.values();
  const callNext = async () => {
    for (const target of left) {
      try {
        await attempt(target);
      } catch (cause) {
        failures.push({ target, cause });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, targets.length) }, callNext));
  return failures;
}
