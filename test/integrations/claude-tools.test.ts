/**
 * A tool that is wired to a kind. A bug here looks like a tool that runs without an answer, or with another input than the
 * answer.
 */
import { expect, it } from 'vitest';
import { SESSION } from '../support/agent.ts';
import { about, bridge, decide } from './claude-bridge.ts';

const schema = { type: 'object', properties: { version: { type: 'string' } } };
const wired = () =>
  bridge({
    tools: {
      Release: ({ name }) => ({ kind: 'form', title: `Release ${JSON.stringify(name)}`, schema }),
      Broken: () => {
        throw new Error('no such release');
      },
    },
  });

it('[GATE-2] a wired tool asks what it is wired to, and runs with the answer', async () => {
  const world = wired();
  const asked = world.canUseTool('Release', { name: 'api' }, about());
  expect(await world.onlyOpen()).toMatchObject({
    kind: 'form',
    toolName: 'Release',
    toolCallId: 'toolu_1',
    request: { title: 'Release "api"' },
  });
  await decide(world, { values: { version: '2.4' } });
  expect(await asked).toEqual({ behavior: 'allow', updatedInput: { version: '2.4' } });
});

it.each([
  ['declined', (world: ReturnType<typeof wired>) => decide(world, { decline: true })],
  [
    'cancelled',
    async (world: ReturnType<typeof wired>) => {
      const { interactionId } = await world.onlyOpen();
      await world.person.cancel(SESSION, interactionId);
    },
  ],
])('[GATE-2] one that is %s does not run', async (_how, end) => {
  const world = wired();
  const asked = world.canUseTool('Release', { name: 'api' }, about());
  await end(world);
  expect(await asked).toMatchObject({ behavior: 'deny', message: expect.any(String) });
});

it('[GATE-2] one whose request cannot be made does not run, and other tools ask for approval', async () => {
  const world = wired();
  expect(await world.canUseTool('Broken', {}, about())).toMatchObject({ behavior: 'deny' });
  for (const name of ['Bash', 'constructor']) {
    const asked = world.canUseTool(name, { command: 'ls' }, about({ toolUseID: name }));
    expect(await world.onlyOpen()).toMatchObject({ kind: 'approval' });
    await decide(world, { decision: 'deny' });
    await asked;
  }
});
