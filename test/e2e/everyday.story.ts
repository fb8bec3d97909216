/** The everyday things of a session: times and links, the list, finding words, tokens, and how to be told. */
import { inject } from 'vitest';
import { agentOf } from './stage/agent.ts';
import { newPerson, PHONE } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const USAGE = { inputTokens: 1_200, outputTokens: 340, cacheReadTokens: 0, cacheWriteTokens: 0 };

story('a person finds a session and a message again, and keeps order', async () => {
  const server = inject('server');
  const agent = agentOf(server);
  const notes = await agent.opensSession('Sort the everyday notes');
  const text = (said: string, responseId: string) =>
    ({ type: 'assistant_text', turnId: 't1', responseId, payload: { text: said } }) as const;
  await agent.appends(notes, [
    { type: 'turn_started', turnId: 't1' },
    text('The everyday needle is in the third drawer.', 'r0'),
    ...Array.from({ length: 120 }, (_, at) => text(`Line ${at}`, `r${at + 1}`)),
    { type: 'turn_ended', turnId: 't1', payload: { reason: 'completed', usage: USAGE } },
  ]);
  await agent.opensSession('Deploy on an everyday Friday');

  const person = await newPerson();
  const { page } = person;
  await person.opens(server.link);
  await person.writes('Find a session', 'everyday NOTES');
  await person.follows(/Sort the everyday notes/);
  await person.sees('Line 119');
  await person.sees('1.2K tokens in, 340 out');
  await checkPage(person, 'a session with times and tokens');

  await person.presses('Find in this session');
  await person.writes('Words to find', 'needle');
  await page.keyboard.press('Enter');
  await person.sees('1 place found');
  await checkPage(person, 'what a search found');
  await person.presses(/third drawer/);
  const found = page.getByRole('region', { name: 'Conversation' }).getByText('third drawer');
  await person.seesInWindow(found);
  await page.keyboard.press('Escape');

  const time = page.getByRole('link', { name: /copy the link to this message/ }).first();
  const address = await time.getAttribute('href');
  await person.follows(time);
  await person.sees('Link copied');
  await person.opens(new URL(address ?? '', server.url).href);
  await person.seesInWindow(found);

  await person.writes('Find a session', 'everyday');
  await person.presses('More about Sort the everyday notes');
  await checkPage(person, 'the menu of a session');
  await person.presses('Pin for me');
  await person.sees(page.getByRole('heading', { name: 'Pinned' }));
  await person.presses('More about Deploy on an everyday Friday');
  await person.presses('Archive for everyone');
  await person.seesNoMore(page.getByRole('link', { name: /everyday Friday/ }));
  await person.presses('Show archived');
  await person.sees(page.getByRole('link', { name: /everyday Friday/ }));
  await checkPage(person, 'archived sessions');

  await person.opens(`${server.url}/#settings=alerts`);
  await person.sees('Sound and badge');
  await checkPage(person, 'the settings of notifications');
  await leavesWithoutProblems(person);
});

story('the list and the search work on a phone', async () => {
  const server = inject('server');
  const agent = agentOf(server);
  const session = await agent.opensSession('A session for one hand');
  await agent.appends(session, [{ type: 'assistant_text', payload: { text: 'A small needle' } }]);
  const person = await newPerson(PHONE);
  const { page } = person;
  await person.opens(`${server.link}&session=${session}`);
  const conversation = page.getByRole('region', { name: 'Conversation' });
  await person.sees(conversation.getByText('A small needle'));
  await person.presses('Find in this session');
  await person.writes('Words to find', 'needle');
  await person.presses('Find');
  await person.sees('1 place found');
  await checkPage(person, 'a search on a phone');
  await person.presses('Close the search');
  await person.presses('Sessions');
  await person.sees(page.getByRole('searchbox', { name: 'Find a session' }));
  await checkPage(person, 'the list on a phone');
  await leavesWithoutProblems(person);
});

story(
  'an administrator renames a session and erases it for everyone',
  async ({ server, agent }) => {
    const session = await agent.opensSession('A session to rename');
    const [ana, ada] = [await newPerson(), await newPerson(PHONE)];
    await ada.opens(`${await agent.linkFor('ada')}&session=${session}`);
    await ana.opens(`${server.url}/#token=${server.adminKey}`);
    await ana.writes('Find a session', 'to rename');
    await ana.presses('More about A session to rename');
    await ana.writes('Title', 'A session to erase');
    await ana.page.keyboard.press('Enter');
    await ada.sees(ada.page.getByRole('heading', { level: 1, name: 'A session to erase' }));
    await ana.writes('Find a session', 'to erase');
    await ana.presses('More about A session to erase');
    await ana.presses('Delete session');
    await ana.sees('This cannot be undone');
    await checkPage(ana, 'before a session is erased');
    await ana.presses('Delete permanently');
    await ana.seesNoMore(ana.page.getByRole('link', { name: /A session to erase/ }));
    await ada.sees(ada.page.getByRole('heading', { name: /Session (not found|was deleted)/ }));
    await checkPage(ada, 'a session that is gone');
    ada.allowsProblems(/40[34]/);
    await leavesWithoutProblems(ana);
    await leavesWithoutProblems(ada);
  },
);
