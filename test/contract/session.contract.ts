/**
 * A session over any storage: the same commands leave the same log, and the rows agree with the log. A bug would look
 * like a session that differs after an eviction.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionState } from '../../src/core/state.ts';
import type { Interaction } from '../../src/protocol/schema/interaction.ts';
import type { Rule } from '../../src/protocol/schema/rule.ts';
import { arbitrarySteps, takeStep } from '../support/arbitrary-steps.ts';
import { answer, append, askApproval, askForm, askQuestion, sendMessage } from '../support/asks.ts';
import { CoreWorld, MINUTE } from '../support/core-world.ts';
import { countFor } from '../support/run-length.ts';
import { foldIntoRecords } from '../support/fold-log.ts';
import { type SessionStorage, SessionWorld } from '../support/session-world.ts';
import type { WithStorage } from './session-store.contract.ts';

interface Shape {
  readonly info: SessionState['info'];
  readonly head: number;
  readonly open: readonly Interaction[];
  readonly rules: readonly Rule[];
}

function shapeOf(state: SessionState | null): Shape | null {
  if (state === null) return null;
  return sorted({ ...state, open: [...state.open.values()] });
}

function stored(storage: SessionStorage): Shape | null {
  const session = storage.open().load();
  if (session === null) return null;
  const { reportedSeq: _, ...rest } = session;
  return sorted(rest);
}

/** Neither the order of open ones nor that of rules means anything. */
function sorted({ info, head, open, rules }: Shape): Shape {
  return {
    info,
    head,
    open: open.toSorted((a, b) => (a.interactionId < b.interactionId ? -1 : 1)),
    rules: rules.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

/** Every record as the log makes it; the time of its delivery is not in the log. */
function expectRecordsOfLog(world: SessionWorld): void {
  const records = new Map<string, Interaction>();
  for (const event of world.log()) foldIntoRecords(records, event);
  for (const [id, record] of records) {
    const { deliveredAt: _, ...row } = world.record(id);
    expect(row).toEqual(record);
  }
}

/** Create, open, answer, reprompt, expire, append, clear, delete. */
const STORY: readonly ((world: SessionWorld) => void)[] = [
  (world) => world.must({ type: 'session.create', title: 'Story', metadata: { team: 'a' } }),
  (world) => world.must(askQuestion()),
  (world) => world.must(answer('call-1~1', { answers: { '0': 'Red' } })),
  (world) => world.must(askApproval({ toolCallId: 'call-2' }, { offers: ['once', 'session'] })),
  (world) => world.must(askApproval({ toolCallId: 'call-2', errorSummary: 'Again' })),
  (world) => world.must(sendMessage('Kept for later')),
  (world) => {
    world.now += 10 * MINUTE;
    world.session.current();
  },
  (world) => world.must(append({ type: 'turn_started', turnId: 'turn-1', payload: {} })),
  (world) => world.must(askForm({ toolCallId: 'call-3', turnId: 'turn-1' })),
  (world) => world.must({ type: 'session.clear' }),
  (world) => world.must(askQuestion({ toolCallId: 'call-4' })),
  (world) => world.must({ type: 'session.delete' }),
];

const PENDING = 'interaction_pending';
const LOG_OF_STORY = [
  ['session_started'],
  [PENDING, 'interaction_request'],
  ['interaction_response', PENDING],
  [PENDING, 'interaction_request'],
  ['interaction_response', PENDING, 'interaction_request'],
  ['session_updated'],
  ['interaction_response', PENDING, 'session_updated', 'user_message'],
  ['turn_started'],
  [PENDING, 'interaction_request'],
  ['interaction_response', PENDING, 'turn_ended', 'context_cleared'],
  [PENDING, 'interaction_request'],
  ['interaction_response', PENDING, 'session_status'],
];
const OUTCOMES_OF_STORY = [
  ['call-1~1', 'answered'],
  ['call-2~1', 'superseded'],
  ['call-2~2', 'expired'],
  ['call-3~1', 'cancelled'],
  ['call-4~1', 'cancelled'],
];

export function sessionContract(
  withStorage: WithStorage,
  { runs = countFor({ quick: 12, long: 300 }) } = {},
): void {
  describe('a session', () => {
    it('[LOG-2, LOG-4] leaves the log of its story, and wakes as what it was at every step', () =>
      withStorage(async (storage) => {
        const world = new SessionWorld(storage);
        for (const [index, step] of STORY.entries()) {
          step(world);
          const log = world.log();
          const expected = LOG_OF_STORY.slice(0, index + 1).flat();
          expect(log.map((event) => event.type)).toEqual(expected);
          expect(log.map((event) => event.seq)).toEqual(log.map((_, at) => at + 1));
          const state = shapeOf(world.state);
          expect(stored(storage)).toEqual(state);
          expect(shapeOf(world.folded())).toEqual(state);
          expectRecordsOfLog(world);
          world.restart();
          expect(shapeOf(world.state)).toEqual(state);
        }
        const outcomes = OUTCOMES_OF_STORY.map(([id]) => [id, world.record(id ?? '').outcome]);
        expect(outcomes).toEqual(OUTCOMES_OF_STORY);

        await world.session.waitForReport();
        expect(world.workspace).toMatchObject({ head: LOG_OF_STORY.flat().length });
        expect(world.workspace.open.size).toBe(0);
        expect(world.log()).toEqual([]);
        expect(stored(storage)).toMatchObject({ head: 0, info: { deletedAt: world.now } });
      }));

    it('[LOG-4, INT-6] loads from its rows what folding its log gives, whatever was asked', async () => {
      const property = fc.asyncProperty(arbitrarySteps, (steps) =>
        Promise.resolve(withStorage((storage) => expectOneStory(storage, steps))),
      );
      await fc.assert(property, { numRuns: runs });
    }, 120_000);
  });
}

/** The same steps in the core alone, beside: the session adds nothing and loses nothing. */
function expectOneStory(
  storage: SessionStorage,
  steps: readonly Parameters<typeof takeStep>[1][],
): void {
  const core = new CoreWorld();
  const world = new SessionWorld(storage);
  core.run({ type: 'session.create' });
  world.must({ type: 'session.create' });
  for (const [index, step] of steps.entries()) {
    const { command, caller } = takeStep(core, step);
    world.now = core.now;
    if (command.type === 'deadlines.run') {
      core.runDeadlines();
      world.session.current();
    } else {
      const decided = core.run(command, { caller });
      const handled = world.handle(command, { caller });
      expect(handled.ok ? handled.reply : handled).toEqual(decided.ok ? decided.reply : decided);
    }
    const state = shapeOf(world.state);
    expect(state).toEqual(shapeOf(core.state));
    expect(stored(storage)).toEqual(state);
    expect(shapeOf(world.folded())).toEqual(state);
    if (index % 3 === 0) world.restart();
  }
  expect(world.log()).toEqual(core.log);
  expectRecordsOfLog(world);
}
