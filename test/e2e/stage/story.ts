/**
 * A story starts with a person who has just opened the printed link, and an agent. It ends with a check for problems.
 */
import { expect, inject, test } from 'vitest';
import { type Agent, agentOf } from './agent.ts';
import { newPerson } from './browser.ts';
import type { Person } from './person.ts';
import type { RunningServer } from './start-holdpoint.ts';

interface StoryFixtures {
  readonly server: RunningServer;
  readonly agent: Agent;
  readonly person: Person;
}

export const story = test.extend<StoryFixtures>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the pattern
  server: async ({}, use) => use(inject('server')),
  agent: async ({ server }, use) => use(agentOf(server)),
  person: async ({ server }, use) => {
    const person = await newPerson();
    await person.opens(server.link);
    await use(person);
    await leavesWithoutProblems(person);
  },
});

/** Played twice: with a mouse, and with the mouse put away. */
export function storyByHand(title: string, play: (stage: StoryFixtures) => Promise<void>): void {
  if (inject('hands') === 'mouse')
    // oxlint-disable-next-line vitest/valid-title -- it is a text in each of the stories
    story(title, ({ server, agent, person }) => play({ server, agent, person }));
  // oxlint-disable-next-line vitest/valid-title -- the same
  story(`${title}, by keyboard alone`, async ({ server, agent, person }) => {
    await person.putsMouseAway();
    await play({ server, agent, person });
  });
}

/** No foreign script ran, nothing was fetched from elsewhere, and nothing failed silently. */
export async function leavesWithoutProblems(person: Person): Promise<void> {
  await person.leaves();
  expect(person.problems, 'problems in the window').toEqual([]);
}
