/** Answers without a request. A bug looks like an answer that arrives all at once, or does not stop. */
import { expect } from 'vitest';
import { checkPage } from '../stage/check-page.ts';
import { storyByHand } from '../stage/story.ts';

storyByHand('a long answer arrives piece by piece, and is interrupted', async ({ person }) => {
  await person.begins('Stop a long answer');
  await person.sees('This is a long answer.');
  const text = () => person.page.getByRole('region', { name: 'Conversation' }).innerText();
  const early = await text();
  expect(early).not.toContain('That is the end of the long answer.');
  await person.sees('While it comes, nothing of it is stored.');
  await checkPage(person, 'an answer that arrives');
  await person.presses('Stop the agent');
  await person.sees('Stopped');
  await person.sees('Idle');
  await checkPage(person, 'an interrupted answer');
  expect(await text()).not.toContain('That is the end of the long answer.');
});

storyByHand('a message sent during a turn is queued and can be removed', async ({ person }) => {
  await person.begins('Stop a long answer');
  await person.sees('This is a long answer.');
  await person.says('write');
  await person.sees(person.page.getByRole('heading', { name: 'Queued' }));
  await checkPage(person, 'a message that waits');
  await person.presses('Remove: write');
  await person.seesNoMore(person.page.getByRole('heading', { name: 'Queued' }));
  await person.sees('That is the end of the long answer.');
  await person.sees('Idle');
});

storyByHand('an unknown message is answered with the list of scenarios', async ({ person }) => {
  await person.writes('First message', 'Good morning');
  await person.presses('Send');
  await person.sees(
    'This is demo mode: a scripted agent, no model connected, so that you can try everything',
  );
  await person.sees('I show you a plan. Adjust it, then approve it.');
  await checkPage(person, 'the list of scenarios');
});
