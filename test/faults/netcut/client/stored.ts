/**
 * The state that a client keeps on disk between two processes, in one file that is replaced as a whole: a kill between
 * two separate writes of state and cursor would leave them inconsistent.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { emptyReplica, type Replica } from '../../../../src/client/state/replica.ts';
import { emptyTimeline, type Timeline } from '../../../../src/client/timeline/index.ts';

export interface Stored {
  readonly timeline: Timeline;
  readonly replica: Replica;
  /** Every folded `seq`, in the order of folding. */
  readonly seqs: readonly number[];
}

export function readStored(file: string): Stored {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return { timeline: emptyTimeline(), replica: emptyReplica(), seqs: [] };
  }
  return deserialize(bytes) as Stored;
}

export function writeStored(file: string, stored: Stored): void {
  const fresh = `${file}.fresh`;
  writeFileSync(fresh, serialize(stored));
  renameSync(fresh, file);
}
