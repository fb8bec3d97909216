/** A bug here looks like a price that is lost, or saved for another kind of token, when an administrator saves the defaults. */
import { expect, it } from 'vitest';
import {
  defaultsDraftOf,
  defaultsOf,
  defaultsProblems,
  readPriceLines,
  writePriceLines,
} from '../../../src/web/model/defaults-draft.ts';

const PRICES = [
  { model: 'claude-large', input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  { model: 'claude-small', input: 1, output: 5 },
  { model: 'other', input: 2, output: 4, cacheWrite: 2.5 },
];
const LINES = 'claude-large 3 15 0.3 3.75\nclaude-small 1 5\nother 2 4 - 2.5';

it('[DAILY-6] prices are written and read a line a model', () => {
  expect(writePriceLines(PRICES)).toBe(LINES);
  expect(readPriceLines(`\n${LINES.replaceAll(' ', '  ')}\n`)).toEqual({
    ok: true,
    prices: PRICES,
  });
  expect(readPriceLines('')).toEqual({ ok: true, prices: [] });
});

it.each(['large', 'large 3', 'large - 15', 'large 3 15 1 1 1', 'large 3 $15', 'large -3 15'])(
  '[DAILY-6] a line such as "%s" is named and not saved',
  (line) => {
    expect(readPriceLines(`claude 1 2\n\n${line}`)).toEqual({ ok: false, line: 3 });
    const draft = { ...defaultsDraftOf({ timeouts: {} }), prices: line };
    expect(defaultsProblems(draft).prices).toContain('Line 1');
  },
);

it('[DAILY-6] prices are kept by a form that changes something else, and go when their lines do', () => {
  const settings = { timeouts: {}, prices: PRICES };
  const draft = defaultsDraftOf(settings);
  expect(defaultsOf({ ...draft, mode: 'plan' }, settings)).toMatchObject({ prices: PRICES });
  expect(defaultsOf({ ...draft, prices: '' }, settings)).not.toHaveProperty('prices');
});
