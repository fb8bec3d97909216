/** Two people, one card. A bug looks like two answers, or a settled card that can still be pressed. */
import { expect } from 'vitest';
import { newPerson } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const APPROVAL = {
  kind: 'approval',
  toolName: 'Bash',
  input: { command: 'make deploy' },
  timeoutSeconds: null,
};

story('one person answers, and the card of the other names them', async ({ agent }) => {
  const [ada, bob] = [await newPerson(), await newPerson()];
  const session = await agent.opensSession('Deploy');
  await ada.opens(`${await agent.linkFor('ada')}&session=${session}`);
  await bob.opens(`${await agent.linkFor('bob')}&session=${session}`);
  await ada.sees(ada.page.getByTitle('bob is looking'));
  const id = await agent.asks(session, APPROVAL);
  await bob.sees(bob.page.locator('.card', { hasText: 'ada is looking' }));
  await checkPage(bob, 'an approval at which another person looks');
  await bob.presses('Deny…');
  await ada.presses('Approve');
  await ada.sees('by you');
  await bob.sees('by ada');
  await checkPage(bob, 'an approval that was decided elsewhere');
  expect(await bob.button('Deny').count()).toBe(0);
  expect(await agent.receivesOutcome(session, id)).toMatchObject({
    outcome: 'approved',
    settledBy: { subject: 'ada', via: 'web' },
  });
  await leavesWithoutProblems(ada);
  await leavesWithoutProblems(bob);
});

story('one of two simultaneous presses wins, and both people see the same', async ({ agent }) => {
  const [ada, bob] = [await newPerson(), await newPerson()];
  const session = await agent.opensSession('Deploy at once');
  await ada.opens(`${await agent.linkFor('ada')}&session=${session}`);
  await bob.opens(`${await agent.linkFor('bob')}&session=${session}`);
  const id = await agent.asks(session, APPROVAL);
  await ada.sees(ada.working('Approve'));
  await bob.presses('Deny…');
  // Presses the current positions: a button may be gone before its turn, and is not waited for.
  const buttons = [ada.button('Approve'), bob.button('Deny')];
  const pressed = await Promise.all(buttons.map((button) => button.elementHandle()));
  await Promise.all(
    pressed.map((button) => button?.evaluate((one) => one instanceof HTMLElement && one.click())),
  );
  const { outcome, settledBy } = await agent.receivesOutcome(session, id);
  const [winner, other] = settledBy?.subject === 'ada' ? [ada, bob] : [bob, ada];
  await winner.sees('by you');
  await other.sees(`by ${settledBy?.subject}`);
  for (const person of [ada, bob])
    await person.sees(
      person.page.locator('.settled-line', {
        hasText: /approved/i.test(outcome ?? '') ? 'Approved' : 'Denied',
      }),
    );
  await leavesWithoutProblems(winner);
  // A late answer gets an error status, and browsers log every such status.
  other.allowsProblems(/409/);
  await leavesWithoutProblems(other);
});

story('a person who is overtaken while writing loses no text', async ({ agent }) => {
  const [ada, mia] = [await newPerson(), await newPerson()];
  const session = await agent.opensSession('Overtaken');
  await ada.opens(`${await agent.linkFor('ada')}&session=${session}`);
  await mia.opens(`${await agent.linkFor('mia')}&session=${session}`);
  await agent.asks(session, APPROVAL);
  await ada.presses('Deny…');
  await ada.page.keyboard.type('Not on a Fri');
  await ada.reloads();
  await ada.sees(ada.page.getByRole('textbox', { name: /^Reason/ }));
  await ada.page.getByRole('textbox', { name: /^Reason/ }).press('End');
  await ada.page.keyboard.type('day');
  await mia.presses('Approve');
  await ada.sees('mia approved this while you were writing.');
  await checkPage(ada, 'an answer that was overtaken');
  // The focus stays: further keys do not go to the page.
  await ada.page.keyboard.type(', please');
  await ada.presses('Send it as a message');
  await ada.sees(ada.page.locator('.message', { hasText: 'Not on a Friday, please' }));
  await ada.seesNoMore('while you were writing');
  await leavesWithoutProblems(ada);
  await leavesWithoutProblems(mia);
});

story('a read-only person sees the card without buttons', async ({ agent }) => {
  const reader = await newPerson();
  const session = await agent.opensSession('Read along');
  await agent.asks(session, APPROVAL);
  await reader.opens(`${await agent.linkFor('carol', ['read'])}&session=${session}`);
  await reader.sees('View only: you can’t answer this.');
  await reader.sees('View only: you can’t send messages here.');
  expect(await reader.button('Approve').count()).toBe(0);
  await checkPage(reader, 'a session for reading');
  await leavesWithoutProblems(reader);
});
