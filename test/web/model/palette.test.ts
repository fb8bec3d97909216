/** What fits the words that a person types. A bug here hides a session that is there, or puts another action first. */
import { describe, expect, it } from 'vitest';
import { rankItems } from '../../../src/web/model/palette.ts';
import { isPaletteKey, paletteKeys, paletteShortcut } from '../../../src/web/model/palette-key.ts';

const ITEMS = [
  { words: 'Approve', about: 'Bash npm publish' },
  { words: 'Settings of the deploy', about: 'claude-code' },
  { words: 'Prepare the deploy', about: 'ci' },
  { words: 'Über das Wasser' },
  { words: 'Audit', about: 'Settings' },
  { words: 'Bash rm -rf build', about: 'Deploy' },
];
const found = (typed: string) => rankItems(ITEMS, typed).map(({ words }) => words);

describe('[BOX-5] the entries that fit', () => {
  it('are all of them, in their order, without a word', () => {
    expect(found('  ')).toEqual(ITEMS.map(({ words }) => words));
  });

  it.each([
    ['each word must be there', 'deploy prepare', ['Prepare the deploy']],
    ['the beginning of a name comes first', 'set', ['Settings of the deploy', 'Audit']],
    [
      'a word in the second line counts less',
      'deploy',
      ['Settings of the deploy', 'Prepare the deploy', 'Bash rm -rf build'],
    ],
    ['inside a word', 'ublis', ['Approve']],
    ['letters may be left out', 'stngs', ['Settings of the deploy', 'Audit']],
    ['but not the first one, nor the order', 'tsng', []],
    ['two letters leave none out', 'ad', []],
    ['case and marks do not count', 'UBER', ['Über das Wasser']],
    ['signs are letters like others', '-rf', ['Bash rm -rf build']],
    ['a word that nothing has finds nothing', 'deploy zebra', []],
  ])('%s', (_, typed, expected) => {
    expect(found(typed)).toEqual(expected);
  });

  it.each([
    ['', ['Approve', 'Approve 3', 'Approve the budget']],
    ['app', ['Approve the budget']],
    ['approv', ['Approve the budget']],
    ['approve', ['Approve the budget', 'Approve']],
    ['approve 3', ['Approve 3']],
    ['approve bash', []],
  ])('that decide are found by their whole name alone, and come last: %j', (typed, expected) => {
    const decisions = ['Approve', 'Approve 3'].map(
      (words) => ({ words, about: 'Bash npm test', decides: true }) as const,
    );
    const all = [...decisions, { words: 'Approve the budget' }];
    expect(rankItems(all, typed).map(({ words }) => words)).toEqual(expected);
  });

  it('are compared at their beginning: a command may be as long as it likes', () => {
    const long = { words: `${'x'.repeat(1_000_000)} needle` };
    const from = performance.now();
    expect(rankItems([long], 'needle')).toEqual([]);
    expect(rankItems([long], 'xxx')).toEqual([long]);
    expect(performance.now() - from).toBeLessThan(200);
  });
});

describe('[BOX-5] the key of the palette', () => {
  const pressed = (keys: object) => ({
    key: 'k',
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    ...keys,
  });

  it.each([
    [{ ctrlKey: true }, false, true],
    [{ ctrlKey: true, key: 'K' }, false, true],
    [{ ctrlKey: true }, true, false],
    [{ metaKey: true }, true, true],
    [{ metaKey: true }, false, false],
    [{ ctrlKey: true, shiftKey: true }, false, false],
    [{ ctrlKey: true, altKey: true }, false, false],
    [{ ctrlKey: true, metaKey: true }, true, false],
    [{}, false, false],
    [{ ctrlKey: true, key: 'j' }, false, false],
  ])('%j, on a Mac: %s, opens: %s', (keys, isMac, opens) => {
    expect(isPaletteKey(pressed(keys), isMac)).toBe(opens);
  });

  it('is written as the keyboard has it', () => {
    expect([paletteKeys(true), paletteKeys(false)]).toEqual([
      ['⌘', 'K'],
      ['Ctrl', 'K'],
    ]);
    expect([paletteShortcut(true), paletteShortcut(false)]).toEqual(['Meta+K', 'Control+K']);
  });
});
