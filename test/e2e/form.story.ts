/** A form, with typical mistakes. A bug looks like lost input, or a guess that is sent. */
import { expect } from 'vitest';
import { newPerson } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const FORM = {
  kind: 'form',
  toolName: 'Provision',
  title: 'A new machine',
  schema: {
    type: 'object',
    required: ['name', 'count', 'region', 'backup'],
    properties: {
      name: { type: 'string', title: 'Name', minLength: 3 },
      count: { type: 'integer', title: 'How many', minimum: 1, maximum: 9 },
      region: { type: 'string', title: 'Region', enum: ['eu', 'us'], enumNames: ['Europe', 'USA'] },
      backup: { type: 'boolean', title: 'Backups' },
      contact: { type: 'string', title: 'Contact', format: 'email' },
    },
  },
};

story('errors are shown at their fields, and other values stay', async ({ agent }) => {
  const person = await newPerson();
  const session = await agent.opensSession('Provision');
  await person.opens(`${await agent.linkFor('ada')}&session=${session}`);
  const id = await agent.asks(session, FORM);
  const card = person.card('A new machine');
  await person.sees(card);
  await checkPage(person, 'an empty form');
  await person.writes('Name', 'db-1', card);
  await person.presses('Submit', card);
  await person.sees(card.locator('.field-error').first());
  await checkPage(person, 'a form with errors');
  await person.writes(card.getByLabel('How many'), '2');
  await person.selects(card.getByLabel('Region'), 'Europe');
  await person.chooses('Yes', card);
  await person.reloads();
  expect(await card.getByLabel('Name').inputValue()).toBe('db-1');
  await person.presses('Submit', card);
  await person.sees(card.getByText('Answered'));
  await checkPage(person, 'a form that was sent');
  expect(await agent.receivesOutcome(session, id)).toMatchObject({
    values: { name: 'db-1', count: 2, region: 'eu', backup: true },
  });
  await leavesWithoutProblems(person);
});
