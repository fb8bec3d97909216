/**
 * A person decides only on what was on their screen.
 *
 * A bug looks like an Approve that can be pressed while the command, the end of the plan or the question
 * is somewhere else.
 */
import { expect } from 'vitest';
import { agentOf } from './stage/agent.ts';
import { somebodyNew } from './stage/browser.ts';
import { looksFine } from './stage/looks.ts';
import { startHoldpoint } from './stage/start-holdpoint.ts';
import { endsWell, story } from './stage/story.ts';

story(
  'many waiting sessions do not push the app off the screen',
  { timeout: 120_000 },
  async () => {
    // Of its own: so many sessions would be in the way of every other story.
    const holdpoint = await startHoldpoint();
    const agent = agentOf(holdpoint);
    try {
      for (let at = 0; at < 25; at += 1) {
        const session = await agent.opensSession(`Waiting ${at}`);
        await agent.asks(session, { kind: 'approval', toolName: 'Bash', input: { command: 'ls' } });
      }
      const person = await somebodyNew();
      await person.opens(await agent.linkFor('ada'));
      await person.sees('Waiting 24');
      await person.sees(person.page.locator('.session-row .waits').last());
      const foot = person.button('Sign out');
      await foot.hover();
      await person.page.mouse.wheel(0, 3_000);
      await expect.poll(() => foot.isVisible()).toBe(true);
      expect(await person.page.evaluate(() => scrollY)).toBe(0);
      await looksFine(person, 'many sessions that wait');
      await endsWell(person);
    } finally {
      await holdpoint.stop();
    }
  },
);
