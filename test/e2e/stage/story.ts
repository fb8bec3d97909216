/**
 * A story starts with a person who has just opened the printed link, and an agent. It ends with a check for problems.
 */
import { expect, inject, test } from 'vitest';
import { type Agent, agentOf } from './agent.ts';
import { somebodyNew } from './browser.ts';
import type { Person } from './person.ts';
import type { House } from './start-holdpoint.ts';

interface Cast {
  readonly house: House;
  readonly agent: Agent;
  readonly person: Person;
}

export const story = test.extend<Cast>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the pattern
  house: async ({}, use) => use(inject('house')),
  agent: async ({ house }, use) => use(agentOf(house)),
  person: async ({ house }, use) => {
    const person = await somebodyNew();
    await person.opens(house.link);
    await use(person);
    await endsWell(person);
  },
});

/** No foreign script ran, nothing was fetched from elsewhere, and nothing failed silently. */
export async function endsWell(person: Person): Promise<void> {
  await person.leaves();
  expect(person.troubles, 'troubles in the window').toEqual([]);
}
