/**
 * The events of a session that are loaded, from the end of its log back to where the person has read.
 *
 * A session opens with its last events, whatever its length. Earlier ones come in pages, each next to the ones that are
 * there: the loaded events never have a gap.
 */
import type { Transport } from '../../client/transport.ts';
import { startOfLog } from '../../client/transport.ts';
import { PAGE_MAX } from '../../protocol/limits.ts';
import type { SessionEvent } from '../../protocol/types.ts';
import type { Sought } from '../model/rows.ts';

/** Some windows full; more than a conversation of a day has. */
export const TAIL_EVENTS = 200;

export class LoadedEvents {
  readonly #source: Pick<Transport, 'events'>;
  readonly #sessionId: string;
  readonly #requests = new Set<string>();
  #events: SessionEvent[] = [];
  /** The events up to this `seq` are not loaded. Undefined before the first welcome. */
  #start: number | undefined;
  #loading: Promise<void> | undefined;

  constructor(source: Pick<Transport, 'events'>, sessionId: string) {
    this.#source = source;
    this.#sessionId = sessionId;
  }

  get events(): readonly SessionEvent[] {
    return this.#events;
  }

  get start(): number {
    return this.#start ?? 0;
  }

  /** The cursor of the first events that will arrive; later welcomes change nothing. */
  begin(head: number): number {
    this.#start ??= startOfLog(-TAIL_EVENTS, head);
    return this.#start;
  }

  add(events: readonly SessionEvent[]): void {
    this.#events.push(...events);
    this.#note(events);
  }

  /** Whether a link can lead there; also where nothing earlier is left to be searched. */
  holds(sought: Sought): boolean {
    if (this.start === 0) return true;
    return 'seq' in sought ? !(sought.seq <= this.start) : this.#requests.has(sought.interactionId);
  }

  /** A second call while one page is loading waits for that page. */
  loadPage(size = TAIL_EVENTS): Promise<void> {
    this.#loading ??= this.#load(size).finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async loadUntil(sought: Sought): Promise<void> {
    while (!this.holds(sought)) await this.loadPage(PAGE_MAX);
  }

  async loadAll(): Promise<void> {
    while (this.start > 0) await this.loadPage(PAGE_MAX);
  }

  async #load(size: number): Promise<void> {
    const end = this.start;
    const from = Math.max(0, end - size);
    const older: SessionEvent[] = [];
    // A page of large events ends early.
    while (from + older.length < end) {
      const after = from + older.length;
      const page = await this.#source.events(this.#sessionId, { after, limit: end - after });
      if (page.events[0]?.seq !== after + 1) throw new Error(`No event follows ${after}`);
      older.push(...page.events);
    }
    this.#events = [...older, ...this.#events];
    this.#note(older);
    this.#start = from;
  }

  #note(events: readonly SessionEvent[]): void {
    for (const { type, payload } of events) {
      if (type === 'interaction_request') this.#requests.add(payload.interactionId);
    }
  }
}
