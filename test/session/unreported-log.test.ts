/** A bug would look like a report with a gap, or one that repeats what the workspace has confirmed. */
import { describe, expect, it } from 'vitest';
import { UnreportedLog } from '../../src/session/unreported-log.ts';

/** Events from the first to the last number, each of so many characters. */
function chunk(first: number, last: number, chars = 1) {
  const events = Array.from({ length: last - first + 1 }, (_, n) => `${first + n}`.padEnd(chars));
  return { json: events.join(','), count: events.length, lastSeq: last };
}

function logOf(...chunks: ReturnType<typeof chunk>[]): UnreportedLog {
  const log = new UnreportedLog();
  for (const one of chunks) log.add(one);
  return log;
}

describe('the end of the log that is not reported', () => {
  it('[OUT-2] joins what was written one after another', () => {
    const log = logOf(chunk(4, 5), chunk(6, 6));
    expect(log.after(3)).toEqual({ json: '4,5,6', count: 3, lastSeq: 6 });
  });

  it('[OUT-2] goes on from what the workspace has confirmed', () => {
    const log = logOf(chunk(1, 2));
    log.after(0);
    log.add(chunk(3, 4));
    expect(log.after(2)).toEqual({ json: '3,4', count: 2, lastSeq: 4 });
    expect(log.after(4)).toBeUndefined();
  });

  it.each([
    ['begins later than the cursor, as after a wake', 1],
    ['has the cursor in the middle of a row', 4],
  ])('[OUT-2] leaves to storage what %s', (_what, seq) => {
    const log = logOf(chunk(4, 5), chunk(6, 6));
    expect(log.after(seq)).toBeUndefined();
  });

  it('[OUT-2] keeps no gap behind a row that is too large to keep', () => {
    const log = logOf(chunk(1, 1), chunk(2, 2, 70_000), chunk(3, 3));
    expect(log.after(0)).toBeUndefined();
    expect(log.after(1)).toBeUndefined();
    expect(log.after(2)).toEqual({ json: '3', count: 1, lastSeq: 3 });
  });
});
