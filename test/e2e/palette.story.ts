/** One field for everything. A bug looks like a stray Enter that decides, or a session that nobody finds. */
import { expect } from 'vitest';
import { newPerson, PHONE } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import type { Person } from './stage/person.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const field = ({ page }: Person) =>
  page.getByRole('combobox', { name: 'Sessions, requests, pages and actions' });

/** What is found for some words, with the keyboard alone. */
async function goesTo(person: Person, words: string, found: string | RegExp): Promise<void> {
  const { page } = person;
  await page.keyboard.press('Control+k');
  await person.sees(field(person));
  await page.keyboard.type(words);
  await person.sees(page.getByRole('option', { name: found, selected: true }));
  await page.keyboard.press('Enter');
  await person.seesNoMore(field(person));
}

story('one field finds requests, sessions, pages and actions', async ({ agent }) => {
  const ada = await newPerson();
  const session = await agent.opensSession('The palette of a painter');
  const id = await agent.asks(session, {
    kind: 'approval',
    toolName: 'Bash',
    input: { command: 'mix --color vermilion' },
  });
  await agent.opensSession('Frames for a painter');
  await ada.opens(await agent.linkFor('ada'));
  await ada.sees('What should the agent do?');
  await goesTo(ada, 'frames painter', /^Frames for a painter/);
  await ada.sees(ada.page.getByRole('heading', { level: 1, name: 'Frames for a painter' }));
  await goesTo(ada, 'appearance', /^Appearance/);
  await ada.sees(ada.page.getByRole('heading', { name: 'Appearance' }));
  await goesTo(ada, 'vermilion', /^Bash mix --color vermilion/);
  const card = ada.card('Bash mix --color vermilion');
  await ada.sees(card);

  // Enter alone decides nothing, and an action is pressed on the card, with its guards.
  const { keyboard } = ada.page;
  await ada.sees(ada.working('Approve'));
  await keyboard.press('Control+k');
  await ada.sees(field(ada));
  await checkPage(ada, 'search and commands');
  await keyboard.press('Enter');
  await keyboard.press('Escape');
  await ada.seesNoMore(field(ada));
  expect(await agent.isOpen(session, id)).toBe(true);
  await ada.sees(ada.working('Approve'));
  await goesTo(ada, 'approve', /^Approve/);
  await ada.sees('by you');
  expect((await agent.receivesOutcome(session, id)).outcome).toBe('approved');
  await leavesWithoutProblems(ada);
});

story('the same field is in the menu of a phone', async ({ agent }) => {
  const ada = await newPerson(PHONE);
  await agent.opensSession('The palette in a pocket');
  await ada.opens(await agent.linkFor('ada'));
  await ada.sees('What should the agent do?');
  await ada.presses('Sessions');
  await ada.presses('Search and commands');
  await ada.sees(field(ada));
  await ada.page.keyboard.type('pocket');
  const found = ada.page.getByRole('option', { name: /^The palette in a pocket/ });
  await ada.sees(found);
  await checkPage(ada, 'search and commands on a phone');
  await ada.picks(found);
  await ada.sees(ada.page.getByRole('heading', { level: 1, name: 'The palette in a pocket' }));
  await leavesWithoutProblems(ada);
});
