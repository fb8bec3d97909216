/**
 * A card that was watched looks like the card on a page that is opened later, for every kind and every end. A bug
 * looks like text that a reload adds or removes.
 */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { InteractionRequest } from '../../src/protocol/types.ts';
import { fetchLaterParts } from '../../src/web/hooks/use-later-parts.ts';
import { countFor } from '../support/run-length.ts';
import { begins, calls, ends, results, modelText } from '../support/web/events.ts';
import { type Stage, startStage } from '../support/web/stage.tsx';

await fetchLaterParts();

const questions = [
  { header: 'Env', question: 'Where?', options: [{ label: 'Test' }, { label: 'Production' }] },
  {
    header: 'Size',
    question: 'Which?',
    options: [{ label: 'S' }, { label: 'M' }],
    multiSelect: true,
  },
];
const schema = {
  type: 'object',
  properties: { name: { type: 'string', title: 'Name' }, isFast: { type: 'boolean' } },
  required: ['name'],
};
const KINDS = {
  approval: {
    kind: 'approval',
    toolName: 'Bash',
    input: { command: 'make deploy' },
    description: 'Deploys.',
    allowEdit: true,
    offers: ['once', 'session'],
  },
  question: { kind: 'question', toolName: 'AskUserQuestion', questions },
  plan: { kind: 'plan_review', toolName: 'ExitPlanMode', plan: '# Plan\n\n1. Deploy' },
  form: { kind: 'form', toolName: 'elicit', title: 'Who?', schema },
} as const satisfies Record<string, Omit<InteractionRequest, 'toolCallId'>>;

const CALL = 'c1';
type End = (stage: Stage, kind: keyof typeof KINDS) => Promise<unknown>;
const answer =
  (given: object): End =>
  ({ person, id }) =>
    person.answer(id, `${CALL}~1`, given as never);
const byAnother =
  (given: object): End =>
  ({ host, id }) =>
    host
      .transport({ subject: 'bob', scopes: ['answer'], via: 'cli' })
      .answer(id, `${CALL}~1`, given as never);

const anyKind: Record<string, End> = {
  'left open': async () => undefined,
  cancelled: ({ owner, id }) => owner.cancel(id, `${CALL}~1`, { reason: 'No longer needed' }),
  interrupted: ({ person, id }) => person.interrupt(id),
  'left behind by the end of its turn': ({ agent, id }) => agent.appendEvents(id, [ends()]),
  'left behind by its result': ({ agent, id }) => agent.appendEvents(id, [results(CALL)]),
  cleared: ({ person, id }) => person.clear(id),
  'asked again': ({ agent, id }, kind) =>
    agent.open(id, { ...KINDS[kind], toolCallId: CALL, errorSummary: 'That did not work' }),
};
const ENDS: Record<keyof typeof KINDS, Record<string, End>> = {
  approval: {
    approved: answer({ decision: 'approve' }),
    'approved for the session': answer({
      decision: 'approve',
      offer: 'session',
      everyCommand: true,
    }),
    'approved with an edit': answer({
      decision: 'approve',
      updatedInput: { command: 'make test' },
    }),
    denied: answer({ decision: 'deny', reason: 'Not on a Friday' }),
    'denied by another': byAnother({ decision: 'deny', reason: 'No' }),
    'approved, taken and run': async (world, kind) => {
      await answer({ decision: 'approve' })(world, kind);
      await world.agent.interaction(world.id, `${CALL}~1`);
      await world.agent.appendEvents(world.id, [
        results(CALL, 'deployed'),
        modelText('Done.'),
        ends(),
      ]);
    },
  },
  question: {
    answered: answer({ answers: { '0': 'Test', '1': ['S', 'XL'] } }),
    'answered in steps': async (world, kind) => {
      await answer({ question: 0, option: 1 })(world, kind);
      await answer({ question: 1, options: [0, 1] })(world, kind);
    },
    'answered halfway': async (world, kind) => {
      await answer({ question: 0, text: 'elsewhere' })(world, kind);
      // A person keeps the question that they read; the next one would be answered by mistake.
      await page.getByRole('button', { name: 'Next' }).click();
    },
    declined: answer({ decline: true, reason: 'Neither' }),
    'answered by another': byAnother({ answers: { '0': 'Production', '1': ['M'] } }),
  },
  plan: {
    approved: answer({ decision: 'edit' }),
    'approved with a clear context': answer({ decision: 'clean_edit' }),
    'approved by hand': answer({ decision: 'default' }),
    'sent back': answer({ decision: 'adjust', feedback: 'Shorter' }),
    'to be sent back': answer({ decision: 'adjust' }),
  },
  form: {
    answered: answer({ values: { name: 'Ada', isFast: true } }),
    declined: answer({ decline: true, reason: 'No' }),
    'answered by another': byAnother({ values: { name: 'Bob' } }),
  },
};

const NAMES: ReadonlySet<string> = new Set([
  'id',
  'for',
  'name',
  'aria-labelledby',
  'aria-describedby',
  'aria-controls',
]);
/** Those of another session, which began at another minute. */
const TIMES = /<time[^>]*>.*?<\/time>| title="[^"]*"| aria-label="[^"]*(?=: copy the link)/g;

/** A button that takes no press yet; one with `missing` waits for its reader. */
const ARMING = '.button[aria-disabled]:not(.missing)';

const frames = () => new Promise((resolve) => setTimeout(resolve, 60));

/** The drawn conversation without generated names and running times. */
function drawn(): string {
  const copy = document.querySelector('.conversation .rows')?.cloneNode(true) as HTMLElement;
  for (const one of copy.querySelectorAll('*')) {
    // Later rows follow the earlier ones.
    const kept = [...one.attributes].filter(({ name }) => !NAMES.has(name));
    for (const name of one.getAttributeNames()) one.removeAttribute(name);
    for (const { name, value } of kept.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      one.setAttribute(name, value);
  }
  for (const clock of copy.querySelectorAll('.countdown')) clock.textContent = '';
  // Announced once to the viewers of that moment, and not visible.
  for (const said of copy.querySelectorAll('.card > .unseen[role=status]')) said.textContent = '';
  return copy.innerHTML;
}

/** The record was read, and Approve works. */
async function restful(world: Stage): Promise<void> {
  await frames();
  const status = () => document.querySelector('.tool .status')?.textContent;
  await expect.poll(status).not.toBe('Approved');
  const { open } = await world.person.snapshot(world.id);
  if (open.length === 0) return;
  await expect.element(page.getByText('The agent is offline')).toBeVisible();
  await expect.poll(() => document.querySelector(ARMING)).toBeNull();
}

const CASES = (Object.keys(KINDS) as (keyof typeof KINDS)[]).flatMap((kind) =>
  Object.entries({ ...anyKind, ...ENDS[kind] }).map(([name, end]) => ({ kind, name, end })),
);

/** The short run plays a part of the endings of each kind; the first of each is an answer. */
const EVERY = countFor({ quick: 40, long: 1 });

it.each(CASES.filter((_, index) => index % EVERY === 0))(
  '[UI-8, TL-1] $kind, $name: watched from before, from when it was open, and opened afterwards',
  async ({ kind, end }) => {
    const seen: string[] = [];
    const withoutSession = (html: string, id: string) =>
      html.replaceAll(TIMES, '').replaceAll(`#session=${id}&`, '#session=id&');
    for (const from of ['the beginning', 'when it was open']) {
      const world = await startStage();
      const { id, agent } = world;
      await agent.appendEvents(id, [begins(), modelText('I will ask.')]);
      if (from === 'the beginning') world.open();
      await frames();
      if (kind === 'approval') await agent.appendEvents(id, [calls(CALL, 'Bash')]);
      await agent.open(id, { ...KINDS[kind], toolCallId: CALL, turnId: 't1', responseId: 'r1' });
      if (from === 'when it was open') world.open();
      await frames();
      await end(world, kind);
      await restful(world);
      const live = drawn();
      world.show(null);
      world.open();
      await restful(world);
      await expect.poll(drawn).toBe(live);
      seen.push(withoutSession(live, id));
      // At the height of the window it would push the next card out of sight.
      world.element.remove();
    }
    const [first, second] = seen;
    expect(second).toBe(first);
  },
);

const EXPIRIES = [
  ['approval', {}],
  ['question', { onExpire: { answer: { answers: { '0': 'Test', '1': ['S'] } } } }],
  ['question', {}],
  ['plan', {}],
  ['form', {}],
  ['approval', { onExpire: 'keep' }],
] as const;

it.each(EXPIRIES.filter((_, index) => index % EVERY === 0))(
  '[UI-8, TL-1] %s that expires, %j, looks the same afterwards',
  async (kind, more) => {
    const world = await startStage();
    const { id, agent } = world;
    world.open();
    await agent.open(id, { ...KINDS[kind], toolCallId: CALL, timeoutSeconds: 1, ...more } as never);
    await expect
      .poll(async () => JSON.stringify(await world.person.snapshot(id)))
      .toMatch(/"open":\[\]|"overdue":true/);
    await restful(world);
    const live = drawn();
    world.show(null);
    world.open();
    await restful(world);
    await expect.poll(drawn).toBe(live);
  },
);
