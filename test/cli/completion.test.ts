/** The completion scripts, in the shells that this machine has. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';

const hasShell = (shell: string) => spawnSync(shell, ['--version']).status === 0;

async function scriptFor(shell: string): Promise<string> {
  const { code, out } = await runCli(['completion', shell]);
  expect(code).toBe(0);
  return out;
}

function run(shell: string, script: string): string {
  const { status, stdout, stderr } = spawnSync(shell, ['-c', script], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

describe('[CLI-1] completion', () => {
  it.each([
    [['holdpoint', 'a'], 'ask approve answer'],
    [['holdpoint', 'ask', '--det'], '--detach'],
    [['holdpoint', 'completion', ''], 'bash zsh fish --json --help'],
    [['holdpoint', 'keys', 'r'], 'revoke'],
  ])('completes %j in bash', async (words, expected) => {
    const list = words.map((word) => `'${word}'`).join(' ');
    const script = `${await scriptFor('bash')}
      COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _holdpoint; echo "\${COMPREPLY[@]}"`;
    expect(run('bash', script)).toBe(`${expected}\n`);
  });

  it.skipIf(!hasShell('zsh'))('is read by zsh', async () => {
    run('zsh', `autoload -U compinit; compinit -D; ${await scriptFor('zsh')}`);
  });

  it.skipIf(!hasShell('fish'))('completes in fish', async () => {
    const script = `${await scriptFor('fish')}; complete -C 'holdpoint app'`;
    expect(run('fish', script)).toContain('approve');
  });

  it.each(['', 'powershell', '__proto__', 'toString'])('knows no shell %j', async (shell) => {
    expect((await runCli(['completion', shell])).code).toBe(2);
  });
});
