/** The completion scripts, in the shells that this machine has. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';

const hasShell = (shell: string) => spawnSync(shell, ['--version']).status === 0;

/** Bash is on every machine that runs these tests; of the others, those that are there. */
const OTHER_SHELLS = [
  {
    shell: 'zsh',
    before: 'autoload -U compinit; compinit -D',
    after: 'echo $_comps[holdpoint]',
    expected: '_holdpoint',
  },
  { shell: 'fish', before: 'true', after: "complete -C 'holdpoint app'", expected: 'approve' },
].filter(({ shell }) => hasShell(shell));

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
    [['holdpoint', 'a'], 'ask approve answer audit acp'],
    [['holdpoint', 'ask', '--det'], '--detach'],
    [['holdpoint', 'completion', ''], 'bash zsh fish --json --help'],
    [['holdpoint', 'keys', 'r'], 'revoke'],
  ])('completes %j in bash', async (words, expected) => {
    const list = words.map((word) => `'${word}'`).join(' ');
    const script = `${await scriptFor('bash')}
      COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _holdpoint; echo "\${COMPREPLY[@]}"`;
    expect(run('bash', script)).toBe(`${expected}\n`);
  });

  it.each(OTHER_SHELLS)('is read by $shell', async ({ shell, before, after, expected }) => {
    const script = `${before}; ${await scriptFor(shell)}; ${after}`;
    expect(run(shell, script)).toContain(expected);
  });

  it.each(['', 'powershell', '__proto__', 'toString'])('knows no shell %j', async (shell) => {
    expect((await runCli(['completion', shell])).code).toBe(2);
  });
});
