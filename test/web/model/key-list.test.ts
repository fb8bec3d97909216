/** The keys on the help sheet against the keys that the code looks at. A bug here is a key that no one can find. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/lib/paths.ts';
import { keyParts } from '../../../src/web/help/key-list.ts';
import { INBOX_KEYS } from '../../../src/web/model/inbox-actions.ts';

/** What browsers do with controls by themselves. */
const OF_THE_BROWSER = new Set(['Tab', 'Space']);
/** Held together with another key, which the code reads from the event. */
const MODIFIERS: Readonly<Record<string, RegExp>> = {
  Shift: /event\.shiftKey/,
  Ctrl: /ctrlKey/,
  '⌘': /metaKey/,
};

const files = readdirSync(path.join(ROOT, 'src/web'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('help/key-list'))
  .map((name) => ({ name, text: readFileSync(path.join(ROOT, 'src/web', name), 'utf8') }));

/** `event.key === 'Enter'`, `key.toLowerCase() !== 'k'`, and the tables of keys. */
const COMPARED = /(?<!typeof )\bkey(?:\.toLowerCase\(\))? [!=]== '([^']+)'/g;
const IN_TABLE = /keys: \[([^\]]+)\]/g;
/** `digitOf` reads them with a pattern. */
const DIGITS = '/^[1-9]$/.test(event.key)';

const handled = new Map<string, string>();
for (const { name, text } of files) {
  for (const [, key = ''] of text.matchAll(COMPARED)) handled.set(key.toLowerCase(), name);
  for (const [, list = ''] of text.matchAll(IN_TABLE))
    for (const [, key = ''] of list.matchAll(/'([^']+)'/g)) handled.set(key.toLowerCase(), name);
  if (text.includes(DIGITS))
    for (let digit = 1; digit <= 9; digit += 1) handled.set(`${digit}`, name);
}

const listed = keyParts().flatMap(({ rows }) => rows);
const listedKeys = new Set(
  listed.flatMap(({ keys, isRange }) =>
    isRange === true
      ? Array.from({ length: Number(keys[1]) - Number(keys[0]) + 1 }, (_, at) =>
          String(Number(keys[0]) + at),
        )
      : keys.map((key) => key.toLowerCase()),
  ),
);

describe('[UI-19] the keys on the help sheet', () => {
  it('are all that the code looks at', () => {
    expect(handled.size).toBeGreaterThan(20);
    const missing = [...handled].filter(([key]) => !listedKeys.has(key));
    expect(missing).toEqual([]);
  });

  it('are handled, each of them', () => {
    const source = files.map(({ text }) => text).join('\n');
    const unhandled = listed
      .flatMap(({ keys }) => keys)
      .filter((key) => {
        if (OF_THE_BROWSER.has(key)) return false;
        if (key.startsWith('/') && key.length > 1) return !source.includes(`'${key}'`);
        const modifier = MODIFIERS[key];
        return modifier === undefined ? !handled.has(key.toLowerCase()) : !modifier.test(source);
      });
    expect(unhandled).toEqual([]);
  });

  it('say each action of the inbox once, and no two with the same key', () => {
    const part = keyParts().find(({ id }) => id === 'help-inbox');
    expect(part?.rows.map(({ keys }) => keys)).toEqual(INBOX_KEYS.map(({ keys }) => keys));
    const words = part?.rows.map((row) => row.words) ?? [];
    expect(new Set(words).size).toBe(INBOX_KEYS.length);
    const keys = INBOX_KEYS.flatMap((one) => one.keys);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('are named once in each part, or a reader cannot tell the rows apart', () => {
    for (const { rows } of keyParts())
      expect(new Set(rows.map(({ words }) => words)).size).toBe(rows.length);
  });
});
