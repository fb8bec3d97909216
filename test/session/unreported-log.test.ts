/** A bug would look like a report with a gap, or one that repeats what the workspace has confirmed. */
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import { UnreportedLog, type WrittenEvents } from '../../src/session/unreported-log.ts';

/** The events of one commit, from the first to the last number. */
function commit(first: number, last: number, chars = 100): WrittenEvents {
  const events = Array.from(
    { length: last - first + 1 },
    (_, n): SessionEvent => ({
      seq: first + n,
      at: 0,
      type: 'assistant_text',
      payload: { text: '' },
    }),
  );
  return { events, chars };
}

function logOf(...commits: WrittenEvents[]): UnreportedLog {
  const log = new UnreportedLog();
  for (const one of commits) log.add(one);
  return log;
}

const seqsAfter = (log: UnreportedLog, seq: number) => log.after(seq)?.map((event) => event.seq);

describe('the end of the log that is not reported', () => {
  it('[OUT-2] joins what was written one after another', () => {
    expect(seqsAfter(logOf(commit(4, 5), commit(6, 6)), 3)).toEqual([4, 5, 6]);
  });

  it('[OUT-2] goes on from what the workspace has confirmed', () => {
    const log = logOf(commit(1, 2));
    log.after(0);
    log.add(commit(3, 4));
    expect(seqsAfter(log, 2)).toEqual([3, 4]);
    expect(log.after(4)).toBeUndefined();
  });

  it.each([
    ['begins later than the cursor, as after a wake', 1],
    ['has the cursor in the middle of a row', 4],
  ])('[OUT-2] leaves to storage what %s', (_what, seq) => {
    const log = logOf(commit(4, 5), commit(6, 6));
    expect(log.after(seq)).toBeUndefined();
  });

  it('[OUT-2] keeps no gap behind a row that is too large to keep', () => {
    const log = logOf(commit(1, 1), commit(2, 2, 70_000), commit(3, 3));
    expect(log.after(0)).toBeUndefined();
    expect(log.after(1)).toBeUndefined();
    expect(seqsAfter(log, 2)).toEqual([3]);
  });
});
