/**
 * One session: the single door through which everything that changes it must pass.
 *
 * `handle` runs to its end without waiting for anything, so commands follow one another and the
 * second sees what the first did. In this order, and never another:
 *
 * 1. what time has ended is ended and written, so nobody answers what is over;
 * 2. a repeated command gets its first result;
 * 3. `decide` says what happens, from the state and the facts;
 * 4. one transaction writes all of it: log, records, settings, idempotency;
 * 5. only then the state is taken over, and sockets, waiters, alarm and workspace hear of it.
 *
 * If the write fails, nothing has happened: the state is read back from storage and nobody is told.
 * It knows no platform; time, storage, sockets and the workspace are ports.
 */
import { isDue, nextDeadline } from '../core/deadlines.ts';
import { decide } from '../core/decide.ts';
import type { Decision, Reply } from '../core/decision.ts';
import type { Address } from '../core/evolve.ts';
import type { Facts } from '../core/facts.ts';
import type { Kinds } from '../core/kind.ts';
import { react } from '../core/react.ts';
import { type Report, reportOf } from '../core/report.ts';
import { applyAll, stamp } from '../core/stamp.ts';
import type { SessionState } from '../core/state.ts';
import type { Caller } from '../protocol/actor.ts';
import type { Command, Context } from '../protocol/command.ts';
import { type Rejection, reject } from '../protocol/error.ts';
import type { SessionEvent } from '../protocol/event.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { changesOf } from './changes.ts';
import { Hub } from './hub.ts';
import { Outbox } from './outbox.ts';
import type { Named, SessionPorts } from './ports.ts';
import { recordById, recordFor } from './records.ts';
import { taken } from './taken.ts';
import { bodyOf, viewInteraction } from './view.ts';

export interface Done {
  readonly ok: true;
  readonly reply: Reply;
  readonly body: ReturnType<typeof bodyOf>;
  readonly replayed: boolean;
  /** Whether the sender may only hear of it once the workspace has; a repeat cannot know better. */
  readonly tellFirst: boolean;
}
export type Handled = Done | Rejection;

interface Sender {
  readonly remember?: Named | undefined;
  /** The agent whose opening this is; shown a settled record, it has its outcome. */
  readonly opener?: Caller | undefined;
}

/** Who acts when nobody does: the clock. */
const CLOCK: Context = {
  caller: { credential: 'system', subject: 'system', via: 'timeout', scopes: ['admin'] },
  timeouts: {},
};

/** An alarm this far in the past will not fire any more, whatever the platform says of it. */
const ALARM_LOST_AFTER_MS = 120_000;

/**
 * A session that died before it told the workspace is woken after so long, if nothing else would: or
 * the inbox would go on showing what was settled, and hiding what has no deadline.
 */
const TELL_BY_MS = 60_000;

/** The log is told in stretches of this many events at most. */
const TELL_FIT = { maxEvents: 1_000, maxBytes: 4 * 1024 * 1024 };

/** An alarm that failed and is armed for at once would do nothing but fail. */
const STUCK_MS = 2_000;

export class Session {
  readonly hub: Hub;
  readonly outbox: Outbox;
  readonly kinds: Kinds;
  readonly ports: SessionPorts;
  readonly #address: Address;
  #state: SessionState | null;
  /** Interactions changed, and the workspace has not heard of it. */
  #mustTell = false;
  /** The alarm is at work: it tells the workspace last, and is run again if it dies before. */
  #isWaking = false;
  /** Before this, an expiry that could not be written is not tried again by the alarm. */
  #stuckUntil = 0;

  constructor(address: Address, kinds: Kinds, ports: SessionPorts) {
    this.#address = address;
    this.kinds = kinds;
    this.ports = ports;
    const stored = ports.store.load();
    this.#state = stored === null ? null : stateFrom(stored);
    this.hub = new Hub(ports);
    this.outbox = new Outbox(stored?.told ?? 0, {
      ...ports,
      report: (told) => this.#report(told),
      tell: (report) => ports.workspace.tell(report),
      drained: () => this.#toldAll(),
      failed: () => this.arm(),
    });
    this.arm();
    if ((this.#state?.head ?? 0) > this.outbox.told) this.outbox.soon();
  }

  /** The state as it is now: what time has ended is over for a reader too. */
  current(): SessionState | null {
    this.runDue();
    return this.#state;
  }

  handle(command: Command, context: Context): Handled {
    const { store } = this.ports;
    const stuck = this.runDue();
    if (stuck !== undefined) return stuck;
    const now = this.ports.now();
    const { idempotency, caller } = context;
    const opener = command.type === 'interaction.open' ? caller : undefined;
    const key = idempotency && `${caller.credential}|${command.type}|${idempotency.key}`;
    if (key !== undefined && this.#state !== null) {
      const remembered = store.recall(key, now);
      if (remembered !== undefined && remembered.bodyHash === idempotency?.bodyHash) {
        return this.#done(remembered.reply, { replayed: true, tellFirst: true, opener });
      }
      if (remembered !== undefined) {
        return reject(
          'idempotency_key_reused',
          'This Idempotency-Key was used for another request',
        );
      }
    }
    const record = this.#state === null ? undefined : recordFor(store, this.#state.open, command);
    const decided = decide(this.#state, command, this.#facts(now, context, record));
    if (!decided.ok) return decided;
    const remember = key &&
      idempotency && { key, bodyHash: idempotency.bodyHash, reply: decided.reply };
    return this.#commit(decided, now, { remember: remember || undefined, opener });
  }

  /**
   * Ends what is over; does nothing when nothing is. If that cannot be written, the refusal is what
   * everybody gets: going on would let an answer win that came after its deadline.
   */
  runDue(): Rejection | undefined {
    const now = this.ports.now();
    if (this.#state === null || !isDue(this.#state, now)) return undefined;
    const decided = decide(this.#state, { type: 'deadlines.run' }, this.#facts(now, CLOCK));
    const ended = decided.ok ? this.#commit(decided, now) : decided;
    this.#stuckUntil = ended.ok ? 0 : now + STUCK_MS;
    return ended.ok ? undefined : ended;
  }

  #facts(now: number, { caller, timeouts }: Context, record?: Interaction): Facts {
    return {
      now,
      freshId: this.ports.freshId(),
      caller,
      timeouts,
      kinds: this.kinds,
      address: this.#address,
      ...(record !== undefined && { record }),
    };
  }

  /** The one alarm covers the earliest of everything that must happen by itself. */
  arm(): void {
    const { alarm, now } = this.ports;
    const deadline = nextDeadline(this.#state);
    const dueAt = deadline === null ? null : Math.max(deadline, this.#stuckUntil);
    const { armedAt } = alarm;
    const times = [dueAt, this.outbox.retryAt].filter((at) => at !== null);
    const isUnwatched = times.length === 0 && armedAt === null;
    if (isUnwatched && this.#mustTell && !this.#isWaking) times.push(now() + TELL_BY_MS);
    if (times.length === 0) return;
    const next = Math.max(Math.min(...times), now() + 1);
    const isLost = armedAt === null || armedAt < now() - ALARM_LOST_AFTER_MS;
    if (isLost || next < armedAt) alarm.arm(next);
  }

  /** Resolves when the workspace knows all that is written here, or cannot be told now. */
  async told(): Promise<void> {
    await this.outbox.upTo(this.#state?.head ?? 0);
  }

  /** The alarm went off. */
  async wake(): Promise<void> {
    this.#isWaking = true;
    try {
      await this.poke();
    } finally {
      this.#isWaking = false;
    }
    this.arm();
  }

  /**
   * Does what is due and tells what is untold, also for whoever is not the alarm and so will not come
   * again. A workspace that never answers must not keep the next deadline from being covered.
   */
  async poke(): Promise<void> {
    this.runDue();
    const telling = this.outbox.now();
    this.arm();
    await telling;
    this.arm();
  }

  #commit(decision: Decision, now: number, { remember, opener }: Sender = {}): Handled {
    const before = this.#state;
    const events = stamp(before?.head ?? 0, decision.events, now);
    const after = applyAll(before, events, this.#address);
    if (events.length === 0 || after === null) {
      const unwritten = remember && this.#remember(remember, now);
      if (unwritten !== undefined) return unwritten;
      return this.#done(decision.reply, { replayed: false, tellFirst: true, opener });
    }
    const changes = changesOf(before, after, events);
    const eventsJson = JSON.stringify(events).slice(1, -1);
    const records = changes.records.map((record) =>
      record.status === 'settled' && this.hub.agentListens(record)
        ? { ...record, takenAt: now }
        : record,
    );
    try {
      this.ports.store.commit({
        ...changes,
        records,
        now,
        events,
        eventsJson,
        told: this.outbox.told,
        ...(remember !== undefined && { remember }),
      });
    } catch (cause) {
      this.ports.warn('A commit failed; the session goes on from what is stored', cause);
      this.#readBack();
      return UNWRITTEN;
    }
    this.#state = after;
    this.hub.publish({ json: eventsJson, count: events.length, lastSeq: after.head });
    this.#release(records);
    const effects = react(events);
    const tellFirst = effects.some((one) => one.type === 'workspace.tell' && one.when === 'now');
    if (effects.some((one) => one.type === 'session.erase')) {
      this.hub.closeAll(reject('session_deleted', 'This session was deleted'), 4404);
    }
    this.#mustTell ||= records.length > 0;
    this.outbox.soon();
    this.arm();
    return this.#done(decision.reply, { replayed: false, tellFirst }, records);
  }

  /** A repeated "cancel everything" that found nothing must not cancel what was opened since. */
  #remember(result: Named, now: number): Rejection | undefined {
    if (this.#state === null) return undefined;
    try {
      this.ports.store.remember(result, now);
      return undefined;
    } catch (cause) {
      this.ports.warn('The result of a command could not be kept under its key', cause);
      return UNWRITTEN;
    }
  }

  /** If reading fails as well, the state in memory is still the one from before the command. */
  #readBack(): void {
    try {
      const stored = this.ports.store.load();
      this.#state = stored === null ? null : stateFrom(stored);
    } catch (cause) {
      this.ports.warn('A session could not be read back from storage', cause);
    }
  }

  #release(records: readonly Interaction[]): void {
    for (const record of records) {
      if (record.status !== 'settled') continue;
      this.hub.release(viewInteraction(this.kinds, record, () => false));
    }
  }

  #done(
    reply: Reply,
    { opener, ...how }: Pick<Done, 'replayed' | 'tellFirst'> & Pick<Sender, 'opener'>,
    written: readonly Interaction[] = [],
  ): Handled {
    const state = this.#state;
    if (state === null) return reject('not_found', 'There is no such session');
    const { store, now } = this.ports;
    const body = bodyOf(reply, state, (id) => {
      const inHand = written.find((one) => one.interactionId === id);
      const record = inHand ?? recordById(store, state.open, id);
      const shown = record && opener ? taken(store, record, opener, now()) : record;
      return shown && viewInteraction(this.kinds, shown, (one) => this.hub.agentListens(one));
    });
    return { ok: true, reply, body, ...how };
  }

  #report(told: number): Report | undefined {
    const state = this.#state;
    if (state === null || told >= state.head) return undefined;
    const chunk = this.ports.store.readLog(told, TELL_FIT);
    if (chunk === undefined) return undefined;
    const events = JSON.parse(`[${chunk.json}]`) as SessionEvent[];
    return { ...reportOf(state, told, events), head: chunk.lastSeq };
  }

  /** A deleted session goes only after everyone who should know of it does. */
  #toldAll(): void {
    this.#mustTell = false;
    const state = this.#state;
    if (state === null || state.info.deletedAt === null || state.head === 0) return;
    this.ports.store.erase(state.info);
    this.#state = { ...state, head: 0, rules: [] };
  }
}

const UNWRITTEN = reject(
  'write_failed',
  'This could not be written, and nothing changed. Try again.',
);

function stateFrom(stored: NonNullable<ReturnType<SessionPorts['store']['load']>>): SessionState {
  return {
    info: stored.info,
    head: stored.head,
    rules: stored.rules,
    open: new Map(stored.open.map((one) => [one.interactionId, one])),
  };
}
