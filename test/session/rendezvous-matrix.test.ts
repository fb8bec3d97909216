/**
 * Every order in which two calls, two requests, a result, a repeat, a clear and a crash can arrive.
 *
 * The expected pairing is written here by rule, and not by the code: a command is known by its question, so a request
 * belongs to the call with the same question, and what fits nothing waits until its second is over. Where the requests
 * give no command, the oldest call belongs to the oldest request.
 *
 * The run takes every 13th order, `npm run test:long` all of them.
 */
import { expect, it } from 'vitest';
import { append } from '../support/asks.ts';
import {
  type Asked,
  askByWords,
  HOLDPOINT_ASK,
  interactionOf,
  type RendezvousWorld,
  rendezvousWorld,
  toolCall,
} from '../support/rendezvous-world.ts';
import { countFor } from '../support/run-length.ts';
import { memoryStorage } from '../support/session-storage.ts';
import { SessionWorld } from '../support/session-world.ts';

const STEPS = [
  'call A',
  'call B',
  'request A',
  'request B',
  'result A',
  'retry A',
  'clear',
  'crash',
] as const;
type Step = (typeof STEPS)[number];
type Name = 'A' | 'B';
type Commands = 'with their commands' | 'without a command';

/** A call has its result after it was made, and a request is repeated after it was sent. */
function isSensible(order: readonly Step[]): boolean {
  const at = (step: Step) => order.indexOf(step);
  return at('call A') < at('result A') && at('request A') < at('retry A');
}

function ordersOf(steps: readonly Step[]): Step[][] {
  if (steps.length === 0) return [[]];
  return steps.flatMap((step) =>
    ordersOf(steps.filter((one) => one !== step)).map((rest) => [step, ...rest]),
  );
}

const ORDERS = ordersOf(STEPS).filter(isSensible);
const EVERY = countFor({ quick: 41, long: 1 });

/** Per request what the client gets: the call it is for, an own id, or a refusal; `retry` is the last word of A. */
type Outcome = Name | 'own id' | 'refused';

function expectedBy(order: readonly Step[], commands: Commands): Record<Name, Outcome> {
  const free: Name[] = [];
  const waiting: Name[] = [];
  const outcome: Partial<Record<Name, Outcome>> = {};
  const belongs = (request: Name, call: Name) =>
    commands === 'without a command' || request === call;
  const meet = (): void => {
    const call = free.find((known) => waiting.some((one) => belongs(one, known)));
    const request = call && waiting.find((one) => belongs(one, call));
    if (call === undefined || request === undefined) return;
    outcome[request] = call;
    waiting.splice(waiting.indexOf(request), 1);
    free.splice(free.indexOf(call), 1);
    meet();
  };
  for (const step of order) {
    const name = step.endsWith('A') ? 'A' : 'B';
    const isOpen = outcome[name] !== undefined && outcome[name] !== 'refused';
    if (step.startsWith('call')) free.push(name);
    if (step.startsWith('request')) waiting.push(name);
    if (step === 'retry A' && !isOpen && !waiting.includes('A')) waiting.push('A');
    if (step === 'result A' && free.includes('A')) free.splice(free.indexOf('A'), 1);
    if (step === 'clear') {
      for (const request of waiting.splice(0)) outcome[request] = 'refused';
      free.length = 0;
    }
    meet();
  }
  // The second is over: a call of the same tool is better than none.
  for (const request of waiting) outcome[request] = free.shift() ?? 'own id';
  return { A: outcome.A ?? 'own id', B: outcome.B ?? 'own id' };
}

function requestOf(name: Name, commands: Commands) {
  const command = ['holdpoint', 'ask', `Question ${name}?`];
  return askByWords({ ...HOLDPOINT_ASK, ...(commands === 'with their commands' && { command }) });
}

async function play(order: readonly Step[], commands: Commands) {
  const world = new SessionWorld(memoryStorage());
  await world.ask({ type: 'session.create' });
  const played = await rendezvousWorld(world);
  const asked = new Map<Name, Asked>();
  const send = (name: Name) => {
    // In the order of waiting, in which a crash has them sent again.
    if (asked.get(name)?.result !== undefined) asked.delete(name);
    asked.set(name, played.ask(requestOf(name, commands), { key: `key-of-request-${name}` }));
  };
  for (const step of order) {
    const name = step.endsWith('A') ? 'A' : 'B';
    takeStep(step, name, played, send, asked);
    await played.pass(10);
  }
  await played.pass(1_000);
  return { world, asked };
}

function takeStep(
  step: Step,
  name: Name,
  { world, crash }: RendezvousWorld,
  send: (name: Name) => void,
  asked: ReadonlyMap<Name, Asked>,
): void {
  switch (step) {
    case 'call A':
    case 'call B':
      world.must(append(toolCall(name, `cd app && holdpoint ask "Question ${name}?"`)));
      break;
    case 'request A':
    case 'request B':
    case 'retry A':
      send(name);
      break;
    case 'result A':
      world.must(append({ type: 'tool_result', toolCallId: 'A', payload: { output: 'ok' } }));
      break;
    case 'clear':
      world.must({ type: 'session.clear' });
      break;
    case 'crash': {
      crash();
      // A client that loses its connection sends its request again, with the same key.
      for (const [lost, one] of asked) if (one.result === undefined) send(lost);
    }
  }
}

function outcomeOf(asked: Asked | undefined): Outcome {
  if (asked?.result?.ok === false) return 'refused';
  const id = asked === undefined ? '' : interactionOf(asked).toolCallId;
  return id === 'A' || id === 'B' ? id : 'own id';
}

it.each(['with their commands', 'without a command'] as const)(
  '[RDV-6] every order pairs requests %s with their calls, once',
  async (commands) => {
    const played = ORDERS.filter((_, index) => index % EVERY === 0);
    expect(played.length).toBeGreaterThan(200);
    const wrong: unknown[] = [];
    for (const order of played) {
      const expected = expectedBy(order, commands);
      const { world, asked } = await play(order, commands);
      const got = { A: outcomeOf(asked.get('A')), B: outcomeOf(asked.get('B')) };
      const opened = world.log().filter(({ type }) => type === 'interaction_request');
      const wanted = Object.values(expected).filter((one) => one !== 'refused').length;
      const isRight = got.A === expected.A && got.B === expected.B && opened.length === wanted;
      if (!isRight) wrong.push({ order: order.join(', '), expected, got, opened: opened.length });
    }
    expect(wrong.slice(0, 5)).toEqual([]);
  },
  600_000,
);
