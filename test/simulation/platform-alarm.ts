/**
 * The one alarm of an object, as the platform keeps it: stored with the rows, remembered in memory,
 * and now and then lost. `armedAt` is what the object believes; `storedAt` is what survives it.
 *
 * A lost alarm is either gone, or stays where it is and never goes off; both were seen.
 */
import type { SessionAlarm } from '../../src/session/ports.ts';

export class PlatformAlarm implements SessionAlarm {
  armedAt: number | null = null;
  storedAt: number | null = null;
  isLost = false;
  /** What is stored is lost; one that is set anew counts only once that is confirmed. */
  #isStoredLost = false;
  /** Its handler is not through; if the object dies now, it goes off again. */
  isRinging = false;
  readonly #wrote: () => void;

  constructor(wrote: () => void) {
    this.#wrote = wrote;
  }

  arm(at: number): void {
    this.armedAt = at;
    this.isLost = false;
    this.#wrote();
  }

  /** When it goes off by itself; the one that is stored counts once the object is out of memory. */
  get dueAt(): number | null {
    return this.isLost ? null : this.armedAt;
  }

  /** It goes off, and stays stored until its handler is through: a crash in between repeats it. */
  rings(now: number): void {
    this.storedAt ??= now;
    this.armedAt = null;
    this.isRinging = true;
  }

  rang(): void {
    this.isRinging = false;
    this.#wrote();
  }

  lose(how: 'gone' | 'stuck'): void {
    this.isLost = true;
    this.#isStoredLost = true;
    if (how === 'gone') this.storedAt = null;
  }

  confirm(): void {
    if (this.isLost) return;
    this.#isStoredLost = false;
    if (!this.isRinging || this.armedAt !== null) this.storedAt = this.armedAt;
  }

  /** A new life of the object begins with what is stored. */
  reset(): void {
    this.armedAt = this.storedAt;
    this.isLost = this.#isStoredLost;
    this.isRinging = false;
  }
}
