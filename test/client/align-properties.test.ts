/**
 * Laws of the alignment over random histories and logs. A bug here looks like a conversation that is in another order after
 * a reload, or a card that was answered and asks again.
 */
import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { alignHistory } from '../../src/client/timeline/align.ts';
import { emptyTimeline, foldEvents, type Turn } from '../../src/client/timeline/index.ts';
import { readTranscript } from '../../src/integrations/transcripts/transcript-reader.ts';
import type { DraftEvent, SessionEvent } from '../../src/protocol/schema/event.ts';
import type { HistoryEntry } from '../../src/protocol/types.ts';
import { countFor } from '../support/run-length.ts';
import {
  arbitraryTranscript,
  AT,
  begins,
  calls,
  closes,
  ends,
  opens,
  reprompts,
  results,
  text,
} from './client-events.ts';

const fold = (events: readonly SessionEvent[]) => foldEvents(emptyTimeline(), events);

const blocksOf = (turns: readonly Turn[]) =>
  turns.flatMap(({ containers }) => containers.flatMap(({ blocks }) => blocks));

/** The interactions that are drawn, with their state. */
function cardsOf(events: readonly SessionEvent[]) {
  const steps = blocksOf(fold(events).turns).flatMap((block) => {
    if (block.type === 'questionnaire') return [block.step];
    return block.type === 'tool' ? block.steps : [];
  });
  return steps
    .map(({ interactionId, status, outcome }) => `${interactionId} ${status} ${outcome}`)
    .toSorted();
}

const callIdsOf = (events: readonly SessionEvent[]) =>
  blocksOf(fold(events).turns).flatMap((block) => {
    if (block.type === 'group') return block.tools.map(({ call }) => call.toolCallId);
    return block.type === 'tool' ? [block.call.toolCallId] : [];
  });

it('[ALN-4] is the same whatever order the events arrive in, also twice', () => {
  const property = fc.property(
    arbitraryTranscript.chain(({ log, history }) =>
      fc.record({
        log: fc.constant(log),
        history: fc.constant(history),
        arrivals: fc.shuffledSubarray([...log, ...log], { minLength: log.length * 2 }),
      }),
    ),
    ({ log, history, arrivals }) => {
      expect(alignHistory(history, arrivals)).toEqual(alignHistory(history, log));
    },
  );
  fc.assert(property, { numRuns: countFor({ quick: 60, long: 300 }) });
});

it('[ALN-2, ALN-6] loses and doubles no event of an interaction, and keeps the order within a call', () => {
  const property = fc.property(arbitraryTranscript, ({ log, history }) => {
    const aligned = alignHistory(history, log);
    expect(aligned.map(({ seq }) => seq)).toEqual(aligned.map((_, n) => n + 1));
    const byCall = (events: readonly SessionEvent[]) => {
      const lists: Record<string, string[]> = {};
      for (const { type, payload } of events) {
        if (!('interactionId' in payload)) continue;
        const [toolCallId = ''] = payload.interactionId.split('~');
        (lists[toolCallId] ??= []).push(`${type} ${payload.interactionId}`);
      }
      return lists;
    };
    expect(byCall(aligned)).toEqual(byCall(log));
    const idsOf = (type: string, events: readonly (HistoryEntry | SessionEvent)[]) =>
      events.flatMap((one) => (one.type === type && 'toolCallId' in one ? [one.toolCallId] : []));
    for (const type of ['tool_call', 'tool_result']) {
      const ids = idsOf(type, history);
      expect(idsOf(type, aligned).filter((id) => ids.includes(id))).toEqual(ids);
    }
  });
  fc.assert(property, { numRuns: countFor({ quick: 100, long: 1_500 }) });
});

it('[ALN-6] draws each interaction once, open if and only if it is open in the session', () => {
  const property = fc.property(arbitraryTranscript, ({ log, history, records }) => {
    const cards = cardsOf(alignHistory(history, log));
    expect(cards).toEqual(cardsOf(log));
    for (const card of cards) {
      const [id = '', status] = card.split(' ');
      expect(status).toBe(records.get(id)?.status);
    }
  });
  fc.assert(property, { numRuns: countFor({ quick: 100, long: 1_500 }) });
});

it('[TL-1, TL-2, TL-10] gives a list that the timeline draws by its rules', () => {
  const property = fc.property(arbitraryTranscript, fc.nat(), ({ log, history }, at) => {
    const aligned = alignHistory(history, log);
    const { turns } = fold(aligned);
    const ids = callIdsOf(aligned);
    expect(new Set(ids).size).toBe(ids.length);
    const cut = at % (aligned.length + 1);
    expect(foldEvents(fold(aligned.slice(0, cut)), aligned).turns).toEqual(turns);
  });
  fc.assert(property, { numRuns: countFor({ quick: 100, long: 1_500 }) });
});

/** Steps of one call, as the session logs them. */
const arbitrarySteps = fc.constantFrom(
  (id: string) => [...opens(id), ...closes(id, 'approved')],
  (id: string) => [...opens(id), ...reprompts(id, 2), ...closes(id, 'denied', { step: 2 })],
  (id: string) => [
    ...opens(id),
    ...closes(id, 'approved'),
    ...opens(id, { step: 2, kind: 'question' }),
    ...closes(id, 'answered', { step: 2, kind: 'question' }),
  ],
);

/** A history, and two logs of its interactions: what happened at once is in another order in each. */
const arbitraryArrivals = fc
  .array(fc.record({ steps: arbitrarySteps, isReported: fc.boolean(), hasResult: fc.boolean() }), {
    minLength: 1,
    maxLength: 6,
  })
  .chain((made) => {
    const sequences = made.map(({ steps, isReported, hasResult }, n): DraftEvent[] => {
      const id = `c${n}`;
      const report = isReported ? [calls(id)] : [];
      return [...report, ...steps(id), ...(isReported && hasResult ? [results(id)] : [])];
    });
    const order = sequences.flatMap((sequence, n) => sequence.map(() => n));
    const history = [
      begins('t'),
      ...made.map((_, n) => calls(`c${n}`, { turnId: 't', responseId: 'r' })),
      ...made.flatMap(({ hasResult }, n) => (hasResult ? [results(`c${n}`)] : [])),
      text('Done.', { turnId: 't' }),
      ends('t'),
    ].map((draft, n) => ({ ...draft, id: `line-${n}`, at: AT + 100_000 + n }) as HistoryEntry);
    const arrival = fc.shuffledSubarray(order, { minLength: order.length }).map((turns) => {
      const left = sequences.map((sequence) => [...sequence]);
      return turns.map((n, at) => {
        const draft = left[n]?.shift() as DraftEvent;
        return { ...draft, seq: at + 1, at: AT + 100_000 + at };
      });
    });
    return fc.record({ history: fc.constant(history), one: arrival, other: arrival });
  });

it('[ALN-2, ALN-4] has one order, whatever order questions, answers and reports arrived in', () => {
  const orderOf = (events: readonly SessionEvent[]) =>
    events.map(({ type, toolCallId, payload }) => [
      type,
      toolCallId,
      'interactionId' in payload && payload.interactionId,
    ]);
  const property = fc.property(arbitraryArrivals, ({ history, one, other }) => {
    const aligned = alignHistory(history, one);
    expect(orderOf(alignHistory(history, other))).toEqual(orderOf(aligned));
    expect(cardsOf(aligned)).toEqual(cardsOf(one));
    expect(fold(aligned).turns).toHaveLength(1);
  });
  fc.assert(property, { numRuns: countFor({ quick: 200, long: 1_000 }) });
});

it.each(['claude-code', 'codex'] as const)(
  '[ALN-1, ALN-3] places a question at its call in the recorded transcript of %s',
  (provider) => {
    const file = new URL(`../transcript-fixture/${provider}.jsonl`, import.meta.url);
    const { entries } = readTranscript(provider, readFileSync(file, 'utf8'));
    const call = entries.find(
      (one) => one.type === 'tool_call' && JSON.stringify(one.payload).includes('holdpoint ask'),
    );
    if (call?.type !== 'tool_call') throw new Error('No call asks');
    const at = call.at + 20;
    const correlate = {
      plugin: 'holdpoint',
      command: ['ask', 'Which database?', '--option', 'SQLite'],
    };
    const log = [
      ...opens('own', { kind: 'question' }),
      ...closes('own', 'answered', { kind: 'question' }),
    ].map(
      (draft, n) =>
        ({ ...draft, seq: n + 1, at, payload: { ...draft.payload, correlate } }) as SessionEvent,
    );
    const aligned = alignHistory(entries, log);
    const types = aligned
      .filter((event) => event.toolCallId === call.toolCallId)
      .map(({ type }) => type);
    expect(types).toEqual([
      'tool_call',
      'interaction_pending',
      'interaction_request',
      'interaction_response',
      'interaction_pending',
      'tool_result',
    ]);
    expect(cardsOf(aligned)).toEqual(['own~1 settled answered']);
  },
);
