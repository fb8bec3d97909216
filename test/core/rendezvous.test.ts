/**
 * Which call a request belongs to. A bug would look like a question at the tool block of another command, or like `ask`
 * that finds a call of `task`.
 */
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../src/core/digest.ts';
import { canonicalize } from '../../src/protocol/canonical-json.ts';
import {
  chooseCalls,
  describeCall,
  fitOf,
  type ReportedCall,
  wordsOf,
} from '../../src/core/rendezvous.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { Correlate } from '../../src/protocol/schema/correlate.ts';
import { cpuMs } from '../support/cpu-time.ts';

function call(toolCallId: string, input: JsonObject | string, toolName = 'Bash'): ReportedCall {
  const payload = { toolName, input: typeof input === 'string' ? { command: input } : input };
  return describeCall({ seq: 1, at: 0, type: 'tool_call', toolCallId, payload });
}

const ASK = { plugin: 'holdpoint', operation: 'ask', tool: 'holdpoint_ask' };
const withCommand = (command: string | string[]): Correlate => ({ ...ASK, command });

describe('words', () => {
  it.each([
    ['holdpoint ask', ' holdpoint ask '],
    ['holdpoint_ask', ' holdpoint ask '],
    ['mcp__holdpoint__askPerson', ' mcp holdpoint ask person '],
    ['HTTPServer2Go', ' http server2 go '],
    ['./bin/questions-cli --now="x"', ' bin questions cli now x '],
    ['Grün ändern 漢字', ' grün ändern 漢字 '],
    ['!? --', ''],
    ['', ''],
  ])('[RDV-3] of %j are %j', (text, words) => {
    expect(wordsOf(text)).toBe(words);
  });
});

describe('the score', () => {
  it.each<[Correlate, JsonObject | string, number | undefined]>([
    [ASK, 'holdpoint ask "Deploy?"', 6],
    [{ plugin: 'questions' }, 'npx questions-cli', 2],
    [{ tool: 'ask' }, 'task list --all', undefined],
    [{ tool: 'holdpoint_ask' }, 'ask holdpoint', undefined],
    [{ tool: 'holdpoint_ask' }, 'holdpoint --json ask', undefined],
    [ASK, 'holdpoint --json ask', 3],
    [{ operation: 'ask', tool: 'deploy' }, 'ask', undefined],
    [ASK, { command: ['bash', '-lc', 'holdpoint', 'ask'] }, 6],
    [ASK, { nested: [{ deep: 'holdpoint ask' }, 7, null] }, 6],
    [{ tool: 'holdpoint_ask' }, { holdpoint: 'ask' }, undefined],
    [{ tool: 'holdpoint_ask' }, { a: 'holdpoint', b: 'ask' }, undefined],
    [{ tool: '--' }, 'holdpoint ask', undefined],
  ])('[RDV-3] of %j for %j is %j', (correlate, input, score) => {
    expect(fitOf(correlate, call('c', input))?.score).toBe(score);
  });

  it('[RDV-3] reads the name of the tool', () => {
    expect(fitOf(ASK, call('c', {}, 'mcp__holdpoint__ask'))?.score).toBe(6);
  });

  it('[RDV-3] reads 16 KiB of the input, and cuts no letter in two', () => {
    const blanks = 'ä '.repeat(LIMITS.commandBytes / 3);
    expect(fitOf(ASK, call('c', `${blanks}holdpoint ask`))).toBeUndefined();
    expect(fitOf(ASK, call('c', { a: 'holdpoint ask', b: blanks }))?.score).toBe(6);
    expect(fitOf(ASK, call('c', { a: blanks, b: 'holdpoint ask' }))).toBeUndefined();
  });

  it('[RDV-2] of a hook is above every score by words, if tool name and input agree', () => {
    const input = { b: 1, a: 'holdpoint ask' };
    const correlate = { toolName: 'Bash', inputDigest: sha256Hex(canonicalize(input)) };
    expect(fitOf(correlate, call('c', { a: 'holdpoint ask', b: 1 }))).toMatchObject({
      by: 'input',
      score: 7,
      isSure: true,
    });
    expect(fitOf(correlate, call('c', { a: 'holdpoint ask', b: 2 }))).toBeUndefined();
    expect(fitOf(correlate, call('c', input, 'bash'))).toBeUndefined();
  });

  it('[RDV-3] takes a few milliseconds for the largest command and the largest calls', () => {
    const words = (from: number) =>
      Array.from({ length: 2_000 }, (_, index) => `w${from + index}`).join(' ');
    const calls = Array.from({ length: LIMITS.rendezvousCalls }, (_, index) =>
      call(`c${index}`, `holdpoint ask ${words(index)}`),
    );
    const requests = Array.from({ length: 4 }, (_, index) => ({
      correlate: withCommand(`holdpoint ask ${words(index)}`),
      isDue: false,
    }));
    const ms = cpuMs(() => expect(chooseCalls(requests, calls)).toHaveLength(4));
    expect(ms).toBeLessThan(1_500);
  });
});

/** A request is its words and whether it is due; the expectation is the call for each request, in order. */
type Wanted = readonly [Correlate, 'waits' | 'due'];
type Found = readonly [toolCallId: string, by: string, score: number] | 'own id' | 'waits on';

const A = call('A', 'holdpoint ask "Ship it"');
const B = call('B', 'cd /app && holdpoint ask "Roll back"');
const LS = call('LS', 'ls -la');
const TERMINAL = call('T', { text: 'make' }, 'run_terminal');
const EDIT = call('E', { path: 'a.ts' }, 'Edit');
const ship = withCommand(['holdpoint', 'ask', 'Ship it']);
const back = withCommand('holdpoint ask "Roll back"');
const shipIt = { ...ASK, command: 'holdpoint ask Ship' };

describe('the choice', () => {
  it.each<[string, readonly Wanted[], readonly ReportedCall[], readonly Found[]]>([
    ['nothing reported', [[ship, 'waits']], [], ['waits on']],
    ['nothing reported in time', [[ship, 'due']], [], ['own id']],
    ['its whole command', [[ship, 'waits']], [A], [['A', 'words', 6]]],
    ['without a command any score', [[ASK, 'waits']], [B, A], [['B', 'words', 6]]],
    ['another command: it waits', [[ship, 'waits']], [B], ['waits on']],
    ['another command in the end', [[ship, 'due']], [B], [['B', 'words', 6]]],
    ['a shell only in the end', [[ship, 'waits']], [LS], ['waits on']],
    ['the newest shell in the end', [[ship, 'due']], [TERMINAL, LS, EDIT], [['LS', 'shell', 0]]],
    ['a terminal is a shell', [[ship, 'due']], [TERMINAL], [['T', 'shell', 0]]],
    ['no shell: its own id', [[ship, 'due']], [EDIT], ['own id']],
    [
      'crossing: each its own call',
      [
        [back, 'waits'],
        [ship, 'waits'],
      ],
      [A, B],
      [
        ['B', 'words', 6],
        ['A', 'words', 6],
      ],
    ],
    [
      'the call goes to the request that it fits best, not to the first',
      [
        [{ plugin: 'holdpoint' }, 'waits'],
        [ship, 'waits'],
      ],
      [A],
      ['waits on', ['A', 'words', 6]],
    ],
    [
      'equal ones: the oldest call for the oldest request',
      [
        [ASK, 'waits'],
        [{ ...ASK }, 'waits'],
      ],
      [A, B],
      [
        ['A', 'words', 6],
        ['B', 'words', 6],
      ],
    ],
    [
      'two requests for one call: the oldest has it',
      [
        [ship, 'waits'],
        [{ ...ASK, command: ['holdpoint', 'ask', 'Ship it'] }, 'waits'],
      ],
      [A],
      [['A', 'words', 6], 'waits on'],
    ],
    [
      'more words of the command before age',
      [[shipIt, 'due']],
      [B, call('C', 'holdpoint ask --ship')],
      [['C', 'words', 6]],
    ],
    [
      'the shortest command that has all words, although it is younger',
      [[shipIt, 'waits']],
      [call('C', 'holdpoint ask Ship now, or later'), A],
      [['A', 'words', 6]],
    ],
    [
      'the last resort leaves the call that fits another request',
      [
        [{ tool: 'other' }, 'due'],
        [ship, 'waits'],
      ],
      [B],
      ['own id', 'waits on'],
    ],
    [
      'a hook takes no shell',
      [[{ toolName: 'Bash', inputDigest: '0'.repeat(64) }, 'due']],
      [LS],
      ['own id'],
    ],
  ])('[RDV-3, RDV-5] %s', (_name, wanted, calls, expected) => {
    const requests = wanted.map(([correlate, state]) => ({ correlate, isDue: state === 'due' }));
    const choices = chooseCalls(requests, calls);
    const found = requests.map((request): Found => {
      const choice = choices.find((one) => one.request === request);
      if (choice === undefined) return 'waits on';
      if (choice.found === undefined) return 'own id';
      const { call: chosen, correlated } = choice.found;
      return [chosen.toolCallId, correlated.by, correlated.score];
    });
    expect(found).toEqual(expected);
  });
});
