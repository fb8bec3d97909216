/**
 * One alarm for each session and one for the workspace, over the timers of this process.
 *
 * The store keeps an alarm from the moment it is set until its work is done. If a process dies in between, the next
 * process finds the alarm and runs its work again. `ring` does the work that is due, so a second call does no harm.
 */
import type { SessionAlarm, Commit, SessionStore } from '../session/ports.ts';
import type { Clock } from './clock.ts';
import type { AlarmStore } from './storage.ts';

interface AlarmPorts {
  readonly store: AlarmStore;
  readonly clock: Clock;
  readonly ring: (name: string) => Promise<void>;
  readonly warn: (message: string, evidence: unknown) => void;
}

interface ArmedTimer {
  readonly at: number;
  readonly cancel: () => void;
}

/** Failed work is retried, but not at once: it would fail the same way. */
const ALARM_RETRY_MS = 5_000;

export class Alarms {
  readonly #ports: AlarmPorts;
  readonly #armed = new Map<string, ArmedTimer>();
  #isClosed = false;

  constructor(ports: AlarmPorts) {
    this.#ports = ports;
  }

  /** Sets the alarms of an earlier process; overdue alarms go off now. */
  resume(): void {
    for (const [name, at] of this.#ports.store.all()) this.#set(name, at);
  }

  of(name: string): SessionAlarm {
    const armedAt = () => this.#armed.get(name)?.at ?? null;
    const arm = (at: number) => this.#arm(name, at);
    return {
      get armedAt() {
        return armedAt();
      },
      arm,
    };
  }

  close(): void {
    this.#isClosed = true;
    for (const { cancel } of this.#armed.values()) cancel();
    this.#armed.clear();
  }

  #arm(name: string, at: number): void {
    if (this.#isClosed) return;
    this.#set(name, at);
    this.#note(
      `An alarm of ${name || 'the workspace'} is set, but only for this process`,
      (store) => store.put(name, at),
    );
  }

  #set(name: string, at: number): void {
    this.#armed.get(name)?.cancel();
    const cancel = this.#ports.clock.at(at, () => void this.#goOff(name));
    this.#armed.set(name, { at, cancel });
  }

  async #goOff(name: string): Promise<void> {
    const { ring, warn, clock } = this.#ports;
    this.#armed.delete(name);
    try {
      await ring(name);
    } catch (cause) {
      if (this.#isClosed) return;
      warn(`The alarm of ${name || 'the workspace'} failed and will be tried again`, cause);
      if (!this.#armed.has(name)) this.#arm(name, clock.now() + ALARM_RETRY_MS);
    }
    if (this.#isClosed || this.#armed.has(name)) return;
    this.#note(`An alarm of ${name || 'the workspace'} will go off once more`, (store) =>
      store.remove(name),
    );
  }

  #note(consequence: string, write: (store: AlarmStore) => void): void {
    try {
      write(this.#ports.store);
    } catch (cause) {
      this.#ports.warn(consequence, cause);
    }
  }
}

const LOOK_AFTER_MS = 60_000;

/**
 * Replaces `commit` of this store: the alarm that a commit needs is set before the commit, and not only afterwards.
 *
 * Alarm and session are in different files. If a process died after the commit and before the alarm, a
 * deadline would never run, or the inbox would never show an open interaction. In this order the worst
 * is an alarm that finds nothing to do. Every commit is followed by an alarm within a minute, in this
 * process or in the next one as soon as it starts.
 */
export function armBeforeCommit(store: SessionStore, alarm: SessionAlarm): void {
  const write = store.commit.bind(store);
  store.commit = (commit) => {
    const at = alarmDue(commit);
    if (alarm.armedAt === null || at < alarm.armedAt) alarm.arm(at);
    write(commit);
  };
}

function alarmDue({ records, now }: Commit): number {
  const deadlines = records
    .filter((record) => record.status === 'open')
    .flatMap(({ expiresAt, remindAt, escalateAt }) => [expiresAt, remindAt, escalateAt])
    .filter((at) => typeof at === 'number');
  return Math.max(Math.min(...deadlines, now + LOOK_AFTER_MS), now + 1);
}
