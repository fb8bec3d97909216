/** Several calls in one answer. A bug looks like a call that does not wait, or an agent that continues too early. */
import { expect } from 'vitest';
import { checkPage } from '../stage/check-page.ts';
import { storyByHand } from '../stage/story.ts';

storyByHand('two calls are decided in any order', async ({ person }) => {
  await person.begins('Two things at once');
  const [reading, writing] = [person.card('Write hello.md'), person.card('Write copy.md')];
  await person.sees(reading);
  await checkPage(person, 'two calls that wait');
  await person.reads(writing);
  await person.presses('Approve', writing);
  await person.sees(writing.getByText('by you'));
  await person.sees('Waiting for you');
  await person.reads(reading);
  await person.presses('Approve', reading);
  await person.sees(/Both came back together\. Write is done: .*Write is done/);
});

storyByHand(
  'a call allowed for the session runs while the other one waits',
  async ({ person, agent }) => {
    await person.begins('Approve a file');
    await person.presses('Approve');
    await person.sees('Idle');
    await person.says('parallel');
    await person.presses('Allow for session…', person.card('Read hello.md'));
    await person.chooses(/^Every Read call/);
    await checkPage(person, 'the offer for a session');
    await person.presses('Approve for the session');
    await person.reads(person.card('Write copy.md'));
    await person.presses('Approve', person.card('Write copy.md'));
    await person.sees('Both came back together.');
    await person.sees('Idle');
    await person.says('parallel');
    const second = person.card('Write copy.md').last();
    await person.sees(second.getByText('Approval'));
    await person.sees(person.page.locator('.tool', { hasText: 'Read' }).last().getByText('Done'));
    expect(await person.card('Read hello.md').count()).toBe(1);
    await person.reads(second);
    await person.presses('Approve', second);
    await person.sees(/Read is done: .*Write is done/);
    expect(await agent.fileIn(person.sessionId, 'copy.md')).toContain('A copy');
  },
);

storyByHand('a call fails while the approval beside it is open', async ({ person }) => {
  await person.begins('See it fail');
  const editing = person.card(/^Edit/);
  await person.presses('Approve', person.card(/^Read/));
  await person.sees(person.page.locator('.as-row', { hasText: 'Read' }).getByText('Failed'));
  await person.sees('Waiting for you');
  await checkPage(person, 'a failed call above an open approval');
  await person.reads(editing);
  await person.presses('Approve', editing);
  await person.sees('I was told about it and can go on.');
  await person.unfolds('Edit', person.page.locator('.as-row'));
  await checkPage(person, 'a failed call, opened');
});
