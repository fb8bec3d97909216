/**
 * The end of the log that the workspace has not confirmed, as it was written: a report of it reads and parses nothing.
 *
 * It is a copy that may lack anything. What is missing here, as after a wake, the report reads from storage.
 */
import type { SessionEvent } from '../protocol/schema/event.ts';

/** The events of one commit. */
export interface WrittenEvents {
  readonly events: readonly SessionEvent[];
  /** The length of their text. */
  readonly chars: number;
}

/** Some dozens of approvals. Of a session that writes more between two reports, one reading covers many events. */
const MAX_CHARS = 64 * 1024;

export class UnreportedLog {
  /** Each continues the one before. */
  #commits: WrittenEvents[] = [];
  #chars = 0;

  add(written: WrittenEvents): void {
    this.#commits.push(written);
    this.#chars += written.chars;
    // What follows continues none of these, and `after` would miss the stretch between.
    if (this.#chars > MAX_CHARS) this.#keep([]);
  }

  /** The log after `seq`, and nothing before it is kept; undefined if its beginning is not here. */
  after(seq: number): readonly SessionEvent[] | undefined {
    this.#keep(this.#commits.filter(({ events }) => (events.at(-1)?.seq ?? 0) > seq));
    const events = this.#commits.flatMap((commit) => commit.events);
    return events[0]?.seq === seq + 1 ? events : undefined;
  }

  #keep(commits: WrittenEvents[]): void {
    this.#commits = commits;
    this.#chars = commits.reduce((sum, { chars }) => sum + chars, 0);
  }
}
