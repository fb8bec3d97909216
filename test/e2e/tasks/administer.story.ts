/** What the administrator of a team does. A bug looks like a setting that only the person who wrote the program finds. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect } from 'vitest';
import { ROOT } from '../../../scripts/lib/paths.ts';
import { task } from './task.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-tasks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A terminal in a clone, with the home folder of a stranger. */
async function runs(command: string): Promise<string> {
  const programs = path.join(folder, 'programs');
  mkdirSync(programs, { recursive: true });
  const main = path.join(ROOT, 'src/cli/main.ts');
  const run = `exec "${process.execPath}" --disable-warning=ExperimentalWarning "${main}" "$@"\n`;
  writeFileSync(path.join(programs, 'holdpoint'), `#!/bin/sh\n${run}`, { mode: 0o755 });
  const where = [programs, path.dirname(process.execPath), process.env['PATH']];
  const env = { PATH: where.join(path.delimiter), HOME: folder };
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: ROOT, env });
  return stdout;
}

const hookCall = (id: string) => ({
  session_id: 'a-conversation-of-claude-code',
  cwd: '/srv/app',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'make deploy' },
  tool_use_id: `toolu_${id}`,
});

task('Connect an agent', async ({ enters, agent, call, by }) => {
  const ana = await enters('ana');
  await ana.follows('Connect an agent');
  await ana.presses('Make a key');
  const block = ana.page.locator('.copy-block');
  await ana.sees(block);
  expect(await block.count()).toBe(1);
  await ana.presses(/^Copy:/);
  ana.counted.add('the command, in a terminal');
  ana.counted.add('its question, answered with yes');
  await runs(`${await block.locator('pre').innerText()} --yes`);
  // What Claude Code runs before its next call; the hook has kept the key.
  writeFileSync(path.join(folder, 'hook.json'), JSON.stringify(hookCall(by)));
  const asked = runs(`holdpoint hook claude-code < ${path.join(folder, 'hook.json')}`);
  await ana.sees('Connected.');
  const { interactions } = (await (await call('GET', '/v1/inbox')).json()) as {
    interactions: readonly { sessionId: string; interactionId: string }[];
  };
  for (const { sessionId, interactionId } of interactions)
    await agent.answers(sessionId, interactionId, { decision: 'approve' });
  expect(await asked).toContain('"permissionDecision":"allow"');
});

task('Find a request and copy its link', async ({ enters, agent, holdpoint, by }) => {
  for (const command of ['npm ci', 'npm test', 'npm run build'])
    await agent.asks(await agent.opensSession('Every day'), {
      kind: 'approval',
      toolName: 'Bash',
      input: { command },
    });
  const session = await agent.opensSession('Release');
  const id = await agent.asks(session, {
    kind: 'approval',
    toolName: 'Bash',
    input: { command: `npm publish --tag ${by}` },
  });
  const ben = await enters('ben', { at: '/inbox' });
  await ben.sees(ben.card('Bash npm ci').first());
  await ben.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await ben.page.keyboard.press('/');
  await ben.page.keyboard.type(by);
  await ben.sees(/^1 of \d shown/);
  await ben.sees(ben.card(`Bash npm publish --tag ${by}`));
  await ben.presses('Copy link to this request');
  await ben.sees('Copied');
  const copied = await ben.page.evaluate(() => navigator.clipboard.readText());
  const { origin, hash } = new URL(copied);
  expect(origin).toBe(holdpoint.url);
  expect([...new URLSearchParams(hash.slice(1))]).toEqual([
    ['session', session],
    ['interaction', id],
  ]);
});

task('Give every approval a deadline', async ({ enters, call, by }) => {
  const hours = by === 'mouse' ? 2 : 3;
  const ana = await enters('ana');
  await ana.follows('Settings');
  await ana.follows('Defaults');
  await ana.writes('Approvals', `${hours}h`);
  await ana.page.keyboard.press('Enter');
  await ana.sees('Saved');
  expect(await (await call('GET', '/v1/settings')).json()).toMatchObject({
    settings: { timeouts: { approval: hours * 3_600 } },
  });
});

task('Export the audit list and verify it', async ({ enters, agent }) => {
  const session = await agent.opensSession('Audited');
  const request = { kind: 'approval', toolName: 'Bash', input: { command: 'ls' } };
  const id = await agent.asks(session, request);
  await agent.answers(session, id, { decision: 'deny', reason: 'No' });
  const ana = await enters('ana');
  await ana.follows('Settings');
  await ana.follows('Audit');
  await ana.sees(ana.button('Export JSON lines'));
  const download = ana.page.waitForEvent('download');
  await ana.presses('Export JSON lines');
  await (await download).saveAs(path.join(folder, 'audit.jsonl'));
  ana.counted.add('holdpoint audit verify');
  expect(await runs(`holdpoint audit verify ${path.join(folder, 'audit.jsonl')}`)).toContain(
    'Head: ',
  );
});

task('See how long requests wait', async ({ enters, agent }) => {
  const session = await agent.opensSession('Timed');
  const request = { kind: 'approval', toolName: 'Bash', input: { command: 'ls' } };
  const id = await agent.asks(session, request);
  await agent.answers(session, id, { decision: 'approve' });
  const ana = await enters('ana');
  await ana.follows('Settings');
  await ana.follows('Status');
  const table = ana.page.getByRole('region', { name: 'Time to answer, last 24 hours' });
  await ana.sees(table.getByRole('columnheader', { name: 'Median' }));
  await ana.sees(table.getByRole('rowheader', { name: 'Approvals' }));
});
