/**
 * Thousands of turns in random order: every behavior of a model, people, tools, crashes, a clock, and a disk that
 * sometimes fails. After each, the API would accept the conversation, no tool ran without permission or twice
 * unnoticed, and no turn waits for nothing.
 */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { AgentStage, agentStep } from '../support/agent-stage.ts';
import { countFor } from '../support/run-length.ts';

/** `AGENT_RUNS=10000` plays more; a failing seed becomes a named test. */
const RUNS = Number(process.env['AGENT_RUNS'] ?? countFor({ quick: 25, long: 300 }));
/** From so many turns on, the log must show every way in which a turn ends. */
const ENDINGS_RUNS = 300;

it('[RUN-1, RUN-2, RUN-3, RUN-4, RUN-5, RUN-6, PLN-6, COMPACT-2] holds whatever happens in a turn', async () => {
  const seen = new Map<string, number>();
  const property = fc.asyncProperty(
    fc.array(agentStep, { minLength: 5, maxLength: 40, size: 'max' }),
    async (steps) => {
      const stage = new AgentStage();
      await stage.takeStep({ do: 'say' });
      stage.check();
      for (const one of steps) {
        await stage.takeStep(one);
        stage.check();
      }
      // A summary comes once in twenty runs, so that a person who takes one back by chance comes in none.
      await stage.takeStep({ do: 'restore' });
      stage.check();
      for (const { type, payload } of stage.world.log()) {
        const what = type === 'turn_ended' ? `turn_ended ${payload.reason}` : type;
        seen.set(what, (seen.get(what) ?? 0) + 1);
      }
    },
  );
  await fc.assert(property, { numRuns: RUNS });
  // Some endings come once in twenty turns, so that a short run may miss one.
  if (RUNS < ENDINGS_RUNS) return;
  const wanted = ['completed', 'interrupted', 'error', 'cleared'].map(
    (reason) => `turn_ended ${reason}`,
  );
  expect(wanted.filter((what) => (seen.get(what) ?? 0) < RUNS / 50)).toEqual([]);
  const summaries = ['conversation_compacted', 'conversation_restored'];
  expect(summaries.filter((what) => !seen.has(what))).toEqual([]);
}, 3_600_000);
