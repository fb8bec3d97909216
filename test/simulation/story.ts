/** A run as data: steps drawn from a seed, each with its own random source. */
import { Random } from '../support/random.ts';

/** The possible steps, with their weights. */
const STEPS = {
  ask: 20,
  'ask several': 5,
  answer: 22,
  'decide several': 4,
  say: 5,
  cancel: 4,
  'cancel all': 2,
  extend: 3,
  update: 2,
  append: 5,
  report: 5,
  clear: 0.5,
  delete: 0.5,
  create: 1.5,
  'revoke rule': 0.7,
  retry: 8,
  'act in the last moment': 4,
  wait: 9,
  look: 4,
  connect: 7,
  cut: 4,
  notice: 2,
  read: 3,
  'revoke credential': 3,
  'change keys': 0.7,
  pass: 10,
  'pass to the deadline': 5,
  jump: 0.5,
  crash: 7,
  restart: 2,
  evict: 5,
  'sleep on a question': 3,
  'break a write': 3,
  'lose an alarm': 2,
  'ring an alarm': 2,
  poke: 1,
  'cut the network': 1.5,
  'mend the network': 2,
  calm: 1.5,
} as const;
export type StepName = keyof typeof STEPS;

export interface Step {
  readonly number: number;
  readonly do: StepName;
  readonly seed: string;
}

/** Steps that some runs leave out. */
const OPTIONAL: readonly StepName[] = [
  'say',
  'cancel',
  'cancel all',
  'append',
  'report',
  'clear',
  'delete',
  'pass to the deadline',
  'jump',
  'crash',
  'restart',
  'evict',
  'break a write',
  'lose an alarm',
  'cut the network',
  'cut',
];

export function storyOf(seed: string, length: number): Step[] {
  const random = new Random(`${seed}/story`);
  const weights: Record<StepName, number> = { ...STEPS };
  for (const name of OPTIONAL) {
    const isLeftOut = random.chance(0.25);
    if (isLeftOut) weights[name] = 0;
    else if (random.chance(0.25)) weights[name] *= 3;
  }
  return Array.from({ length }, (_, index) => ({
    number: index + 1,
    do: random.weighted(weights),
    seed: `${seed}/${index + 1}`,
  }));
}
