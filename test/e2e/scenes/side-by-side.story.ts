/** Several calls in one answer. A bug looks like one that waits for nothing, or an agent that goes on too early. */
import { expect } from 'vitest';
import { looksFine } from '../stage/looks.ts';
import { story } from '../stage/story.ts';

story('reading needs nobody while writing waits', async ({ person, agent }) => {
  await person.begins('Approve a file');
  await person.presses('Approve');
  await person.sees('Ready');
  await person.says('parallel');
  const card = person.card(/Write.*copy\.md/);
  await person.sees(card);
  await person.sees(person.page.locator('.tool', { hasText: 'Read' }).getByText('Done'));
  await person.sees('Waiting for you');
  await looksFine(person, 'one of two calls that waits');
  await person.presses('Approve', card);
  await person.sees(/Both came back together\. Read is done: .*Write is done/);
  expect(await agent.fileIn(person.sessionId, 'copy.md')).toContain('A copy');
});

story('a call fails while the approval beside it is open', async ({ person }) => {
  await person.begins('See it fail');
  const card = person.card(/Edit.*not-there\.md/);
  await person.sees(card);
  await person.sees(person.page.locator('.tool', { hasText: 'Read' }).getByText('Failed'));
  await person.sees('Waiting for you');
  await looksFine(person, 'a failed call above an open approval');
  await person.presses('Approve', card);
  await person.sees('I was told about it and can go on.');
  await person.page.locator('.tool', { hasText: 'Edit' }).locator('summary').click();
  await looksFine(person, 'a failed call, opened');
});
