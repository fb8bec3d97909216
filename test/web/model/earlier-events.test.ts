/**
 * A session from its end back. A bug would look like a conversation with a hole in it, or like one that shows other cards
 * once its beginning is loaded.
 */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { emptyTimeline, foldEvents } from '../../../src/client/timeline/index.ts';
import type { SessionEvent } from '../../../src/protocol/types.ts';
import { LoadedEvents, TAIL_EVENTS } from '../../../src/web/session/earlier-events.ts';
import { arbitraryDriven } from '../../client/client-events.ts';
import { countFor } from '../../support/run-length.ts';

/** A server whose pages have at most so many events, whatever is asked for. */
function serving(log: readonly SessionEvent[], most = 1_000) {
  const asked: { after: number; limit: number }[] = [];
  const events = async (_id: string, page: { after: number; limit?: number }) => {
    const { after, limit = 100 } = page;
    asked.push({ after, limit });
    const found = log.filter(({ seq }) => seq > after).slice(0, Math.min(limit, most));
    return { events: found, head: log.length, more: after + found.length < log.length };
  };
  return { asked, source: { events } };
}

function notes(count: number): SessionEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    seq: index + 1,
    at: 1,
    type: 'assistant_text',
    payload: { text: `Note ${index}` },
  }));
}

function opened(log: readonly SessionEvent[], most?: number) {
  const { asked, source } = serving(log, most);
  const loaded = new LoadedEvents(source, 'demo');
  loaded.add(log.slice(loaded.begin(log.length)));
  return { asked, loaded };
}

it('[UI-10, TL-1] the end and earlier pages of any size give the timeline of the whole log', async () => {
  const property = fc.asyncProperty(
    arbitraryDriven,
    fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
    fc.integer({ min: 1, max: 30 }),
    async ({ log }, sizes, most) => {
      const { source } = serving(log, most);
      const loaded = new LoadedEvents(source, 'demo');
      // The tail is longer than these logs: it begins as if the log had been this much longer.
      loaded.begin(TAIL_EVENTS + Math.floor(log.length / 2));
      loaded.add(log.slice(loaded.start));
      for (let at = 0; loaded.start > 0; at += 1) await loaded.loadPage(sizes[at % sizes.length]);
      expect(loaded.events).toEqual(log);
      expect(foldEvents(emptyTimeline(), loaded.events)).toEqual(foldEvents(emptyTimeline(), log));
    },
  );
  await fc.assert(property, { numRuns: countFor({ quick: 60, long: 400 }) });
});

it('[UI-10] a session of any length opens with its last events', () => {
  for (const length of [201, 5_000]) {
    const { asked, loaded } = opened(notes(length));
    expect(loaded.events).toHaveLength(TAIL_EVENTS);
    expect(loaded.start).toBe(length - TAIL_EVENTS);
    expect(asked).toEqual([]);
  }
  expect(opened(notes(30)).loaded.start).toBe(0);
});

it('[UI-10] a link to an event far back loads what is between, and no more', async () => {
  const { asked, loaded } = opened(notes(5_000));
  expect(loaded.holds({ seq: 2_900 })).toBe(false);
  await loaded.loadUntil({ seq: 2_900 });
  expect(loaded.holds({ seq: 2_900 })).toBe(true);
  expect(asked.map(({ after }) => after)).toEqual([3_800, 2_800]);
});

it('[UI-10] a link to a request is searched back to where it was asked, and one to none to the beginning', async () => {
  const log = notes(3_000);
  const request = { ...log[500], type: 'interaction_request', payload: { interactionId: 'a~1' } };
  log[500] = request as unknown as SessionEvent;
  const { loaded } = opened(log);
  await loaded.loadUntil({ interactionId: 'a~1' });
  expect(loaded.holds({ interactionId: 'a~1' })).toBe(true);
  await loaded.loadUntil({ interactionId: 'none~1' });
  expect(loaded.start).toBe(0);
  expect(loaded.events).toEqual(log);
});

it('[UI-10] two calls at once load one page, and a failed one is tried again', async () => {
  const { asked, loaded } = opened(notes(1_000));
  await Promise.all([loaded.loadPage(), loaded.loadPage()]);
  expect(asked).toEqual([{ after: 600, limit: 200 }]);
  const events = () => Promise.reject(new Error('No network'));
  const failing = new LoadedEvents({ events }, 'demo');
  failing.begin(1_000);
  await expect(failing.loadPage()).rejects.toThrow('No network');
  await expect(failing.loadPage()).rejects.toThrow('No network');
  expect(failing.start).toBe(800);
});

it('[UI-10] a page that does not continue the loaded events is refused', async () => {
  const events = async () => ({ events: notes(3), head: 900, more: true });
  const loaded = new LoadedEvents({ events }, 'demo');
  loaded.begin(900);
  await expect(loaded.loadPage()).rejects.toThrow('No event follows 500');
  expect(loaded.events).toEqual([]);
});
