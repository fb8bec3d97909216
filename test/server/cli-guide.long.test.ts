/** docs/command-line.md is a recording: its commands run here, one after another, and print what the page says. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import { emptyFolder, NODE_ARGS, runCli, waitForText } from '../support/cli.ts';
import { keyWith, sign } from '../support/http/credentials.ts';
import { startServer } from '../support/http/server.ts';

const PAGE = readFileSync(path.join(ROOT, 'docs/command-line.md'), 'utf8');
const server = await startServer();
const person = await sign({
  kind: 'person',
  subject: 'ada',
  scopes: ['read', 'answer', 'send'],
  expiresAt: Date.now() + 3_600_000,
  mintedBy: ['key_people'],
});

interface Step {
  readonly who: 'agent' | 'ada';
  readonly command: string;
  readonly output: string;
}

/** A command and the lines up to the next one. */
function stepsOf(page: string): Step[] {
  const blocks = [...page.matchAll(/```console\n(.*?)```/gs)].map(([, block = '']) => block);
  return blocks.flatMap((block) =>
    [...block.matchAll(/^(agent|ada)\$ (.*)\n((?:(?!agent\$ |ada\$ ).*\n)*)/gm)].map(
      ([, who, command = '', output = '']) => ({ who: who as Step['who'], command, output }),
    ),
  );
}

it('[CLI-1, CLI-2] does and prints what docs/command-line.md says', {
  timeout: 120_000,
}, async () => {
  const home = emptyFolder();
  const [app, bin] = [path.join(home, 'app'), path.join(home, 'bin')];
  for (const folder of [app, bin]) mkdirSync(folder);
  const program = path.join(bin, 'holdpoint');
  const words = [process.execPath, ...NODE_ARGS].map((word) => `'${word}'`).join(' ');
  writeFileSync(program, `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(program, 0o755);
  const stdin = `${server.url}/#token=${person}`;
  expect((await runCli(['login'], { home, stdin })).code).toBe(0);
  const agent = { HOLDPOINT_URL: server.url, HOLDPOINT_TOKEN: await keyWith('agent') };

  // The login has happened: its link is of the server of `npm start`.
  const [first, ...steps] = stepsOf(PAGE);
  expect(first?.command).toContain('holdpoint login');
  expect(steps.length).toBeGreaterThan(8);
  const ended: Promise<void>[] = [];
  for (const { who, command, output } of steps) {
    const child = spawn('bash', ['-c', command], {
      cwd: app,
      env: { PATH: `${bin}:${process.env['PATH']}`, HOME: home, ...(who === 'agent' && agent) },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const closed = once(child, 'close').then(() => {
      expect(printed.replaceAll(/\b\d+ s ago/g, '0 s ago'), command).toBe(output);
    });
    ended.push(closed);
    if (output.startsWith('Waiting')) {
      await waitForText(() => printed, /Waiting for a person/);
      // The inbox follows the log a moment later.
      await sleep(1_000);
    } else await closed;
  }
  await Promise.all(ended);
});
