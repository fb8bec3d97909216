/** The tables of `holdpoint`: arguments, times, references, the session of a shell, words for a tool call. */
import { describe, expect, it } from 'vitest';
import {
  agentShellOf,
  findAgentIds,
  parseCliSession,
  sessionIdOfConversation,
} from '../../src/cli/agent-shell.ts';
import { commandWords, parseReference, parseTimeout } from '../../src/cli/ask-person.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { allOptionsOf } from '../../src/cli/shared-options.ts';
import { shellWord } from '../../src/cli/commands/approve.ts';
import { questionsOf } from '../../src/cli/commands/ask.ts';
import { helpOf, helpOfAll } from '../../src/cli/run-command.ts';
import { answerOf, stepAnswer } from '../../src/cli/read-answer.ts';
import { readArguments } from '../../src/cli/read-arguments.ts';
import type { Interaction } from '../../src/protocol/types.ts';

const ASK = COMMANDS.find(({ name }) => name === 'ask');
const readAsk = (...words: string[]) =>
  readArguments(words, allOptionsOf(ASK ?? { options: {}, shares: [] }));

describe('[CLI-1] arguments', () => {
  it.each([
    [['--nope'], /no option --nope/],
    [['--optoin', 'x'], /Did you mean --option/],
    [['--option'], /--option needs a value/],
    [['--option', '--json'], /--json is an option.*--option=--json/],
    [['--json=yes'], /takes no value/],
    [['--__proto__', 'x'], /no option/],
    [['-x'], /no option -x/],
  ])('refuses %j', (words, sentence) => {
    expect(() => readAsk(...words)).toThrow(sentence);
  });

  it('keeps the order of options, and what comes after --', () => {
    const args = readAsk('a', '--option=--b', '--json', '--', '--option', 'c');
    expect(args.given.map(({ name, value }) => [name, value])).toEqual([
      ['option', '--b'],
      ['json', undefined],
    ]);
    expect([args.positionals, args.rest]).toEqual([['a'], ['--option', 'c']]);
  });

  it.each(['0', '-1', '1.5', 'many', '', ' ', '1e99'])('takes no %j as a count', (text) => {
    expect(() => readAsk(`--give-up-after=${text}`).count('give-up-after')).toThrow(/whole number/);
  });

  it('gives every option to the question before it, and the first ones to the first', () => {
    const { positionals, given } = readAsk(
      '--header',
      'H',
      'First?',
      '--option',
      'a',
      '--option',
      'b',
      '--question',
      'Second?',
      '--multi',
    );
    expect(questionsOf(positionals, given)).toEqual([
      {
        question: 'First?',
        header: 'H',
        multiSelect: false,
        options: [{ label: 'a' }, { label: 'b' }],
      },
      {
        question: 'Second?',
        header: 'Question 2',
        multiSelect: true,
        options: [{ label: 'Yes' }, { label: 'No' }],
      },
    ]);
  });

  it('asks for words alone with --text, and offers up to twelve options', () => {
    const words = readAsk('Why?', '--text', '--question', 'Go?', '--option', 'Go');
    expect(questionsOf(words.positionals, words.given)).toMatchObject([
      { question: 'Why?', options: [], multiSelect: false },
      { question: 'Go?', options: [{ label: 'Go' }] },
    ]);
    const options = (count: number) =>
      readAsk('Which?', ...Array.from({ length: count }, (_, at) => ['--option', `o${at}`]).flat());
    const twelve = options(12);
    expect(questionsOf(twelve.positionals, twelve.given)[0]?.options).toHaveLength(12);
    const more = options(13);
    expect(() => questionsOf(more.positionals, more.given)).toThrow(/more than 12 options/);
  });

  it.each([
    ['none', null],
    ['90', 90],
    ['90s', 90],
    ['10m', 600],
    ['2h', 7_200],
    ['1d', 86_400],
  ])('reads %s as a timeout', (text, seconds) => expect(parseTimeout(text)).toBe(seconds));
  it.each(['', '0', '-1', '1w', '1.5h', '10 m', '9999999999'])('reads no timeout in %j', (text) => {
    expect(() => parseTimeout(text)).toThrow(/--timeout/);
  });

  it.each([
    ['call_1~1', { session: undefined, interactionId: 'call_1~1' }],
    ['codex:x/call_1~2', { session: 'codex:x', interactionId: 'call_1~2' }],
  ])('reads the reference %s', (text, expected) => expect(parseReference(text)).toEqual(expected));
  it.each(['', '/', 'call_1', 's/call_1', '../x', 'a b~1'])('reads no reference in %j', (text) => {
    expect(() => parseReference(text)).toThrow(/not the reference/);
  });

  it('quotes words for a shell', () => {
    expect(['a-b=c', '', 'a b', "it's", '$x', 'a;b'].map(shellWord)).toEqual([
      'a-b=c',
      `''`,
      `'a b'`,
      String.raw`'it'\''s'`,
      `'$x'`,
      `'a;b'`,
    ]);
  });

  it('has a help of all that fits a screen, and one with examples for each command', () => {
    const lines = helpOfAll(COMMANDS).split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    for (const command of COMMANDS) {
      expect(
        lines.some((line) => line.includes(command.name)),
        command.name,
      ).toBe(true);
      expect(command.examples.length, command.name).toBeGreaterThan(0);
      for (const name of Object.keys(allOptionsOf(command)))
        expect(helpOf(command)).toContain(`--${name}`);
    }
  });
});

describe('[RDV-7] the shell of an agent', () => {
  it.each<[NodeJS.ProcessEnv, string | undefined, unknown]>([
    [{}, undefined, {}],
    [
      { CLAUDE_CODE_SESSION_ID: 'a' },
      'Claude Code',
      { cli: { provider: 'claude-code', cliSessionId: 'a', cwd: '/w' } },
    ],
    [
      { CODEX_THREAD_ID: 'b' },
      'Codex',
      { cli: { provider: 'codex', cliSessionId: 'b', cwd: '/w' } },
    ],
    [
      { CODEX_SESSION_ID: 'b', CODEX_TOOL_CALL_ID: 'call_1', CLAUDE_CODE_SESSION_ID: 'a' },
      'Claude Code',
      { cli: { provider: 'codex', cliSessionId: 'b', cwd: '/w' }, toolCallId: 'call_1' },
    ],
    [
      { CODEX_THREAD_ID: 'b', CODEX_TOOL_CALL_ID: 'no id' },
      'Codex',
      { cli: { provider: 'codex', cliSessionId: 'b', cwd: '/w' } },
    ],
    [{ CODEX_HOME: '/x' }, undefined, {}],
    [{ CLAUDE_CODE_SESSION_ID: 'a b' }, 'Claude Code', {}],
    [{ CLAUDECODE: '' }, undefined, {}],
    [{ AI_AGENT: 'x' }, 'an agent', {}],
  ])('is found in %j', (env, shell, ids) => {
    expect(agentShellOf(env)).toBe(shell);
    expect(findAgentIds(env, '/w', undefined)).toEqual(ids);
  });

  it('gives each conversation a session id of its own, which a session may have', () => {
    const ids = [
      'claude-code:a',
      'codex:a',
      'a:b:c',
      'a-b:c',
      'a:b-c',
      `x:${'y'.repeat(200)}`,
      'x:/../',
    ].map((text) => sessionIdOfConversation(parseCliSession(text, '/w')));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^(?![.])[A-Za-z0-9_.:-]{1,128}$/);
  });

  it('sends the words of the command line without a credential, as many as are compared', () => {
    expect(commandWords(['ask', '--token', 'secret', 'Now?', '--token=secret'])).toEqual([
      'holdpoint',
      'ask',
      '--token',
      'Now?',
    ]);
    expect(commandWords(['ask', 'x'.repeat(20_000)])).toEqual(['holdpoint', 'ask']);
  });
});

describe('[CLI-1] answers', () => {
  const question = {
    header: 'H',
    question: 'Q?',
    multiSelect: false,
    options: [{ label: 'eu' }, { label: '3' }],
  };
  it.each([
    ['1', { question: 0, option: 0 }],
    ['eu', { question: 0, option: 0 }],
    [' eu ', { question: 0, option: 0 }],
    ['3', { question: 0, option: 1 }],
    ['4', { question: 0, text: '4' }],
    ['mars', { question: 0, text: 'mars' }],
    ['1,2', { question: 0, text: '1,2' }],
  ])('reads %j as a step', (text, step) => expect(stepAnswer(question, 0, text)).toEqual(step));
  it('reads two digits where there are as many options, and any words where there are none', () => {
    const many = {
      ...question,
      options: Array.from({ length: 12 }, (_, at) => ({ label: `o${at}` })),
    };
    expect(stepAnswer(many, 0, '12')).toEqual({ question: 0, option: 11 });
    expect(stepAnswer(many, 0, '13')).toEqual({ question: 0, text: '13' });
    expect(stepAnswer({ ...question, options: [] }, 0, '1')).toEqual({ question: 0, text: '1' });
  });
  it('reads several choices', () => {
    const multi = { ...question, multiSelect: true };
    expect(stepAnswer(multi, 1, '1, 3')).toEqual({ question: 1, options: [0, 1] });
    expect(stepAnswer(multi, 1, '1,mars')).toEqual({ question: 1, text: '1,mars' });
  });

  const record = (kind: string) => ({ kind, request: {} }) as unknown as Interaction;
  it.each([
    ['approval', ['approve'], { decision: 'approve' }],
    ['approval', ['NO', 'too', 'late'], { decision: 'deny', reason: 'too late' }],
    ['plan_review', ['adjust', 'test', 'it'], { decision: 'adjust', feedback: 'test it' }],
    ['form', ['{"a":1}'], { values: { a: 1 } }],
    ['link', ['Opened'], { opened: true }],
    ['link', ['done'], { done: true }],
    ['link', ['no'], { decline: true }],
  ])('reads words for %s: %j', (kind, words, answer) => {
    expect(answerOf(record(kind), { words })).toEqual(answer);
  });
  it.each([
    ['approval', ['maybe']],
    ['approval', []],
    ['plan_review', ['ok']],
    ['form', ['nope=1']],
    ['form', ['{']],
    ['link', []],
    ['link', ['sure']],
    ['rating', ['5']],
  ])('refuses words for %s: %j', (kind, words) => {
    expect(() => answerOf(record(kind), { words })).toThrow(/./);
  });
});
