/**
 * The view of an input that is too large for its record. A bug here would show a person something that the agent does not
 * run, or would hide a part without saying so.
 */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { holdInput } from '../../src/core/whole-input.ts';
import { countBytes } from '../../src/protocol/bytes.ts';
import { canonicalize } from '../../src/protocol/canonical-json.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { LIMITS } from '../../src/protocol/limits.ts';

const GAP = /\n… (\d+) characters are not shown here …\n/;

/** The beginning, the number in the gap, and the end of a cut text. */
function partsOf(text: unknown): [string, number, string] {
  const [head = '', count = '', tail = ''] = String(text).split(GAP);
  return [head, Number(count), tail];
}

describe('[INT-17] a large input', () => {
  it('keeps its fields, and the beginning and end of a long text with the size of the gap', () => {
    const content = `begin${'x'.repeat(400_000)}rm -rf /${'y'.repeat(400_000)}end`;
    const input = { file_path: '/etc/hosts', mode: 420, content, flags: [true, null] };
    const { view, fact, text } = holdInput(input);
    const { content: shown, ...others } = view;
    expect(others).toEqual({ file_path: '/etc/hosts', mode: 420, flags: [true, null] });
    const [head, hidden, tail] = partsOf(shown);
    expect(content.startsWith(head) && content.endsWith(tail)).toBe(true);
    expect(head.length + hidden + tail.length).toBe(content.length);
    expect(head.length).toBeGreaterThan(tail.length);
    expect(fact.hiddenChars).toBe(hidden);
    expect(text).toBe(canonicalize(input));
    expect(fact.bytes).toBe(Buffer.byteLength(text));
    expect(fact.sha256).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it.each<[string, JsonObject]>([
    ['one text of letters', { text: 'ä'.repeat(300_000) }],
    ['one text of pictures', { text: '\u{1f600}'.repeat(150_000) }],
    ['one text of escapes', { text: '\u0001'.repeat(300_000) }],
    [
      'a hundred texts',
      { texts: Array.from({ length: 100 }, (_, at) => `${at}${'z'.repeat(4_000)}`) },
    ],
    ['texts inside texts', { list: [{ list: [{ list: ['q'.repeat(500_000)] }] }] }],
    [
      'many small values',
      { list: Array.from({ length: 19_000 }, (_, at) => `value ${at} of many`) },
    ],
    ['a long name', { ['n'.repeat(300_000)]: 1 }],
  ])('with %s has a view within its limit, which counts what it hides', (_, input) => {
    const { view, fact } = holdInput(input);
    const written = JSON.stringify(view);
    expect(countBytes(written)).toBeLessThanOrEqual(LIMITS.inputViewBytes);
    expect(written.isWellFormed()).toBe(true);
    const gaps = [...written.matchAll(/… (\d+) characters are not shown here …/g)];
    const hidden = gaps.reduce((sum, [, count]) => sum + Number(count), 0);
    expect(hidden).toBeGreaterThan(0);
    expect(fact.hiddenChars).toBe(hidden);
  });

  it('of many small values is cut as JSON text, which begins and ends as the input does', () => {
    const input = { list: Array.from({ length: 19_000 }, (_, at) => `value ${at} of many`) };
    const { view, text } = holdInput(input);
    expect(Object.keys(view)).toEqual(['input as JSON text']);
    const [head, hidden, tail] = partsOf(Object.values(view)[0]);
    expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
    expect(head.length + hidden + tail.length).toBe(text.length);
  });

  it('cuts no picture in half, wherever the cut falls', () => {
    for (const lead of ['', 'a', 'ab', 'abc']) {
      const { view } = holdInput({ text: `${lead}${'\u{1f600}'.repeat(200_000)}` });
      expect(JSON.stringify(view)).not.toMatch(/\\ud8/i);
    }
  });

  it('with another middle has the same view and another digest', () => {
    const around = 'x'.repeat(300_000);
    const [one, other] = ['harmless', 'rm -rf /'].map((middle) =>
      holdInput({ content: around + middle + around }),
    );
    expect(one?.view).toEqual(other?.view);
    expect(one?.fact.sha256).not.toBe(other?.fact.sha256);
  });
});
