/** A bug here runs a call that no person allowed, or past a rule that denies it. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestRule } from '../../../src/core/digest.ts';
import { gate } from '../../../src/core/gate.ts';
import { judgeCall } from '../../../src/core/rules/match-rule.ts';
import { type ProposedRule, ruleProblem } from '../../../src/core/rules/make-rule.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import type { Rule } from '../../../src/protocol/schema/rule.ts';
import { PermissionMode } from '../../../src/protocol/schema/session.ts';
import { lowestCpuMs } from '../../support/cpu-time.ts';

const NOW = 1_000;

function rule(fields: Partial<Rule> & Pick<Rule, 'toolName'>): Rule {
  return { id: 'r', effect: 'allow', createdAt: 0, createdBy: 'ann', ...fields };
}

function judged(rules: readonly Rule[], toolName: string, input: JsonObject, now = NOW): string {
  const scoped = rules.map((one) => ({ rule: one, scope: 'session' as const }));
  return judgeCall(scoped, { toolName, input, folder: '/app' }, now)?.effect ?? 'none';
}

const bash = (command: unknown): [string, JsonObject] => ['Bash', { command } as JsonObject];
const NPM = rule({ toolName: 'Bash', command: 'npm test' });
const LINT = rule({ toolName: 'Bash', command: 'npm run lint' });
const NO_RM = rule({ toolName: 'Bash', effect: 'deny', command: 'rm -rf' });
const ASK_PUSH = rule({ toolName: 'Bash', effect: 'ask', command: 'git push' });

describe('commands', () => {
  it.each<[Rule[], unknown, string]>([
    [[NPM], 'npm test -- x', 'allow'],
    [[NPM], 'npm test && npm run lint', 'none'],
    [[NPM, LINT], 'npm test && npm run lint', 'allow'],
    [[NPM], 'npm test | sh', 'none'],
    [[NPM], 'npm test $(x)', 'none'],
    [[NPM], '', 'none'],
    // Rules that an older version took.
    [[rule({ toolName: 'Bash', command: 'npm' })], 'npm test', 'none'],
    [[rule({ toolName: 'Bash', command: 'timeout 5' })], 'timeout 5 ls', 'none'],
    [[NPM, rule({ toolName: 'Bash', effect: 'deny', command: 'npm' })], 'npm test', 'deny'],
    [[NPM], ['npm', 'test'], 'none'],
    [[NPM], 7, 'none'],
    [[NPM, NO_RM], 'npm test; rm -rf x', 'deny'],
    [[NPM, NO_RM], 'npm test $X', 'ask'],
    [[NO_RM], 'bash -c x', 'ask'],
    [[NO_RM], ['rm', '-rf', 'x'], 'deny'],
    [[NO_RM], 'ls', 'none'],
    [[ASK_PUSH, rule({ toolName: 'Bash', everyCommand: true })], 'git push', 'ask'],
    [[ASK_PUSH, rule({ toolName: 'Bash', everyCommand: true })], 'git pull', 'allow'],
    [[NO_RM, ASK_PUSH], 'git push; rm -rf x', 'deny'],
  ])('[TEAM-2] %#: %j', (rules, command, expected) => {
    expect(judged(rules, ...bash(command))).toBe(expected);
  });

  it('[TEAM-2] are not allowed with a field that may change what runs', () => {
    const command = 'npm test';
    expect(judged([NPM], 'Bash', { command, timeout: 5, description: 'x' })).toBe('allow');
    for (const more of ['dangerouslyDisableSandbox', 'env', 'workdir', 'shell', 'stdin']) {
      expect(judged([NPM], 'Bash', { command, [more]: true })).toBe('none');
    }
  });

  it('[TEAM-2] are read for a tool that is named run', () => {
    const one = rule({ toolName: 'run', command: 'npm test' });
    expect(ruleProblem({ effect: 'allow', toolName: 'run', command: 'npm test' })).toBeUndefined();
    expect(judged([one], 'run', { command: 'npm test' })).toBe('allow');
    expect(judged([rule({ toolName: 'run' })], 'run', { command: 'npm test' })).toBe('none');
  });

  it('[TEAM-2] are read for shells of this grammar alone', () => {
    for (const toolName of ['PowerShell', 'cmd', 'python_repl', 'Task']) {
      const one = rule({ toolName, command: 'npm test' });
      expect(judged([one], toolName, { command: 'npm test' })).toBe('none');
      expect(ruleProblem({ effect: 'allow', toolName, command: 'npm test' })?.field).toBe(
        'command',
      );
    }
  });

  it('[TEAM-2] name every rule that was needed', () => {
    const rules = [
      { rule: { ...NPM, id: 'one' }, scope: 'session' as const },
      { rule: { ...LINT, id: 'two' }, scope: 'workspace' as const },
    ];
    const call = { toolName: 'Bash', input: { command: 'npm run lint; npm test; npm test x' } };
    expect(judgeCall(rules, call, NOW)).toEqual({
      effect: 'allow',
      by: {
        rule: 'two',
        scope: 'workspace',
        createdBy: 'ann',
        pattern: 'Bash: npm run lint …',
        others: ['one'],
      },
    });
  });
});

describe('files and addresses', () => {
  const SRC = rule({ toolName: 'Edit', path: 'src/**' });
  const HOST = rule({ toolName: 'WebFetch', host: '*.example.org' });

  it.each<[Rule, string, JsonObject, string]>([
    [SRC, 'Edit', { file_path: 'src/a', old_string: '', new_string: '' }, 'allow'],
    // The folder is the agent's own word.
    [SRC, 'Edit', { file_path: '/app/src/a' }, 'none'],
    [{ ...SRC, path: '/app/src/**' }, 'Edit', { file_path: '/app/src/a' }, 'allow'],
    [{ ...SRC, path: '/app/src/**' }, 'Edit', { file_path: 'src/a' }, 'none'],
    [SRC, 'Edit', { file_path: 'src/a', path: '/etc/passwd' }, 'none'],
    [SRC, 'Edit', { file_path: 'src/a', target_file: '/etc/passwd' }, 'none'],
    [SRC, 'Edit', { file_path: 'src/a', edits: [{ file_path: '/etc/passwd' }] }, 'none'],
    [SRC, 'Edit', {}, 'none'],
    [SRC, 'Write', { file_path: 'src/a' }, 'none'],
    [{ ...SRC, toolName: 'move_file' }, 'move_file', { path: 'src/a' }, 'none'],
    [HOST, 'WebFetch', { url: 'https://a.example.org', prompt: 'x' }, 'allow'],
    [HOST, 'WebFetch', { url: 'https://a.example.org', proxy: 'http://evil.test' }, 'none'],
    [HOST, 'WebFetch', { url: 'https://example.org' }, 'none'],
    [{ ...HOST, toolName: 'Bash' }, 'Bash', { url: 'https://a.example.org' }, 'none'],
    [{ ...SRC, effect: 'deny' }, 'Edit', { file_path: '/app/src/../src/a' }, 'deny'],
    [
      { ...SRC, effect: 'deny', toolName: 'mcp__fs__*' },
      'mcp__fs__move',
      { destination: 'src/a' },
      'deny',
    ],
    [{ ...SRC, effect: 'deny' }, 'Edit', { file_path: '../x' }, 'ask'],
    [{ ...SRC, effect: 'deny' }, 'Edit', { file_path: '/elsewhere/src/a' }, 'ask'],
    [{ ...SRC, effect: 'deny' }, 'Edit', { file_path: '/proc/self/cwd/src/a' }, 'ask'],
    [{ ...SRC, effect: 'deny' }, 'Edit', { edits: [{ file_path: 'src/a' }] }, 'deny'],
    [{ ...SRC, effect: 'deny' }, 'Edit', { paths: ['x', 'y/../src/a'] }, 'deny'],
    [{ ...SRC, effect: 'deny' }, 'Edit', { src: 'src/a', note: { dest: 'x' } }, 'deny'],
    [{ ...SRC, effect: 'deny' }, 'Edit', { edits: [{ file_path: 'x' }], paths: ['y'] }, 'none'],
    [{ ...HOST, effect: 'deny' }, 'WebFetch', { go: { url: 'https://a.example.org' } }, 'deny'],
    [{ ...HOST, effect: 'deny' }, 'WebFetch', { url: 'a.example.org' }, 'deny'],
  ])('[TEAM-2] %#', (one, toolName, input, expected) => {
    expect(judged([one], toolName, input)).toBe(expected);
  });
});

describe('tools', () => {
  const { effect: _effect, ...LEGACY } = rule({ toolName: 'Bash' });
  const SERVER = rule({ toolName: 'mcp__files__*' });

  it.each([
    [SERVER, 'mcp__files__read', 'allow'],
    [SERVER, 'mcp__files__', 'none'],
    [SERVER, 'mcp__files', 'none'],
    [SERVER, 'mcp__files__evil__read', 'none'],
    [SERVER, 'mcp__files__run_command', 'none'],
    [{ ...SERVER, everyCommand: true as const }, 'mcp__files__run_command', 'allow'],
    [{ ...SERVER, effect: 'deny' as const }, 'mcp__files__evil__read', 'deny'],
    [rule({ toolName: 'Bash' }), 'Bash', 'none'],
    [LEGACY, 'Bash', 'allow'],
    [rule({ toolName: 'Read' }), 'read', 'none'],
  ])('[TEAM-2] %#: %s is %s', (one, toolName, expected) => {
    expect(judged([one], toolName, { path: 'x' })).toBe(expected);
  });

  it('[TEAM-2] any input of a shell is allowed only where that is spelled out', () => {
    for (const toolName of ['Bash', 'mcp__host__run_command', 'local_shell']) {
      expect(ruleProblem({ effect: 'allow', toolName })?.field).toBe('everyCommand');
      expect(ruleProblem({ effect: 'allow', toolName, everyCommand: true })).toBeUndefined();
      expect(ruleProblem({ effect: 'deny', toolName })).toBeUndefined();
    }
    expect(ruleProblem({ effect: 'allow', toolName: 'Read' })).toBeUndefined();
    const wrong: ProposedRule[] = [
      { effect: 'deny', toolName: 'Bash', everyCommand: true },
      { effect: 'allow', toolName: 'Bash', everyCommand: true, command: 'npm' },
    ];
    for (const one of wrong) expect(ruleProblem(one)?.field).toBe('everyCommand');
    const two: ProposedRule = { effect: 'deny', toolName: 'Edit', path: 'a', host: 'b.org' };
    expect(ruleProblem(two)?.field).toBe('input');
  });
});

it('[TEAM-2] a rule counts until its expiry', () => {
  const one = { ...NPM, expiresAt: NOW };
  expect(judged([one], ...bash('npm test'), NOW - 1)).toBe('allow');
  expect(judged([one], ...bash('npm test'), NOW)).toBe('none');
});

it('[TEAM-2] an exact input is that input alone, and of a held one its digest', () => {
  const input = { command: 'ls' };
  const one = rule({ toolName: 'Bash', inputDigest: digestRule('Bash', input) });
  expect(judged([one], 'Bash', input)).toBe('allow');
  expect(judged([one], 'Bash', { command: 'ls ' })).toBe('none');
  expect(judged([{ ...one, effect: 'deny' }], 'Bash', input)).toBe('deny');
});

describe('the gate', () => {
  const rules = (...all: Rule[]) => ({
    rules: all.map((one) => ({ rule: one, scope: 'workspace' as const })),
    now: NOW,
  });
  const READ = { toolName: 'Read', input: { path: 'a' } };

  it('[GATE-1] denies by a rule in every mode, and asks by one in every mode that does not deny', () => {
    for (const mode of PermissionMode.options) {
      const deny = rule({ toolName: 'Read', effect: 'deny', reason: 'Not here' });
      const denied = gate(READ, mode, rules(rule({ toolName: 'Read' }), deny));
      expect(denied).toMatchObject({ behavior: 'deny', by: { rule: 'r', scope: 'workspace' } });
      expect(denied).toMatchObject({ message: expect.stringContaining('Reason: Not here') });
      const ask = rule({ toolName: 'Read', effect: 'ask' });
      const asked = gate(READ, mode, rules(rule({ toolName: 'Read' }), ask));
      expect(asked).toMatchObject({ behavior: 'ask', by: { rule: 'r' } });
    }
  });

  it('[GATE-1] plan mode denies before an asking rule, and after no allowing one', () => {
    const call = { toolName: 'Bash', input: { command: 'npm test' } };
    for (const one of [NPM, { ...NPM, effect: 'ask' as const }]) {
      expect(gate(call, 'plan', rules(one))).toMatchObject({
        behavior: 'deny',
        by: { mode: 'plan' },
      });
    }
  });
});

it('[TEAM-2] one more rule that denies never allows more', () => {
  const strictness = ['allow', 'none', 'ask', 'deny'];
  const made = fc.record({
    effect: fc.constantFrom<Rule['effect']>('allow', 'ask', 'deny'),
    toolName: fc.constantFrom('Bash', 'Edit'),
    command: fc.option(fc.constantFrom('npm', 'npm test', 'rm'), { nil: undefined }),
  });
  const command = fc.constantFrom('npm test', 'npm', 'rm x', 'npm; rm', 'npm $X', 'sudo rm', 'ls');
  fc.assert(
    fc.property(fc.array(made, { maxLength: 4 }), made, command, (all, one, text) => {
      const known = all.map(({ command, ...fields }) =>
        rule({ ...fields, ...(command !== undefined && { command }) }),
      );
      const effect = one.effect === 'deny' ? 'deny' : 'ask';
      const { command: prefix = 'npm' } = one;
      const strict = rule({ toolName: one.toolName, command: prefix, effect });
      const before = strictness.indexOf(judged(known, ...bash(text)));
      const after = strictness.indexOf(judged([...known, strict], ...bash(text)));
      expect(after).toBeGreaterThanOrEqual(before === 1 ? 1 : before);
    }),
    { numRuns: 2_000 },
  );
});

it('[TEAM-2] a full list of rules is judged in milliseconds', () => {
  const effects = ['deny', 'ask', 'allow'] as const;
  const all = Array.from({ length: 400 }, (_, at) =>
    rule({ toolName: 'Bash', effect: effects[at % 3] ?? 'allow', command: `sudo a a b${at}` }),
  );
  const line = `sudo ${'a '.repeat(4_000)}`;
  expect(lowestCpuMs(3, () => judged(all, ...bash(line)))).toBeLessThan(500);
});
