/** The greeting is pasted from, and lands in journals: it must work as it stands, and give nobody a way in off a terminal. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type GreetingInput, greeting } from '../../scripts/lib/greeting.ts';

const TOKEN = 'hp_eyJrIjoi.c2ln';
const input: GreetingInput = {
  url: 'http://127.0.0.1:8788',
  portNote: '8787 is busy, using 8788',
  token: TOKEN,
  person: { name: 'ada', from: 'user' },
  agentTokenFile: '/data/agent-token',
  dataDir: '/data',
};

it('[OPS-4] gives a link on a terminal, and says under which name and on which port', () => {
  const text = greeting(input);
  expect(text).toContain(`http://127.0.0.1:8788/#token=${TOKEN}`);
  expect(text).toContain('signed in as ada');
  expect(text).toContain('8787 is busy, using 8788');
  expect(text).not.toContain('HOLDPOINT_NAME');
  const nameless = greeting({ ...input, person: { name: 'me', from: 'nothing' } });
  expect(nameless).toMatch(/signed in as me \(.*; HOLDPOINT_NAME=… sets another name\):\n/);
});

it('[OPS-4] gives no link anywhere else, but the command that makes one', () => {
  const text = greeting({ ...input, token: undefined, portNote: undefined });
  expect(text).not.toMatch(/token=|hp_/);
  expect(text).toContain('npm run link');
  expect(text).not.toContain('busy');
});

it('can be pasted: the two variables, also from a folder whose name has a space and a quote', () => {
  const folder = mkdtempSync(path.join(tmpdir(), "holdpoint ada's "));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const agentTokenFile = path.join(folder, 'agent-token');
  writeFileSync(agentTokenFile, 'hp_agent.key\n');
  const line = /export .*/.exec(greeting({ ...input, agentTokenFile }))?.[0];
  const { stdout } = spawnSync('sh', [
    '-c',
    `${line}; printf '%s %s' "$HOLDPOINT_URL" "$HOLDPOINT_TOKEN"`,
  ]);
  expect(stdout.toString()).toBe('http://127.0.0.1:8788 hp_agent.key');
});

it('names an address and a credential in no other way than by the two variables', () => {
  const commands = greeting(input).match(/curl .*/g) ?? [];
  expect(commands).toHaveLength(2);
  for (const command of commands) {
    expect(command).toMatch(
      /^curl \$HOLDPOINT_URL\/v1\/.* "Authorization: Bearer \$HOLDPOINT_TOKEN"/,
    );
    expect(command).not.toContain('127.0.0.1');
  }
});
