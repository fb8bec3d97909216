/** Scenarios with an approval. A bug looks like a file that differs from the approved one. */
import { expect } from 'vitest';
import { checkPage } from '../stage/check-page.ts';
import { storyByHand } from '../stage/story.ts';

storyByHand('a file is written after approval', async ({ person, agent }) => {
  await person.begins('Approve a file');
  await person.sees('Waiting for you');
  await person.sees(person.card(/Write.*hello\.md/));
  await checkPage(person, 'an open approval');
  await person.presses('Approve');
  await person.sees('by you');
  await person.sees('Done. The tool reported');
  await person.sees('Idle');
  await checkPage(person, 'a settled approval');
  expect(await agent.fileIn(person.sessionId, 'hello.md')).toContain('written by the demo model');
});

storyByHand('a mistake is corrected before it is approved', async ({ person, agent }) => {
  await person.begins('Correct its work');
  await person.presses('Edit');
  const field = person.page.getByRole('textbox', { name: 'content' });
  const content = await field.inputValue();
  expect(content).toContain('Dear all,\n\nwe meet');
  await checkPage(person, 'an edit by field');
  await person.presses('Edit as JSON');
  const json = person.page.getByRole('textbox', { name: 'Edit input (JSON)' });
  const whole = await json.inputValue();
  await person.writes('Edit input (JSON)', 'not JSON');
  await person.sees('This is not JSON');
  await checkPage(person, 'an edit that is not JSON');
  expect(await person.button('Approve with changes').isEnabled()).toBe(false);
  await person.writes('Edit input (JSON)', whole);
  await person.presses('Edit by field');
  await person.writes('content', content.replace('Thurzday', 'Thursday'));
  await person.sees(person.page.locator('.input-changes mark', { hasText: 'Thursday' }));
  await checkPage(person, 'a changed field');
  await person.presses('Approve with changes');
  await person.sees('What ran is what you approved');
  await person.unfolds('with edits');
  await person.sees('Changed before approval');
  await checkPage(person, 'an approval with edits, opened');
  const invitation = await agent.fileIn(person.sessionId, 'invitation.txt');
  expect(invitation).toContain('Thursday at 9');
});

storyByHand(
  'a careless idea is denied, and the agent receives the reason',
  async ({ person, agent }) => {
    await person.begins('Refuse something');
    await person.presses('Deny…');
    await checkPage(person, 'the field for a reason');
    await person.page.keyboard.type('We need release 1.4 for the audit.');
    await person.page.keyboard.press('Enter');
    await person.sees('Denied');
    await person.sees(/^Understood: .*We need release 1\.4 for the audit\./);
    await checkPage(person, 'a denial');
    await expect(agent.fileIn(person.sessionId, 'clean-up.sh')).rejects.toThrow('404');
  },
);
