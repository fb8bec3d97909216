/** What an administrator does in the settings. A bug looks like a key that nobody can revoke, or a list that hides who allowed it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { agentOf } from './stage/agent.ts';
import { newPerson, PHONE } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import { startHoldpoint } from './stage/start-holdpoint.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const bash = (command: string) => ({ kind: 'approval', toolName: 'Bash', input: { command } });
const PICTURES = process.env['HOLDPOINT_ADMIN_PICTURES'];

story('an administrator makes a key, finds who allowed what, and sets a default', async () => {
  const holdpoint = await startHoldpoint();
  const agent = agentOf(holdpoint);
  const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-audit-'));
  const administrator = `${holdpoint.url}/#token=${holdpoint.adminKey}`;
  const section = (name: string) => `${holdpoint.url}/#settings=${name}`;
  try {
    const session = await agent.opensSession('Release');
    for (const command of ['make test', 'make deploy']) {
      const id = await agent.asks(session, bash(command));
      await agent.answers(session, id, { decision: 'approve', reason: 'green' });
    }
    await agent.asks(session, bash('make publish'));

    const person = await newPerson();
    const look = async (state: string) => {
      await checkPage(person, state);
      if (PICTURES !== undefined)
        await person.page.screenshot({ path: `${PICTURES}/${state}.png` });
    };
    await person.opens(administrator);
    await person.follows('Settings');

    const { keyboard } = person.page;
    await person.follows('Keys');
    await person.sees(person.page.getByRole('heading', { name: 'Keys' }));
    await look('keys');
    await person.presses('Create key');
    const form = person.page.getByRole('dialog', { name: 'Create key' });
    await person.sees(form);
    await person.presses('Create key', form);
    await person.sees('Give it a name');
    await look('key-form');
    await person.writes('Name', 'Build <b>bot</b>', form);
    await keyboard.press('Enter');
    const made = person.page.getByRole('dialog', { name: 'Key created' });
    const secret = await made.getByRole('textbox', { name: 'Key' }).inputValue();
    expect(secret).toMatch(/^hp_/);
    await look('key-created');
    await keyboard.press('Escape');
    await person.sees('Build <b>bot</b>');
    const reply = await fetch(`${holdpoint.url}/v1/me`, {
      headers: { Authorization: `Bearer ${secret}` },
    });
    expect(await reply.json()).toMatchObject({ subject: 'Build <b>bot</b>', scopes: ['agent'] });
    await person.reloads();
    await person.sees(person.page.getByRole('list', { name: 'Keys' }));
    await look('keys-made');
    await person.presses('Revoke Build <b>bot</b>');
    await person.sees('signed out at once');
    await person.presses('Revoke');
    await person.seesNoMore('Build <b>bot</b>');

    // Who allowed the deployment?
    await person.follows('Audit');
    await person.sees(person.page.getByRole('list', { name: 'Audit' }));
    await look('audit');
    await person.selects('Outcome', 'Approved');
    await person.writes('Text', 'green');
    await keyboard.press('Enter');
    await person.sees('2 entries');
    await person.unfolds(person.page.locator('.audit-entry summary').first());
    await person.sees('Digest of the input');
    await look('audit-found');
    const download = person.page.waitForEvent('download');
    await person.presses('Export CSV');
    const file = path.join(folder, 'audit.csv');
    await (await download).saveAs(file);
    const csv = readFileSync(file, 'utf8').split('\r\n');
    expect(csv).toHaveLength(4);
    expect(csv[1]).toContain(',approved,green,');

    // A deadline for approvals.
    await person.follows('Defaults');
    await person.writes('Approvals', 'soon');
    await person.presses('Save defaults');
    await person.sees('Write a time such as 10m');
    await person.writes('Approvals', '2h');
    await person.writes('Tools', 'Bash');
    await person.writes('People', 'ada, bob');
    await person.presses('Add rule');
    await look('defaults');
    await person.presses('Save defaults');
    await person.sees('Saved');
    const settings = await fetch(`${holdpoint.url}/v1/settings`, {
      headers: { Authorization: `Bearer ${holdpoint.adminKey}` },
    });
    expect(await settings.json()).toMatchObject({
      settings: {
        timeouts: { approval: 7200 },
        audiences: [{ tools: ['Bash'], audience: { subjects: ['ada', 'bob'] } }],
      },
    });

    await person.follows('Status');
    await person.sees('Waiting now');
    await person.sees('Time to answer, last 24 hours');
    await look('status');

    // What a retention would delete, before it is switched on.
    await person.follows('Retention');
    await person.writes('Days after the last event', '30');
    await person.presses('Preview');
    await person.sees('0 sessions would be deleted');
    await look('retention');
    await person.presses('Delete old sessions');
    await person.presses('Delete them');
    await person.sees('Saved');

    // Another workspace, which knows nothing of this one.
    await person.follows('Workspaces');
    await person.presses('Create workspace');
    const workspace = person.page.getByRole('dialog', { name: 'Create workspace' });
    await person.writes('Name', 'docs-team', workspace);
    await person.writes('Title', 'Docs team', workspace);
    await person.presses('Create workspace', workspace);
    await person.sees('Docs team');
    await look('workspaces');
    await person.presses('Open Docs team');
    await person.presses('Switch to administrator');
    await person.sees('What should the agent do?');
    await expect.poll(() => person.page.getByText('Release').count()).toBe(0);
    await leavesWithoutProblems(person);

    const phone = await newPerson(PHONE);
    await phone.opens(administrator);
    await phone.sees('What should the agent do?');
    for (const name of ['status', 'keys', 'audit', 'defaults', 'retention', 'workspaces']) {
      await phone.opens(section(name));
      await phone.sees(phone.page.getByRole('heading', { level: 2 }));
      await phone.page.waitForTimeout(500);
      await checkPage(phone, `${name} on a phone`);
      if (PICTURES !== undefined)
        await phone.page.screenshot({ path: `${PICTURES}/${name}-phone.png` });
    }
    await leavesWithoutProblems(phone);

    const ada = await newPerson();
    await ada.opens(await agent.linkFor('ada'));
    await ada.follows('Settings');
    await ada.sees(ada.page.getByRole('heading', { name: 'My devices' }));
    await expect.poll(() => ada.page.getByRole('link', { name: 'Audit' }).count()).toBe(0);
    await ada.opens(section('audit'));
    await ada.sees('Only administrators see this page');
    await leavesWithoutProblems(ada);
  } finally {
    await holdpoint.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
