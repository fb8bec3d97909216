/**
 * An input that only text carries without loss. A bug here looks like a rounded number that a person approves, a polluted
 * prototype, or a field beside the input in which such a value slips through.
 */
import { describe, expect, it } from 'vitest';
import { liftOddInput, readOddDoubles, readOddInput } from '../../src/protocol/odd-input.ts';

const lift = (text: string) => liftOddInput(text, ['input'], 20_000);

describe('[INT-18] an odd input', () => {
  it.each<[string, string]>([
    ['{"n":9007199254740993}', '{"n":9007199254740993}'],
    ['{"n":-9007199254740993,"a":[1.50,1e400]}', '{"a":[1.5,1e400],"n":-9007199254740993}'],
    ['{"n":9007199254740991.4}', '{"n":9007199254740991.4}'],
    ['{"n":1e-400,"m":-0}', '{"m":-0,"n":1e-400}'],
    ['{"constructor":{"prototype":{"x":1}}}', '{"constructor":{"prototype":{"x":1}}}'],
    ['{"b":1,"__proto__":{"polluted":true},"a":2}', '{"__proto__":{"polluted":true},"a":2,"b":1}'],
    ['{"\\u005f_proto__":[]}', '{"__proto__":[]}'],
  ])('%s is the text %s', (input, text) => {
    const lifted = lift(`{"kind":"approval","input": ${input} }`);
    expect(lifted).toEqual({ value: { kind: 'approval', input: {} }, inputText: text });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each([
    '{"input":{"a":1,"a":2,"n":9007199254740993}}',
    '{"input":{"t":"\\ud800","n":9007199254740993}}',
    '{"input":{"t":"\\u0000","n":9007199254740993}}',
    `{"input":${'{"constructor":'.repeat(40)}1${'}'.repeat(40)}}`,
    `{"input":{"constructor":[${'1,'.repeat(20_000)}1]}}`,
    '{"input":9007199254740993}',
    '{"input":[9007199254740993]}',
    '{"input":{"n":9007199254740993},"timeoutSeconds":9007199254740993}',
    '{"input":{"n":9007199254740993},"inputSchema":{"constructor":{}}}',
    '{"input":{"n":9007199254740993},"__proto__":{"kind":"approval"}}',
    '{"input":{"n":9007199254740993},"input":{}}',
    '{"input":{"n":01,"constructor":1}}',
    '{"input":{"constructor":1}',
    '[{"input":{"constructor":1}}]',
  ])('%s is refused as before', (body) => {
    expect(lift(body)).toBeUndefined();
  });
});

describe('[INT-18] an odd input deep in a message', () => {
  const path = ['params', 'arguments', 'input'];

  it('is taken from its place alone', () => {
    const text =
      '{"params":{"arguments":{"input":{"constructor":1},"tool_name":"Run"},"name":"approve"}}';
    expect(liftOddInput(text, path, 20_000)).toEqual({
      value: { params: { arguments: { input: {}, tool_name: 'Run' }, name: 'approve' } },
      inputText: '{"constructor":1}',
    });
  });

  it.each([
    '{"params":{"arguments":{"input":{"constructor":1},"id":9007199254740993}}}',
    '{"params":{"arguments":{"constructor":{"input":{}},"input":{}}}}',
    '{"params":{"__proto__":{"arguments":{"input":{"constructor":1}}}}}',
    '{"params":{"arguments":[{"input":{"constructor":1}}]}}',
    '{"params":9007199254740993}',
  ])('%s is refused as before', (text) => {
    expect(liftOddInput(text, path, 20_000)).toBeUndefined();
  });
});

it.each(['{"n":9007199254740993}', '{"__proto__":{"x":1},"constructor":[1e400,-0]}'])(
  '[INT-18] the value of %s is written again without loss',
  (text) => expect(JSON.stringify(readOddInput(text))).toBe(text),
);

it.each<[string, boolean]>([
  ['{"n":9007199254740992}', true],
  ['{"n":1e+21}', true],
  ['{"constructor":1,"__proto__":2}', true],
  ['{"n":9007199254740993}', false],
  ['{"n":1e400}', false],
  ['{"n":-0}', false],
])('[INT-18] doubles keep %s: %s', (text, isKept) => {
  expect(JSON.stringify(readOddDoubles(text))).toBe(isKept ? text : undefined);
});
