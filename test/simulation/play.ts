/** Plays a story from its beginning to its end, or to the first thing that is broken. */
import { Random } from '../support/random.ts';
import { finish } from './at-rest.ts';
import { churn } from './restarts.ts';
import { CLIENT_STEPS } from './client-steps.ts';
import type { Verdict } from './judge.ts';
import { LISTENER_STEPS } from './listener-steps.ts';
import { lull } from './quiet-period.ts';
import { PLATFORM_STEPS } from './platform-steps.ts';
import type { Step, StepName } from './story.ts';
import type { Tally } from './tally.ts';
import { weatherFor } from './fault-plan.ts';
import { type Telling, World } from './world.ts';

export interface Played {
  readonly verdict: Verdict | null;
  /** The step in which it was found; the one after the last is the end of the run. */
  readonly at: number;
  readonly tally: Tally;
  readonly told: readonly string[];
}

/** What somebody does is one event; what befalls everybody can be many. */
const DOINGS = { ...CLIENT_STEPS, ...LISTENER_STEPS };

type Doing = keyof typeof DOINGS;
type Befalling = Exclude<StepName, Doing>;

/** Even when every step was left out, there is somebody to ask and something to ask of. */
const SESSIONS_AT_FIRST = 2;

export async function play(
  seed: string,
  story: readonly Step[],
  telling: Telling = {},
): Promise<Played> {
  const weather = weatherFor(new Random(`${seed}/weather`));
  const world = new World(`${seed}/0`, weather, telling);
  let at = 0;
  try {
    for (let count = 0; count < SESSIONS_AT_FIRST; count += 1) {
      await world.act(() => DOINGS.create(world));
    }
    if (world.random.chance(0.8)) await lull(world);
    for (const step of story) {
      if (world.judge.verdict !== null) break;
      at = step.number;
      await take(world, step);
    }
    if (world.judge.verdict === null) {
      at = (story.at(-1)?.number ?? 0) + 1;
      world.random = new Random(`${seed}/end`);
      world.say(() => 'at the end');
      await finish(world);
    }
    for (const { ledger, host } of world.sessions) {
      world.tally.events += ledger.head;
      world.tally.failedWrites += host.storage.failures;
    }
    return { verdict: world.judge.verdict, at, tally: world.tally, told: world.told ?? [] };
  } finally {
    world.close();
  }
}

async function take(world: World, step: Step): Promise<void> {
  world.random = new Random(step.seed);
  world.tally.steps += 1;
  world.say(() => `${step.number}. ${step.do}`);
  if (step.do in DOINGS) await world.act(() => DOINGS[step.do as Doing](world));
  else await PLATFORM_STEPS[step.do as Befalling](world);
  await churn(world);
}
