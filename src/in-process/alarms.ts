/**
 * One alarm for each session and one for the workspace, over the timers of this process.
 *
 * The book stores an alarm when it is set, and removes it only after its work is done. If a process dies
 * in between, the next one finds the alarm and runs it again. `ring` does the work that is due, so a
 * second call does no harm.
 */
import type { SessionAlarm } from '../session/ports.ts';
import type { Clock } from './clock.ts';
import type { AlarmBook } from './storage.ts';

export interface AlarmPorts {
  readonly book: AlarmBook;
  readonly clock: Clock;
  readonly ring: (name: string) => Promise<void>;
  readonly warn: (message: string, evidence: unknown) => void;
}

interface ArmedTimer {
  readonly at: number;
  readonly cancel: () => void;
}

/** Failed work is retried, but not at once: it would fail the same way. */
const RETRY_MS = 5_000;

export class Alarms {
  readonly #ports: AlarmPorts;
  readonly #armed = new Map<string, ArmedTimer>();
  #isClosed = false;

  constructor(ports: AlarmPorts) {
    this.#ports = ports;
  }

  /** Sets the alarms of an earlier process; overdue alarms go off now. */
  resume(): void {
    for (const [name, at] of this.#ports.book.all()) this.#set(name, at);
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
    for (const { cancel: takeBack } of this.#armed.values()) takeBack();
    this.#armed.clear();
  }

  #arm(name: string, at: number): void {
    if (this.#isClosed) return;
    this.#set(name, at);
    this.#note(`An alarm of ${name || 'the workspace'} is set, but only for this process`, (book) =>
      book.put(name, at),
    );
  }

  #set(name: string, at: number): void {
    this.#armed.get(name)?.cancel();
    const takeBack = this.#ports.clock.at(at, () => void this.#goOff(name));
    this.#armed.set(name, { at, cancel: takeBack });
  }

  async #goOff(name: string): Promise<void> {
    const { ring, warn, clock } = this.#ports;
    this.#armed.delete(name);
    try {
      await ring(name);
    } catch (cause) {
      if (this.#isClosed) return;
      warn(`The alarm of ${name || 'the workspace'} failed and will be tried again`, cause);
      if (!this.#armed.has(name)) this.#arm(name, clock.now() + RETRY_MS);
    }
    if (this.#isClosed || this.#armed.has(name)) return;
    this.#note(`An alarm of ${name || 'the workspace'} will go off once more`, (book) =>
      book.remove(name),
    );
  }

  #note(consequence: string, write: (book: AlarmBook) => void): void {
    try {
      write(this.#ports.book);
    } catch (cause) {
      this.#ports.warn(consequence, cause);
    }
  }
}
