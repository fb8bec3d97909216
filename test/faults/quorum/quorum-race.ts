/** One race of votes: who does what and when, chosen by chance, and what the server answered to each. */
import type { Random } from '../../support/random.ts';

type VoteAct = 'approve' | 'deny' | 'withdraw';

/** One request of one person. */
export interface VoteStep {
  readonly person: string;
  /** Which of the person's tokens. */
  readonly device: number;
  readonly act: VoteAct;
  /** After the start of the race, or after the person's step before. */
  readonly afterMs: number;
  /** The last reply; undefined while there is none. */
  status?: number;
  code?: string;
}

export interface QuorumRace {
  readonly session: string;
  readonly interactionId: string;
  readonly approvals: number;
  readonly people: readonly string[];
  /** Requests that do not wait for each other: duplicates of one person among them. */
  readonly atOnce: readonly VoteStep[];
  /** Of each person who takes back, one step after the other. */
  readonly inOrder: readonly (readonly VoteStep[])[];
  /** With the name of a voter, by a credential that does not prove it. */
  readonly forged: VoteStep;
}

export const DEVICES = 3;
const WINDOW_MS = 400;
/** Who thinks again does so before all others have voted. */
const REGRET_MS = 60;
const PEOPLE = ['ann', 'bob', 'cem', 'dee', 'eva'];

export function planRace(random: Random, session: string): QuorumRace {
  const people = PEOPLE.slice(0, random.int(2, PEOPLE.length)) as [string, ...string[]];
  const approvals = random.int(2, people.length);
  const isRegretful = (at: number) => at > 0 && random.chance(0.4);
  const step = (person: string, act: VoteAct, withinMs = WINDOW_MS): VoteStep => ({
    person,
    device: random.int(0, DEVICES - 1),
    act,
    afterMs: random.int(0, withinMs),
  });
  const atOnce: VoteStep[] = [];
  const inOrder: VoteStep[][] = [];
  for (const [at, person] of people.entries()) {
    if (isRegretful(at)) {
      const acts: VoteAct[] = ['approve', 'withdraw'];
      if (random.chance(0.5)) acts.push('approve');
      inOrder.push(acts.map((act) => step(person, act, REGRET_MS)));
      continue;
    }
    const times = random.int(1, DEVICES);
    for (let count = 0; count < times; count += 1) atOnce.push(step(person, 'approve'));
  }
  // A denial that races the last approval.
  if (random.chance(0.3)) atOnce.push(step(random.pick(people), 'deny'));
  return {
    session,
    interactionId: 'call_1~1',
    approvals,
    people,
    atOnce,
    inOrder,
    forged: step(random.pick(people), 'approve'),
  };
}
