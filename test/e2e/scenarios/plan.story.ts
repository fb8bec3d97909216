/** A plan is sent back and then approved. A bug looks like work on a plan that no one approved. */
import { checkPage } from '../stage/check-page.ts';
import { storyByHand } from '../stage/story.ts';

storyByHand('a plan is adjusted once, and then approved', async ({ person }) => {
  await person.begins('Review a plan');
  const card = person.card('Review the plan');
  await person.sees('List the notes and count them.');
  await checkPage(person, 'a plan');
  await person.chooses(/Request changes/, card);
  await person.writes('What should change?', 'Leave the drafts where they are.');
  await checkPage(person, 'a plan with feedback');
  await person.presses('Send feedback', card);
  await person.sees('Here is version 2 with your feedback in it.');
  await person.sees('Changes requested');
  const second = card.last();
  await person.sees(second.getByText('As you asked:'));
  await person.chooses(/Approve, ask before each edit/, second);
  await person.presses('Approve the plan', second);
  await person.sees('The plan is approved, and it is all I remember.');
  await person.sees('Idle');
  await person.sees(person.button('Mode: Ask first'));
  await checkPage(person, 'an approved plan');
});
