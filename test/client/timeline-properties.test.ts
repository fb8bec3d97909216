/**
 * Laws of the timeline over logs of real sessions, with agents that log incomplete or contradictory events. A
 * bug here looks like a card that appears or disappears after a reload.
 */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Block, Timeline, Turn } from '../../src/client/timeline/index.ts';
import {
  emptyTimeline,
  foldDelta,
  foldEvents,
  withoutPreviews,
} from '../../src/client/timeline/index.ts';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import {
  arbitraryCuts,
  arbitraryDriven,
  arbitraryImported,
  type Driven,
  pieces,
} from './client-events.ts';
import { countFor } from '../support/run-length.ts';

const RUNS = { numRuns: countFor({ quick: 50, long: 400 }) };

const whole = (log: readonly SessionEvent[]) => foldEvents(emptyTimeline(), log);

function blocksOf(turns: readonly Turn[]): Block[] {
  return turns.flatMap((turn) => turn.containers.flatMap((one) => one.blocks));
}

function callsOf(block: Block) {
  if (block.type === 'group') return block.tools.map((tool) => tool.call);
  return block.type === 'tool' ? [block.call] : [];
}

it('[TL-1, LOG-4] is the same however the log is cut, and however often it arrives', () => {
  const property = fc.property(arbitraryDriven, arbitraryCuts, ({ log }, cuts) => {
    const cut = pieces(log, cuts).reduce(foldEvents, emptyTimeline());
    expect(cut).toEqual(whole(log));
  });
  fc.assert(property, RUNS);
});

it('[TL-1, TL-8, TL-10] is the same, and shows no call twice, in any order of events', () => {
  const property = fc.property(arbitraryImported, arbitraryCuts, (log, cuts) => {
    const timeline = whole(log);
    expect(pieces(log, cuts).reduce(foldEvents, emptyTimeline())).toEqual(timeline);
    expectUniqueIds(timeline.turns);
    const blocks = blocksOf(timeline.turns);
    const ids = blocks.flatMap(callsOf).map((call) => call.toolCallId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const block of blocks) {
      const isGrouped = block.type !== 'group' || block.tools.length > 1;
      expect(isGrouped).toBe(true);
    }
  });
  fc.assert(property, { numRuns: countFor({ quick: 40, long: 300 }) });
});

it('[TL-1] is the same event by event, and folded into an older one again', () => {
  const property = fc.property(arbitraryDriven, fc.nat(), ({ log }, at) => {
    const seen: Timeline[] = [emptyTimeline()];
    for (const event of log) seen.push(foldEvents(seen.at(-1) as Timeline, [event]));
    const older = at % seen.length;
    const again = foldEvents(seen[older] as Timeline, log);
    expect(again.turns).toEqual(whole(log).turns);
    expect(seen.at(-1)?.turns).toEqual(again.turns);
    for (const [length, one] of seen.entries()) {
      expect(one.turns).toEqual(whole(log.slice(0, length)).turns);
    }
  });
  fc.assert(property, { numRuns: countFor({ quick: 10, long: 60 }) });
});

it('[TL-1] never changes a timeline that it returned', () => {
  const property = fc.property(arbitraryDriven, arbitraryCuts, ({ log }, cuts) => {
    let timeline = emptyTimeline();
    for (const piece of pieces(log, cuts)) {
      deepFreeze(timeline.turns);
      timeline = foldEvents(timeline, piece);
    }
    expect(timeline.turns).toEqual(whole(log).turns);
  });
  fc.assert(property, { numRuns: countFor({ quick: 25, long: 200 }) });
});

it('[TL-1, LOG-5] leaves no trace of streamed text', () => {
  const delta = fc.record(
    {
      turnId: fc.constantFrom('turn-1', 'turn-2', 'turn-9'),
      responseId: fc.constantFrom('r1', 'r2', 'r9'),
      text: fc.constantFrom('a', 'b'),
    },
    { requiredKeys: ['text'] },
  );
  const property = fc.property(arbitraryDriven, fc.array(delta), ({ log }, deltas) => {
    let timeline = emptyTimeline();
    for (const [n, event] of log.entries()) {
      const streamed = deltas[n];
      if (streamed !== undefined) {
        timeline = foldDelta(timeline, streamed);
        deepFreeze(timeline.turns);
        expect(blocksOf(timeline.turns)).toContainEqual(
          expect.objectContaining({ type: 'text', isStreaming: true }),
        );
        expectUniqueIds(timeline.turns);
      }
      timeline = foldEvents(timeline, [event]);
    }
    expect(withoutPreviews(timeline).turns).toEqual(whole(log).turns);
  });
  fc.assert(property, { numRuns: countFor({ quick: 25, long: 200 }) });
});

it('[TL-1] makes one event change one container at most, and leaves all others the same objects', () => {
  const manyAtOnce = new Set<string>([
    'turn_started',
    'turn_ended',
    'error',
    'context_cleared',
    'session_status',
  ]);
  const property = fc.property(arbitraryDriven, ({ log }) => {
    let before = emptyTimeline();
    for (const event of log) {
      const after = foldEvents(before, [event]);
      expect(foldEvents(after, log.slice(0, event.seq))).toBe(after);
      const turns = before.turns.filter((turn, n) => after.turns[n] !== turn);
      const containers = before.turns.flatMap((turn, n) =>
        turn.containers.filter((one, m) => after.turns[n]?.containers[m] !== one),
      );
      if (!manyAtOnce.has(event.type)) {
        expect(turns.length).toBeLessThanOrEqual(1);
        expect(containers.length).toBeLessThanOrEqual(1);
      }
      for (const { blocks } of containers) {
        const kept = blocksOf(after.turns);
        const changed = blocks.filter((block) => !kept.includes(block));
        const isOfCall = changed.every((block) => 'call' in block || block.type === 'group');
        expect(isOfCall).toBe(true);
      }
      before = after;
    }
  });
  fc.assert(property, { numRuns: countFor({ quick: 25, long: 200 }) });
});

it('[TL-2, TL-10] shows a call once, in one place, and every id once among its siblings', () => {
  const property = fc.property(arbitraryDriven, ({ log }: Driven) => {
    const { turns } = whole(log);
    const calls = blocksOf(turns).flatMap(callsOf);
    const ids = calls.map((call) => call.toolCallId);
    expect(new Set(ids).size).toBe(ids.length);
    const told = log.filter((event) => event.type === 'tool_call');
    for (const { toolCallId } of told) expect(ids).toContain(toolCallId);
    expectUniqueIds(turns);
  });
  fc.assert(property, RUNS);
});

it('[TL-5, TL-6, PEND-9] shows every interaction that was not replaced, and no settled interaction as open', () => {
  const property = fc.property(arbitraryDriven, ({ log, snapshots }: Driven) => {
    const blocks = blocksOf(whole(log).turns);
    const steps = blocks.flatMap((block) => {
      if (block.type === 'questionnaire') return [block.step];
      return block.type === 'tool' ? block.steps : [];
    });
    const replaced = new Set(
      log.flatMap((event) =>
        event.type === 'interaction_request' ? [event.payload.replaces] : [],
      ),
    );
    const asked = log.flatMap((event) =>
      event.type === 'interaction_request' && !replaced.has(event.payload.interactionId)
        ? [event.payload.interactionId]
        : [],
    );
    expect(steps.map((step) => step.interactionId).toSorted()).toEqual(asked.toSorted());
    const open = steps.filter((step) => step.status === 'open');
    const byId = (one: { interactionId: string }, other: { interactionId: string }) =>
      one.interactionId < other.interactionId ? -1 : 1;
    expect(open.toSorted(byId)).toEqual((snapshots.at(-1)?.open ?? []).toSorted(byId));
    const pending = blocks.flatMap((block) =>
      'call' in block && block.call.status === 'pending' ? [block.call.toolCallId] : [],
    );
    expect([...new Set(pending)].toSorted()).toEqual(open.map((one) => one.toolCallId).toSorted());
    for (const block of blocks) {
      if (block.type !== 'group') continue;
      expect(block.tools.length).toBeGreaterThan(1);
      for (const { steps, call } of block.tools) {
        expect([steps, call.interactiveType]).toEqual([[], undefined]);
      }
    }
  });
  fc.assert(property, RUNS);
});

it('[TL-9, TL-11] leaves nothing pending or running when the session is deleted or cleared', () => {
  const property = fc.property(arbitraryDriven, fc.boolean(), ({ log }, isDeleted) => {
    const seq = log.length + 1;
    const by = { subject: 'mia', via: 'web' };
    const last = isDeleted
      ? { seq, at: 1, type: 'session_status', payload: { status: 'deleted', by } }
      : { seq, at: 1, type: 'context_cleared', payload: { by } };
    const { turns } = foldEvents(whole(log), [last as SessionEvent]);
    for (const block of blocksOf(turns)) {
      const calls = block.type === 'questionnaire' ? [block.call] : callsOf(block);
      for (const { status } of calls) expect(['complete', 'error']).toContain(status);
      if (block.type === 'questionnaire') expect(block.step.status).toBe('settled');
      if (block.type !== 'tool') continue;
      for (const { status } of block.steps) expect(status).toBe('settled');
    }
  });
  fc.assert(property, { numRuns: countFor({ quick: 25, long: 200 }) });
});

it('[TL-1] never throws, whatever an event holds', () => {
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(null, 0, '', [], {}, 'turn-1', '__proto__', { toString: null }),
  );
  const spoil = fc.tuple(fc.nat(), fc.constantFrom('type', 'payload', 'turnId', 'in payload'), odd);
  const property = fc.property(arbitraryDriven, fc.array(spoil), ({ log }, faults) => {
    const spoiled = structuredClone(log) as unknown as Record<string, unknown>[];
    for (const [at, what, value] of faults) {
      const event = spoiled[at % spoiled.length] as Record<string, unknown>;
      if (what !== 'in payload') event[what] = value;
      else if (typeof event.payload === 'object' && event.payload !== null) {
        const payload = event.payload as Record<string, unknown>;
        const keys = Object.keys(payload);
        payload[keys[at % Math.max(1, keys.length)] ?? 'x'] = value;
      }
    }
    const events = spoiled as unknown as SessionEvent[];
    const timeline = whole(events);
    expect(timeline.head).toBe(log.length);
    expect(events.reduce((one, event) => foldEvents(one, [event]), emptyTimeline())).toEqual(
      timeline,
    );
  });
  fc.assert(property, RUNS);
});

it('[TL-1] skips a value that is no event', () => {
  const odd = fc.array(fc.jsonValue());
  fc.assert(
    fc.property(odd, (values) => {
      foldEvents(emptyTimeline(), values as unknown as SessionEvent[]);
    }),
  );
});

function expectUniqueIds(turns: readonly Turn[]): void {
  const seqs = turns.map((turn) => turn.seq);
  expect(new Set(seqs).size, `turns ${seqs.join()}`).toBe(seqs.length);
  for (const { containers } of turns) {
    expect(new Set(containers.map((one) => one.id)).size).toBe(containers.length);
    for (const { blocks } of containers) {
      expect(new Set(blocks.map((block) => block.id)).size).toBe(blocks.length);
    }
  }
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
}
