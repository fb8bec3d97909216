/** Webhooks from the settings. A bug looks like a target that gets nothing while the screen says nothing about it. */
import { expect } from 'vitest';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { agentOf } from './stage/agent.ts';
import { newPerson, PHONE, SMALL_PHONE } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import { startHoldpoint } from './stage/start-holdpoint.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const bash = (command: string) => ({ kind: 'approval', toolName: 'Bash', input: { command } });

story('an administrator adds a webhook and watches it', { timeout: 120_000 }, async () => {
  // The receiver is on this machine.
  const holdpoint = await startHoldpoint({ HOLDPOINT_PRIVATE_TOOLS: '1' });
  const receiver = await startWebhookReceiver();
  const agent = agentOf(holdpoint);
  const administrator = `${holdpoint.url}/#token=${holdpoint.adminKey}`;
  try {
    const person = await newPerson();
    await person.opens(administrator);
    await person.follows('Settings');
    await person.sees('No targets yet');
    await checkPage(person, 'no targets');

    await person.presses('Add target');
    const form = person.page.getByRole('dialog', { name: 'Add target' });
    await person.writes('Address', 'ftp://hooks.example.com/', form);
    await person.presses('Add target', form);
    await person.sees('The URL is not one of HTTP or HTTPS');
    await checkPage(person, 'a wrong address');
    person.allowsProblems(/400/);
    await person.writes('Address', receiver.url, form);
    await person.writes('Answers as', 'Policy service', form);
    await person.presses('Add target', form);
    const added = person.page.getByRole('dialog', { name: 'Target added' });
    const secret = added.getByRole('textbox', { name: 'Signing secret' });
    expect(await secret.inputValue()).toMatch(/^whsec_/);
    await checkPage(person, 'the secret');
    await person.presses('Done', added);

    await person.follows(new RegExp(`127.0.0.1:${receiver.port}`));
    await person.sees('Nothing yet.');
    receiver.handle = (_webhook, response) => response.writeHead(503).end('<b>down</b>');
    await person.presses('Send test');
    await person.sees('The receiver responded 503');
    await person.sees('<b>down</b>');
    await checkPage(person, 'a failed test');
    receiver.handle = (_webhook, response) => response.end('{}');

    const session = await agent.opensSession('Paint the door');
    await agent.asks(session, bash('paint door'));
    await expect.poll(() => receiver.received.at(-1)?.type).toBe('interaction.requested');
    const rows = person.page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');
    const requested = rows.filter({ hasText: 'Request opened' });
    await expect
      .poll(async () => {
        await person.presses('Refresh');
        return requested.filter({ hasText: 'Delivered 200' }).count();
      })
      .toBe(1);
    await person.unfolds(requested.locator('summary'));
    const count = receiver.received.length;
    await person.presses('Send again', requested);
    await expect.poll(() => receiver.received.length).toBe(count + 1);
    expect(receiver.received.at(-1)?.id).toBe(receiver.received.at(-2)?.id);
    await checkPage(person, 'deliveries');
    await person.presses('Pause');
    await person.sees('Paused by an administrator.');
    await checkPage(person, 'a paused target');
    const address = person.page.url();
    await leavesWithoutProblems(person);

    for (const device of [PHONE, SMALL_PHONE]) {
      const onPhone = await newPerson(device);
      await onPhone.opens(administrator);
      await onPhone.sees('What should the agent do?');
      await onPhone.opens(address);
      await onPhone.sees('Paused by an administrator.');
      await onPhone.sees('Delivered 200');
      await checkPage(onPhone, 'a target on a phone');
      await onPhone.follows('All targets');
      await onPhone.sees(onPhone.page.getByRole('list', { name: 'Targets' }));
      await checkPage(onPhone, 'targets on a phone');
      await onPhone.presses('Add target');
      await onPhone.sees(onPhone.page.getByRole('dialog', { name: 'Add target' }));
      await checkPage(onPhone, 'the form on a phone');
      await leavesWithoutProblems(onPhone);
    }

    const ada = await newPerson();
    await ada.opens(await agent.linkFor('ada'));
    await ada.follows('Settings');
    await ada.sees(ada.page.getByRole('link', { name: 'Devices and tokens' }));
    expect(await ada.page.getByRole('link', { name: 'Targets' }).count()).toBe(0);
    await ada.opens(address);
    await ada.sees('Only administrators see and change them');
    await checkPage(ada, 'settings without the right');
    await leavesWithoutProblems(ada);
  } finally {
    await receiver.close();
    await holdpoint.stop();
  }
});
