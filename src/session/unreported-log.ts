/**
 * The end of the log that the workspace has not confirmed, as text in memory: a report of what was just written reads
 * nothing from storage.
 *
 * It is a copy that may lack anything. What is missing here, as after a wake, the report reads.
 */
import type { LogChunk } from './ports.ts';

/** Some dozens of approvals. Of a session that writes more between two reports, one reading covers many events. */
const MAX_CHARS = 64 * 1024;

export class UnreportedLog {
  /** Each continues the one before. */
  #chunks: LogChunk[] = [];
  #chars = 0;

  add(chunk: LogChunk): void {
    this.#chunks.push(chunk);
    this.#chars += chunk.json.length;
    // What follows continues none of these, and `after` would miss the stretch between.
    if (this.#chars > MAX_CHARS) this.#keep([]);
  }

  /** The log after `seq`, and nothing before it is kept; undefined if its beginning is not here. */
  after(seq: number): LogChunk | undefined {
    this.#keep(this.#chunks.filter(({ lastSeq }) => lastSeq > seq));
    const [first] = this.#chunks;
    const last = this.#chunks.at(-1);
    if (first === undefined || last === undefined) return undefined;
    if (first.lastSeq - first.count !== seq) return undefined;
    const json = this.#chunks.map((chunk) => chunk.json).join(',');
    return { json, count: last.lastSeq - seq, lastSeq: last.lastSeq };
  }

  #keep(chunks: LogChunk[]): void {
    this.#chunks = chunks;
    this.#chars = chunks.reduce((sum, { json }) => sum + json.length, 0);
  }
}
