/**
 * [HOOK-1] A command hook notices that its program was killed, also behind the shell that the program started it with. A bug
 * here looks like an answer that nobody receives: the command of a dead agent takes it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import { isLongRun } from '../support/run-length.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-parent-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Says by files that it runs, and that its program is gone. */
const COMMAND = path.join(folder, 'command.ts');
writeFileSync(
  COMMAND,
  `import { writeFileSync } from 'node:fs';
import { processTerminal } from '${path.join(ROOT, 'src/cli/cli-command.ts')}';
const [file = ''] = process.argv.slice(2);
const watch = processTerminal().onOrphaned((state) => {
  writeFileSync(file + '.' + state, '');
  process.exit(0);
});
setTimeout(() => process.exit(1), 60_000);
await watch.check();
writeFileSync(file + '.started', '');
`,
);

/** A program that runs a command line as Claude Code and Codex do, or a command without a shell. */
const PROGRAM = path.join(folder, 'program.ts');
writeFileSync(
  PROGRAM,
  `import { spawn } from 'node:child_process';
const [shell, ...words] = process.argv.slice(2);
const [file = '', ...args] = words;
if (shell === 'yes') {
  const child = spawn(words.join(' ') + ' || exit 2', { shell: true, stdio: 'ignore' });
  process.on('SIGUSR2', () => child.kill('SIGTERM'));
}
else spawn(file, args, { stdio: 'ignore' });
setInterval(() => undefined, 1_000);
`,
);

/** Without a shell the program itself is the parent; the short run has the longer way. */
const SHELLS = isLongRun ? ['yes', 'no'] : ['yes'];

it.concurrent.each(SHELLS)('[HOOK-1] behind a shell: %s', { timeout: 60_000 }, async (shell) => {
  const file = path.join(folder, shell);
  const command = [process.execPath, COMMAND, file];
  const program = spawn(process.execPath, [PROGRAM, shell, ...command], { stdio: 'ignore' });
  const isThere = (name: string) =>
    vi.waitFor(() => expect(existsSync(`${file}.${name}`)).toBe(true), { timeout: 30_000 });
  await isThere('started');
  // A check or two have passed by then.
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(existsSync(`${file}.gone`)).toBe(false);
  program.kill('SIGKILL');
  await once(program, 'exit');
  await isThere('gone');
});

it.concurrent('[HOOK-1] a program that ends only the shell has stopped its hook', {
  timeout: 60_000,
}, async () => {
  const file = path.join(folder, 'stopped');
  const command = [process.execPath, COMMAND, file];
  const program = spawn(process.execPath, [PROGRAM, 'yes', ...command], { stdio: 'ignore' });
  const isThere = (name: string) =>
    vi.waitFor(() => expect(existsSync(`${file}.${name}`)).toBe(true), { timeout: 30_000 });
  await isThere('started');
  program.kill('SIGUSR2');
  await isThere('stopped');
  expect(existsSync(`${file}.gone`)).toBe(false);
  program.kill('SIGKILL');
});
