/**
 * The name under which the file of a session reports to the workspace.
 *
 * A file gets a random name when its session begins. It takes another one when the workspace knows more
 * of the session than the file does, or knows it by another name: then the file is an older copy, or a
 * new one, and everything is reported from the beginning under the new name.
 */
import type { AnotherLog, Report, Teller } from '../core/report.ts';
import type { KnownToWorkspace } from './outbox.ts';
import type { SessionPorts } from './ports.ts';

export class Incarnation {
  readonly #ports: SessionPorts;
  #name: string;
  /** Which one the workspace has to drop for it. */
  #replaces: string | undefined;

  constructor(name: string, ports: SessionPorts) {
    this.#name = name;
    this.#ports = ports;
  }

  /** The session has begun, and its first commit has kept the name. */
  begin(name: string): void {
    this.#name = name;
  }

  reporter(known: KnownToWorkspace): Teller {
    const replaces = this.#replaces;
    return { incarnation: this.#name, ...known, ...(replaces !== undefined && { replaces }) };
  }

  async send(report: Report): Promise<number | AnotherLog> {
    const confirmed = await this.#ports.workspace.report(report);
    if (typeof confirmed === 'number') this.#replaces = undefined;
    return confirmed;
  }

  /** Throws when the new name cannot be written. */
  startOver(known: AnotherLog): void {
    const { store, freshId, now } = this.#ports;
    const incarnation = freshId();
    const nothing = { events: [], eventsJson: '', records: [], rulesAdded: [], rulesRevoked: [] };
    store.commit({ ...nothing, now: now(), reportedSeq: 0, incarnation });
    this.#name = incarnation;
    this.#replaces = known.incarnation;
  }
}
