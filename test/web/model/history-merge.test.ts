/**
 * The log over an imported history, event by event. A bug looks like a conversation that is in another order after a
 * reload, or a timeline of thousands of entries that is made anew with each word.
 */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { emptyTimeline, foldEvents } from '../../../src/client/timeline/index.ts';
import type { DraftEvent } from '../../../src/protocol/schema/event.ts';
import type { HistoryEntry, SessionEvent } from '../../../src/protocol/types.ts';
import { HistoryMerge } from '../../../src/web/model/history-merge.ts';
import {
  arbitraryTranscript,
  AT,
  begins,
  calls,
  ends,
  event,
  logOf,
  opens,
  results,
  text,
} from '../../client/client-events.ts';
import { countFor } from '../../support/run-length.ts';

/** The blocks that are drawn, without the numbers that an alignment gives. */
function drawn(events: readonly SessionEvent[]): string {
  const { turns } = foldEvents(emptyTimeline(), events);
  const blocks = turns.flatMap(({ turnId, containers }) =>
    containers.flatMap((one) => one.blocks.map((block) => ({ turnId, block }))),
  );
  return JSON.stringify(blocks, (key, value: unknown) =>
    key === 'seq' || (key === 'id' && typeof value === 'string') ? undefined : value,
  );
}

it('[ALN-2, ALN-4] draws the same live, with few alignments, as after a reload', () => {
  let alignments = 0;
  let batches = 0;
  const property = fc.property(
    arbitraryTranscript,
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: 1, max: 4 }),
    ({ log, history }, known, size) => {
      const merge = new HistoryMerge(history);
      const seen = log.slice(0, known);
      let list = merge.align(seen);
      for (let at = known; at < log.length; at += size) {
        const added = log.slice(at, at + size);
        seen.push(...added);
        batches += 1;
        if (merge.concerns(added)) {
          alignments += 1;
          list = merge.align(seen);
        } else list.push(...merge.continue(list.length, added));
      }
      expect(drawn(list)).toBe(drawn(merge.align(log)));
    },
  );
  fc.assert(property, { numRuns: countFor({ quick: 200, long: 2_000 }) });
  expect(alignments).toBeLessThan(batches);
});

const entries = [begins('t'), calls('a', { turnId: 't' }), text('Done.', { turnId: 't' })].map(
  (draft, n) => ({ ...draft, id: `line-${n}`, at: AT + n }) as HistoryEntry,
);
const later = (draft: DraftEvent) => logOf(draft).map((one) => ({ ...one, at: AT + 60_000 }));

it.each([
  ['a text that the history lacks', text('More.'), false],
  ['the start of another turn', begins('u'), false],
  ['a call that the history lacks', calls('b'), false],
  [
    'a notice',
    event('session_status', {}, { status: 'retrying', message: 'Busy' } as never),
    false,
  ],
  ['a text that the history has', text('Done.'), true],
  ['the end of a turn of the history', ends('t'), true],
  ['the result of a call of the history', results('a'), true],
  ['a request, whose call is found by its words', opens('x')[1] as DraftEvent, true],
])(
  '[ALN-4] aligns anew after what may belong further up, and only then: %s',
  (_, draft, isStale) => {
    expect(new HistoryMerge(entries).concerns(later(draft))).toBe(isStale);
  },
);

it('[ALN-4] aligns anew after an event that is older than the history', () => {
  const old = logOf(text('More.')).map((one) => ({ ...one, at: AT }));
  expect(new HistoryMerge(entries).concerns(old)).toBe(true);
});
