/** Plays a story from its beginning to its end, or to the first violation. */
import { Random } from '../support/random.ts';
import { finish } from './at-rest.ts';
import { playBetweenSteps } from './between-steps.ts';
import { CLIENT_STEPS } from './client-steps.ts';
import type { Verdict } from './judge.ts';
import { LISTENER_STEPS } from './listener-steps.ts';
import { runQuietPeriod } from './quiet-period.ts';
import { PLATFORM_STEPS } from './platform-steps.ts';
import type { Step, StepName } from './story.ts';
import type { Tally } from './tally.ts';
import { planFaults } from './fault-plan.ts';
import { type SimulationOptions, Simulation } from './simulation.ts';

export interface Played {
  readonly verdict: Verdict | null;
  /** The step of the violation; the step after the last is the end of the run. */
  readonly at: number;
  readonly tally: Tally;
  readonly story: readonly string[];
}

/** A step of one client is one event; a step of the platform can be many. */
const DOINGS = { ...CLIENT_STEPS, ...LISTENER_STEPS };

type Doing = keyof typeof DOINGS;
type Befalling = Exclude<StepName, Doing>;

/** A story without any steps still has clients and sessions. */
const SESSIONS_AT_FIRST = 2;

export async function play(
  seed: string,
  story: readonly Step[],
  options: SimulationOptions = {},
): Promise<Played> {
  // Every kept seed depends on this label.
  const faults = planFaults(new Random(`${seed}/weather`));
  const simulation = new Simulation(`${seed}/0`, faults, options);
  let at = 0;
  try {
    for (let count = 0; count < SESSIONS_AT_FIRST; count += 1) {
      await simulation.act(() => DOINGS.create(simulation));
    }
    if (simulation.random.chance(0.8)) await runQuietPeriod(simulation);
    for (const step of story) {
      if (simulation.judge.verdict !== null) break;
      at = step.number;
      await take(simulation, step);
    }
    if (simulation.judge.verdict === null) {
      at = (story.at(-1)?.number ?? 0) + 1;
      simulation.random = new Random(`${seed}/end`);
      simulation.note(() => 'at the end');
      await finish(simulation);
    }
    for (const { ledger, host } of simulation.sessions) {
      simulation.tally.events += ledger.head;
      simulation.tally.failedWrites += host.storage.failures;
    }
    return {
      verdict: simulation.judge.verdict,
      at,
      tally: simulation.tally,
      story: simulation.storyLines ?? [],
    };
  } finally {
    simulation.close();
  }
}

async function take(simulation: Simulation, step: Step): Promise<void> {
  simulation.random = new Random(step.seed);
  simulation.tally.steps += 1;
  simulation.note(() => `${step.number}. ${step.do}`);
  if (step.do in DOINGS) await simulation.act(() => DOINGS[step.do as Doing](simulation));
  else await PLATFORM_STEPS[step.do as Befalling](simulation);
  await playBetweenSteps(simulation);
}
