/** A bug here looks like `npm testify` under a rule for `npm test`, or `sudo rm` past a rule that denies `rm`. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  coversCommand,
  findPrefix,
  prefixProblem,
  readPrefix,
} from '../../../src/core/rules/command-prefix.ts';
import { parseCommand } from '../../../src/core/rules/parse-command.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { lowestCpuMs } from '../../support/cpu-time.ts';

describe('a prefix', () => {
  it.each([
    'npm test',
    'git commit',
    './build.sh',
    'python scripts/lint.py',
    "git 'commit'",
    'make -j8 all',
    'timeout 5 npm test',
    'timeout -k 1 5 npm test',
    'nice -n 5 make test',
    'sudo -u bob ls',
    'xargs -n 1 ls',
    'env -u HOME pytest',
    'bash build.sh',
    'python -m pytest',
    'python3.12 scripts/lint.py',
    'uv run pytest',
    'npm exec -- prettier',
    'npx -y prettier',
    'docker run alpine ls',
    'kubectl exec web -- ls',
    'git -C /app status',
  ])('[TEAM-2] %j is good', (prefix) => {
    expect(prefixProblem(prefix, 'allow')).toBeUndefined();
    expect(prefixProblem(prefix, 'deny')).toBeUndefined();
  });

  it.each([
    '',
    ' ',
    'a && b',
    'a;',
    'a | b',
    'npm $X',
    'A=1 npm',
    'npm test > x',
    'npm *',
    'n*m',
    'a\nb',
    'a &',
    `'a`,
    'x '.repeat(LIMITS.ruleCommandWords + 1),
  ])('[TEAM-2] %j is refused', (prefix) => {
    expect(prefixProblem(prefix, 'deny')).toBeDefined();
  });

  it.each([
    'bash',
    'sudo',
    'sh -c',
    'env',
    '/usr/bin/env',
    'BASH',
    'python -c',
    'sudo bash',
    'env A=1',
    'xargs',
    'node -e',
    'find',
    'find src',
    'timeout 5',
    'timeout 5 bash',
    'nice -n 5',
    'sudo -u bob',
    'sudo npm',
    'sudo --user bob ls',
    'xargs -n 1',
    'doas -u bob',
    'su bob',
    'parallel -j 2',
    'ionice -c 3',
    'chroot /x',
    'ssh host ls',
    'ash',
    'rbash',
    'bash -c',
    'python3.12',
    'python -W ignore',
    'nodejs',
    'make',
    'make -C src',
    'systemd-run',
    'flock F',
    'taskset 1',
    'setpriv',
    'nsenter',
    'tmux',
    'trap',
    'toybox',
    'uv',
    'uv run',
    'uv run python',
    'uv tool run',
    'npm',
    'npm exec',
    'npm --prefix x exec',
    'pnpm dlx',
    'yarn dlx',
    'bun x',
    'npx',
    'deno eval',
    'docker run',
    'docker run alpine',
    'docker compose exec web',
    'docker exec web sh',
    'kubectl exec web --',
    'git',
    'git -c',
  ])('[TEAM-2] %j allows nothing by itself, and may deny', (prefix) => {
    expect(prefixProblem(prefix, 'allow')).toMatch(/any command/);
  });

  it('[TEAM-2] that names a runner may deny and ask', () => {
    for (const prefix of ['bash', 'sudo']) expect(prefixProblem(prefix, 'deny')).toBeUndefined();
  });
});

describe('allowing', () => {
  it.each([
    ['npm test', 'npm test', true],
    ['npm test', 'npm test -- x', true],
    ['npm test', `npm 'test' "a b"`, true],
    ['npm test', 'npm testify', false],
    ['npm test', 'npm', false],
    ['npm test', 'xnpm test', false],
    ['npm test', '/usr/bin/npm test', false],
    ['npm test', 'NPM test', false],
    ['npm test', `'npm test'`, false],
    ['npm test', 'npm te?t', false],
    ['npm test', 'npm "" test', false],
  ])('[TEAM-2] %j covers %j: %s', (prefix, command, expected) => {
    const [first = []] = parseCommand(command).commands;
    expect(coversCommand(readPrefix(prefix), first)).toBe(expected);
  });
});

describe('denying', () => {
  it.each([
    ['rm -rf', 'rm -rf x', 'yes'],
    ['rm -rf', 'ls && rm -rf x', 'yes'],
    ['rm -rf', '/bin/rm -rf x', 'yes'],
    ['rm -rf', 'RM -rf x', 'yes'],
    ['rm -rf', 'sudo rm -rf x', 'yes'],
    ['rm -rf', 'env A=1 timeout 5 rm -rf x', 'yes'],
    ['rm -rf', 'echo $(rm -rf x)', 'yes'],
    ['rm -rf', '\\rm -rf x', 'yes'],
    ['rm -rf', `"rm" '-rf' x`, 'yes'],
    ['rm -rf', 'if true; then rm -rf x; fi', 'yes'],
    ['rm -rf', 'rm x', 'no'],
    ['rm -rf', 'rm', 'no'],
    ['rm -rf', 'echo rm -rf', 'no'],
    ['rm -rf', 'rmdir -rf', 'no'],
    ['rm -rf', `bash -c 'rm -rf x'`, 'unclear'],
    ['rm -rf', 'echo x | xargs ls', 'unclear'],
    ['rm -rf', 'rm $FLAGS x', 'unclear'],
    ['rm -rf', 'rm -r? x', 'unclear'],
    ['rm -rf', 'r* -rf x', 'unclear'],
    ['rm -rf', 'echo "$X"', 'unclear'],
    ['rm -rf', 'eval echo', 'unclear'],
    ['rm -rf', `ash -c 'rm -rf x'`, 'unclear'],
    ['rm -rf', `python3 -c 'x'`, 'unclear'],
    ['rm -rf', `python3.12 -W ignore -c 'x'`, 'unclear'],
    ['rm -rf', 'echo x | python3', 'unclear'],
    ['rm -rf', `node -e 'x'`, 'unclear'],
    ['rm -rf', `perl -ne 'x'`, 'unclear'],
    ['rm -rf', `awk 'BEGIN{system("rm -rf x")}'`, 'unclear'],
    ['rm -rf', `docker exec web sh -c 'rm -rf x'`, 'unclear'],
    ['rm -rf', `uv run python -c 'x'`, 'unclear'],
    ['rm -rf', `npm exec -c 'rm -rf x'`, 'unclear'],
    ['rm -rf', 'npx rm -rf x', 'yes'],
    ['rm -rf', 'docker run -v /:/x alpine rm -rf /x', 'yes'],
    ['rm -rf', 'python3 scripts/lint.py -c x', 'no'],
    ['rm -rf', 'python3 -m pytest -c x', 'no'],
    ['rm -rf', 'python3 --version', 'no'],
    ['rm -rf', `awk '{print NF}' x`, 'no'],
    ['rm -rf', 'uv run pytest', 'no'],
    ['rm -rf', 'npm test', 'no'],
  ])('[TEAM-2] %j is in %j: %s', (prefix, command, expected) => {
    expect(findPrefix(readPrefix(prefix), parseCommand(command))).toBe(expected);
  });
});

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,5}$/);

it('[TEAM-2] what a prefix allows, the same prefix denies', () => {
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 3 }),
      fc.array(word, { maxLength: 3 }),
      fc.constantFrom('', ' && ls', '; x', ' | y', ' $Z', ' > f'),
      (prefix, more, end) => {
        const parsed = parseCommand([...prefix, ...more].join(' ') + end);
        const covers = parsed.commands.some((command) => coversCommand(prefix, command));
        if (covers) expect(findPrefix(prefix, parsed)).toBe('yes');
      },
    ),
  );
});

it('[TEAM-2] takes a time in proportion to the command', () => {
  const prefixes = Array.from({ length: LIMITS.workspaceRules }, (_, at) => ['a', 'a', `b${at}`]);
  for (const command of [`sudo ${'a '.repeat(10_000)}`, 'a a;'.repeat(10_000)]) {
    const parsed = parseCommand(command);
    const work = () => prefixes.map((prefix) => findPrefix(prefix, parsed));
    expect(lowestCpuMs(2, work)).toBeLessThan(1_000);
  }
});
