/** The questions of the crash test's agents: every kind, each with the mark of its request. */
import type { JsonObject } from '../../../src/protocol/json.ts';
import type { Random } from '../../support/random.ts';
import type { Flavor } from './tested-session.ts';

const KINDS = { approval: 40, question: 25, plan_review: 15, form: 20 } as const;
type Kind = keyof typeof KINDS;

export function request(random: Random, flavor: Flavor, mark: string): JsonObject {
  const kind = flavor === 'approvals' ? 'approval' : random.weighted(KINDS);
  return { ...BODIES[kind](random, mark), ...onExpire(random, kind), ...deadline(random) };
}

const BODIES: Readonly<Record<Kind, (random: Random, mark: string) => JsonObject>> = {
  approval: (random, mark) => ({
    kind: 'approval',
    toolName: `Tool-${random.int(1, 4)}`,
    input: { mark, size: random.int(1, 1_000) },
    ...(random.chance(0.15) && {
      toolName: `Ruled-${random.int(1, 3)}`,
      offers: ['once', 'session'],
    }),
  }),
  question: (random, mark) => ({
    kind: 'question',
    toolName: 'AskUserQuestion',
    questions: Array.from({ length: random.int(1, 3) }, (_, index) => ({
      header: 'Pick',
      question: `${mark} number ${index}?`,
      options: [{ label: 'Red' }, { label: 'Blue' }],
      multiSelect: random.chance(0.3),
    })),
  }),
  plan_review: (_random, mark) => ({
    kind: 'plan_review',
    toolName: 'ExitPlanMode',
    plan: `${mark}\n1. Look\n2. Leap`,
  }),
  form: (_random, mark) => ({
    kind: 'form',
    toolName: 'collect',
    title: mark,
    schema: {
      type: 'object',
      properties: { note: { type: 'string', maxLength: 60 } },
      required: ['note'],
    },
  }),
};

/** Often short, so that deadlines pass while the server is down. */
function deadline(random: Random): JsonObject {
  if (random.chance(0.1)) return { timeoutSeconds: null };
  const seconds = random.chance(0.3) ? random.int(1, 3) : random.int(60, 600);
  return {
    timeoutSeconds: seconds,
    ...(seconds > 1 && random.chance(0.1) && { remindAfter: Math.floor(seconds / 2) }),
  };
}

function onExpire(random: Random, kind: Kind): JsonObject {
  if (random.chance(0.05)) return { onExpire: 'keep' };
  if (kind === 'form' && random.chance(0.2)) {
    return { onExpire: { answer: { values: { note: 'nobody came' } } } };
  }
  return {};
}
