/** A newcomer connects an agent. A bug looks like a command that does not work, or a page that never says that it did. */
import { execFile } from 'node:child_process';
import { expect } from 'vitest';
import { agentOf } from './stage/agent.ts';
import { newPerson, PHONE, SMALL_PHONE } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import type { Person } from './stage/person.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

/** What the page shows to paste. */
async function pasted(person: Person): Promise<string> {
  return (await person.page.locator('.copy-block pre').allTextContents()).join('\n');
}

story('an administrator pastes what the page shows, and it turns green', async ({ server }) => {
  const administrator = `${server.url}/#token=${server.adminKey}`;
  for (const device of [{}, PHONE, SMALL_PHONE]) {
    const person = await newPerson(device);
    await person.opens(administrator);
    await person.sees('What should the agent do?');
    await person.opens(`${server.url}/#settings=connect`);
    await person.chooses('curl');
    await checkPage(person, 'an agent is chosen');
    await person.presses('Make a key');
    await person.sees('Waiting for its first request.');
    await checkPage(person, 'the key and what to paste');
    const ran = execFile('sh', ['-c', await pasted(person)]);
    await person.sees('Connected.');
    await person.sees('It asks about Bash in the session “By hand”.');
    await checkPage(person, 'the agent is connected');
    await person.follows('Answer it');
    await person.presses('Approve');
    await person.sees('by you');
    await leavesWithoutProblems(person);
    ran.kill();
  }
});

story('a person with a link reads whom to ask, and sees an agent arrive', async ({ server }) => {
  const agent = agentOf(server);
  const person = await newPerson();
  await person.opens(server.link);
  await person.follows('Connect an agent');
  await person.sees('Only administrators make keys');
  await person.sees('Waiting for its first request.');
  await checkPage(person, 'without the right to make a key');
  expect(await person.button('Make a key').count()).toBe(0);
  const session = await agent.opensSession('From elsewhere');
  await agent.asks(session, { kind: 'approval', toolName: 'Deploy', input: {} });
  await person.sees('It asks about Deploy in the session “From elsewhere”.');
  await leavesWithoutProblems(person);
});
