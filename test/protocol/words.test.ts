import { describe, expect, it } from 'vitest';
import { countInOrder, hasName, splitWords, wordsOfInput } from '../../src/protocol/words.ts';

describe('words', () => {
  it.each([
    ['holdpoint ask "Which database?"', ['holdpoint', 'ask', 'which', 'database']],
    ['holdpoint_ask', ['holdpoint', 'ask']],
    ['holdpointAsk', ['holdpoint', 'ask']],
    ['questions-cli', ['questions', 'cli']],
    ['./node_modules/.bin/tsc', ['node', 'modules', 'bin', 'tsc']],
    ['parseHTTPBody2Text', ['parse', 'http', 'body2', 'text']],
    ['Größe ÄNDERN', ['größe', 'ändern']],
    ['--', []],
  ])('splits %j', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  it('reads all texts of an input, and none of its keys', () => {
    const input = { command: 'run it', nested: { holdpoint: ['ask', 7, true, null] } };
    expect(wordsOfInput(input).filter(Boolean)).toEqual(['run', 'it', 'ask']);
  });

  it('joins a list, and keeps other values apart', () => {
    const isNamed = (input: object) => hasName(wordsOfInput(input), ['holdpoint', 'ask']);
    expect(isNamed({ command: ['bash', '-lc', 'holdpoint', 'ask'] })).toBe(true);
    expect(isNamed({ description: 'call holdpoint', command: 'ask' })).toBe(false);
    expect(isNamed({ list: ['holdpoint'], command: 'ask' })).toBe(false);
    expect(isNamed({ command: 'holdpoint', list: ['ask'] })).toBe(false);
  });

  it('[RDV-3] reads 16 KiB, and no half word at their end', () => {
    const filler = 'x '.repeat(8_190);
    expect(wordsOfInput({ a: filler, b: 'tasks' }).at(-1)).toBe('');
    expect(wordsOfInput({ a: filler, b: 'ask, tasks' }).at(-1)).toBe('ask');
    expect(wordsOfInput({ a: `${filler}${filler}`, b: 'ask' })).not.toContain('ask');
    expect(wordsOfInput({ a: 'ä '.repeat(6_000), b: 'ask' })).not.toContain('ask');
  });

  it('reads an input that is nested deeper than calls can be', () => {
    let input: unknown = 'ask';
    for (let depth = 0; depth < 100_000; depth += 1) input = [input];
    expect(wordsOfInput(input)).toContain('ask');
  });

  it('[RDV-3] finds a name only as whole words that are neighbors in their order', () => {
    const isNamed = (text: string, name: string) => hasName(splitWords(text), splitWords(name));
    expect(isNamed('npx holdpoint ask "why"', 'holdpoint_ask')).toBe(true);
    expect(isNamed('questions-cli ask', 'questions')).toBe(true);
    expect(isNamed('run the task', 'ask')).toBe(false);
    expect(isNamed('ask holdpoint', 'holdpoint_ask')).toBe(false);
    expect(isNamed('holdpoint --json ask', 'holdpoint_ask')).toBe(false);
    expect(isNamed('holdpoint, holdpoint ask', 'holdpoint_ask')).toBe(true);
    expect(isNamed('anything', '--')).toBe(false);
  });

  it('counts the words of a command that stand in their order', () => {
    const count = (text: string, command: string) =>
      countInOrder(splitWords(text), splitWords(command));
    expect(count('npx holdpoint ask "a" --option b', 'holdpoint ask a b')).toBe(4);
    expect(count('holdpoint ask b', 'holdpoint ask a b')).toBe(3);
    expect(count('ask holdpoint', 'holdpoint ask')).toBe(1);
    expect(count('ask ask', 'ask ask ask')).toBe(2);
  });
});
