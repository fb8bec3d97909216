/** Deciding, the task of every day. A bug looks like a decision that takes a mouse, a menu and a page more than it should. */
import { expect } from 'vitest';
import type { JsonObject } from '../../../src/protocol/types.ts';
import type { Agent } from '../stage/agent.ts';
import { PHONE } from '../stage/browser.ts';
import { addressOf } from '../stage/team.ts';
import { task } from './task.ts';

const bash = (command: string) => ({ kind: 'approval', toolName: 'Bash', input: { command } });
const PATCH = `*** Begin Patch
*** Update File: src/limits.ts
@@ export const LIMITS
-  requestsPerMinute: 60,
+  requestsPerMinute: 120,
*** Update File: docs/limits.md
@@ ## Requests
-Sixty requests in a minute.
+One hundred and twenty requests in a minute.
*** End Patch`;
const PLAN = [
  '# Move the service',
  '1. Copy the data at night',
  '2. Point the clients to the new address',
  '3. Delete the old data',
].join('\n\n');

async function opened(agent: Agent, title: string, request: JsonObject) {
  const session = await agent.opensSession(title);
  const id = await agent.asks(session, request);
  const place = `session=${session}&interaction=${id}`;
  const outcome = () => agent.receivesOutcome(session, id);
  return { session, id, place, inbox: `/inbox#${place}`, outcome };
}

task('Approve on a phone', async ({ enters, agent, holdpoint }) => {
  const dan = await enters('dan', { device: PHONE });
  const { place, outcome } = await opened(agent, 'Release', bash('make deploy'));
  dan.counted.add('the notification');
  await dan.opens(`${holdpoint.url}/#${place}`);
  await dan.sees(dan.working('Approve'));
  await dan.presses('Approve');
  await dan.sees('by you');
  expect(await outcome()).toMatchObject({
    outcome: 'approved',
    settledBy: { subject: addressOf('dan'), via: 'web' },
  });
});

task('Deny with a reason', async ({ enters, agent }) => {
  const { inbox, outcome } = await opened(agent, 'Clean up', bash('rm -rf build'));
  const eva = await enters('eva', { at: inbox });
  await eva.sees(eva.button('Deny…'));
  const { keyboard } = eva.page;
  await keyboard.press('d');
  await eva.sees(eva.page.getByRole('textbox', { name: /^Reason/ }));
  await keyboard.type('Keep it until the release');
  await keyboard.press('Enter');
  await eva.sees('by you');
  expect(await outcome()).toMatchObject({
    outcome: 'denied',
    reason: 'Keep it until the release',
  });
});

task('Correct one field and approve', async ({ enters, agent }) => {
  const mail = { to: 'team@example.com', subject: 'Release 2.4', body: 'It is out.' };
  const { inbox, outcome } = await opened(agent, 'Announce', {
    kind: 'approval',
    toolName: 'SendMail',
    allowEdit: true,
    input: mail,
  });
  const dan = await enters('dan', { at: inbox });
  await dan.sees(dan.working('Approve'));
  await dan.page.keyboard.press('e');
  await dan.writes(/^to$/, 'everyone@example.com');
  await dan.sees(dan.working('Approve with changes'));
  await dan.presses('Approve with changes');
  await dan.sees('by you');
  expect((await outcome()).updatedInput).toEqual({ ...mail, to: 'everyone@example.com' });
});

task('Read a change of two files and approve', async ({ enters, agent }) => {
  const { inbox, outcome } = await opened(agent, 'Limits', {
    kind: 'approval',
    toolName: 'apply_patch',
    input: { input: PATCH },
  });
  const eva = await enters('eva', { at: inbox });
  const card = eva.card(/^apply_patch/);
  await eva.sees(card.locator('.line.new', { hasText: '120' }));
  await eva.sees(card.locator('.line.new', { hasText: 'One hundred and twenty' }));
  await eva.sees(eva.working('Approve'));
  await eva.page.keyboard.press('a');
  await eva.sees('by you');
  expect((await outcome()).outcome).toBe('approved');
});

task('Comment on a line of a plan and send it back', async ({ enters, agent }) => {
  const { inbox, outcome } = await opened(agent, 'Move', {
    kind: 'plan_review',
    toolName: 'ExitPlanMode',
    plan: PLAN,
  });
  const ben = await enters('ben', { at: inbox });
  await ben.presses('Comment on “Delete the old data”');
  await ben.sees(ben.page.getByRole('textbox', { name: 'Your comment' }));
  await ben.page.keyboard.type('Not before the audit.');
  await ben.presses('Save the comment');
  await ben.presses('Send feedback');
  await ben.sees('by you');
  expect((await outcome()).reason).toContain('Delete the old data\nNot before the audit.');
});

task('Decide forty alike requests together', async ({ enters, agent }) => {
  const all = [];
  for (let at = 0; at < 40; at += 1)
    all.push(await opened(agent, `Service ${at}`, bash('npm test')));
  const cleo = await enters('cleo', { at: all[0]?.inbox ?? '' });
  await cleo.sees('40 requests ask the same');
  await cleo.sees(cleo.working('Approve'));
  await cleo.page.keyboard.press('s');
  await cleo.sees(cleo.working('Approve 40'));
  await cleo.page.keyboard.press('a');
  await cleo.sees('Nothing waiting');
  for (const { outcome } of all) expect((await outcome()).outcome).toBe('approved');
});

task('Take back one of my decisions', async ({ enters, agent, by }) => {
  const title = `Too early, by ${by}`;
  const { session, id, inbox } = await opened(agent, title, bash('npm publish'));
  const dan = await enters('dan', { at: inbox });
  await dan.sees(dan.working('Approve'));
  await dan.page.keyboard.press('a');
  await dan.sees('by you');
  await dan.counted.begin();
  await dan.follows('History');
  await dan.follows(new RegExp(title), dan.page.getByRole('main'));
  await dan.presses('Take back');
  await dan.sees('You took back the decision on this. It is open again.');
  // An agent that comes for the first request finds the one that is open.
  expect(await agent.isOpen(session, id)).toBe(true);
});
