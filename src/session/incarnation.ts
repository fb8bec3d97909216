/**
 * The name under which the file of a session reports to the workspace.
 *
 * A file gets a random name with the first commit. It takes another one when the workspace knows more of the session
 * than the file holds, or knows the session by another name: the file is then an older copy, or a new one, and the
 * session reports everything from the beginning under the new name.
 */
import type { LogConflict, Report, ReportSource } from '../core/report.ts';
import type { KnownToWorkspace } from './outbox.ts';
import type { SessionPorts } from './ports.ts';

export class Incarnation {
  readonly #ports: SessionPorts;
  #name: string;
  /** The name that the workspace must drop in favor of this one. */
  #replaces: string | undefined;

  constructor(name: string, ports: SessionPorts) {
    this.#name = name;
    this.#ports = ports;
  }

  /** Takes the name that the first commit has stored. */
  begin(name: string): void {
    this.#name = name;
  }

  reporter(known: KnownToWorkspace): ReportSource {
    const replaces = this.#replaces;
    return { incarnation: this.#name, ...known, ...(replaces !== undefined && { replaces }) };
  }

  async send(report: Report): Promise<number | LogConflict> {
    const confirmed = await this.#ports.workspace.report(report);
    if (typeof confirmed === 'number') this.#replaces = undefined;
    return confirmed;
  }

  /** Throws if the new name cannot be written. */
  startOver(known: LogConflict): void {
    const { store, freshId, now } = this.#ports;
    const incarnation = freshId();
    const nothing = { events: [], eventsJson: '', records: [], rulesAdded: [], rulesRevoked: [] };
    store.commit({ ...nothing, now: now(), reportedSeq: 0, incarnation });
    this.#name = incarnation;
    this.#replaces = known.incarnation;
  }
}
