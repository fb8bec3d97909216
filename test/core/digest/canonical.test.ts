/**
 * A bug here would look like this: two machines write the same input differently and an answer is
 * refused as `input_changed`, or two different inputs share one digest.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalize } from '../../../src/protocol/canonical-json.ts';
import { checkJson, parseJson, type Json } from '../../../src/protocol/json.ts';

/** Numbers of RFC 8785, appendix B, by their 64 bits. */
const NUMBERS: readonly [bits: string, text: string][] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];

describe('canonical', () => {
  it('sorts keys by UTF-16 code units (RFC 8785, 3.2.3)', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(Object.values(JSON.parse(canonicalize(value)) as object)).toHaveLength(7);
    expect([...canonicalize(value).matchAll(/:"([^"]+)"/g)].map((match) => match[1])).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  it('writes the sample of RFC 8785, 3.2.2', () => {
    const sample = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    expect(canonicalize(JSON.parse(sample) as Json)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it.each(NUMBERS)('writes the double %s as %s', (bits, text) => {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(`0x${bits}`));
    expect(canonicalize(view.getFloat64(0))).toBe(text);
  });

  it.each(['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000'])(
    'has no text for the double %s',
    (bits) => {
      const view = new DataView(new ArrayBuffer(8));
      view.setBigUint64(0, BigInt(`0x${bits}`));
      expect(() => canonicalize(view.getFloat64(0))).toThrow(RangeError);
    },
  );

  it('escapes what JSON must and nothing else (RFC 8785, 3.2.2.2)', () => {
    const controls = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code));
    const short: Record<string, string> = {
      '\b': '\\b',
      '\t': '\\t',
      '\n': '\\n',
      '\f': '\\f',
      '\r': '\\r',
    };
    for (const control of controls) {
      const long = `\\u00${control.charCodeAt(0).toString(16).padStart(2, '0')}`;
      expect(canonicalize(control)).toBe(`"${short[control] ?? long}"`);
    }
    expect(canonicalize('"\\')).toBe('"\\"\\\\"');
    const plain = "/<>&'\u007f\u0080\u2028\u2029\ufeff\uffff\u{1f602}";
    expect(canonicalize(plain)).toBe(`"${plain}"`);
    expect(canonicalize({ '</script>': '\u20ac' })).toBe('{"</script>":"\u20ac"}');
  });

  it.each<[string, string[]]>([
    ['a pair before what is above all pairs', ['\u{10000}', '\ue000', '\uffff']],
    ['capitals before small letters, and accents last', ['Z', 'a', 'z', '\u00e4']],
    ['digits as text', ['1', '10', '2']],
    ['the shorter one first', ['', 'a', 'aa', 'ab']],
    ['no two forms of a letter as one', ['a\u030a', '\u00e5']],
  ])('sorts %s', (_, keys) => {
    const value = Object.fromEntries(keys.toReversed().map((key) => [key, 0]));
    const members = keys.map((key) => `${JSON.stringify(key)}:0`);
    expect(canonicalize(value)).toBe(`{${members.join(',')}}`);
  });

  it.each([
    ['[56,{"d":true,"10":null,"1":[]}]', '[56,{"1":[],"10":null,"d":true}]'],
    [
      '{"1":{"f":{"f":"hi","F":5},"\\n":56},"":"empty"}',
      '{"":"empty","1":{"\\n":56,"f":{"F":5,"f":"hi"}}}',
    ],
    ['[0.0, 1.50, 1E2, 1e-7, 0.000001, 100e-2]', '[0,1.5,100,1e-7,0.000001,1]'],
    ['{"\\u00e9":"\\u0041\\/"}', '{"é":"A/"}'],
  ])('writes %s as %s', (text, expected) => {
    expect(canonicalize(JSON.parse(text) as Json)).toBe(expected);
  });

  it('sorts at every level and keeps the order of arrays', () => {
    expect(canonicalize({ b: [3, { z: 1, a: 2 }, 1], a: {} })).toBe(
      '{"a":{},"b":[3,{"a":2,"z":1},1]}',
    );
  });

  it('throws on a value without canonical text', () => {
    expect(() => canonicalize(Number.NaN)).toThrow(RangeError);
    expect(() => canonicalize([Infinity])).toThrow(RangeError);
    expect(() => canonicalize('\ud83d')).toThrow(RangeError);
    expect(() => canonicalize({ '\udc00': 1 })).toThrow(RangeError);
    const loop: Json[] = [];
    loop.push(loop);
    expect(() => canonicalize(loop)).toThrow(RangeError);
  });

  it('takes a value of the largest depth inside a few more objects', () => {
    const deepest = parseJson('['.repeat(32) + ']'.repeat(32));
    expect(deepest.ok && canonicalize({ kind: { request: deepest.value } })).toContain('[[[');
  });
});

describe('laws', () => {
  const json = fc.jsonValue({ maxDepth: 5, noUnicodeString: false }).filter(isTaken);

  it('reads back as the same value, in the same text', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalize(value);
        expect(JSON.parse(text)).toEqual(value);
        expect(canonicalize(JSON.parse(text) as Json)).toBe(text);
      }),
    );
  });

  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalize(reversed(value))).toBe(canonicalize(value));
      }),
    );
  });
});

/** Only accepted values: no -0, no integer beyond the exact range, no reserved key. */
function isTaken(value: unknown): value is Json {
  return checkJson(value).ok;
}

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, reversed(member)] as const);
  return Object.fromEntries(entries.toReversed());
}
