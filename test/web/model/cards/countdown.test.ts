/** The time left as a person reads it: rounded to the unit that matters, and announced only at the thresholds. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { countdownOf } from '../../../../src/web/model/cards/countdown.ts';

const open = { status: 'open', extendedBy: undefined } as const;

it('[UI-5] has levels at two minutes and one, and announces only these', () => {
  const at = (left: number) => countdownOf({ ...open, expiresAt: left }, 0);
  expect(at(120_001)).toMatchObject({ level: 'calm', announcement: '', canExtend: false });
  expect(at(120_000)).toMatchObject({ level: 'amber', text: '2:00 left', canExtend: true });
  expect(at(60_000)).toMatchObject({ level: 'red', text: '1:00 left' });
  expect(at(0)).toMatchObject({ level: 'red', text: 'Expired', nextMs: null, canExtend: false });
  expect(at(-5)?.text).toBe('Expired');
  const said = new Set(
    Array.from({ length: 700 }, (_, second) => at(second * 1_000)?.announcement),
  );
  expect(said.size).toBe(3);
});

it('[UI-5] has no countdown after the end, without a deadline, or past it', () => {
  expect(countdownOf({ ...open, expiresAt: null }, 0)).toBeUndefined();
  expect(countdownOf({ ...open, status: 'settled', expiresAt: 5 }, 0)).toBeUndefined();
  expect(countdownOf({ ...open, expiresAt: null, overdue: true }, 0)?.level).toBe('parked');
});

it.each([
  ['5 h 59 min', 5 * 3_600_000 + 59 * 60_000],
  ['6 h', 6 * 3_600_000 - 1],
  ['1 h 59 min', 119 * 60_000],
  ['59 min', 59 * 60_000],
  ['11 min', 11 * 60_000 - 1],
  ['10:00', 10 * 60_000],
  ['1 day', 24 * 3_600_000 - 1],
  ['1 day 3 h', 27 * 3_600_000],
  ['2 days', 48 * 3_600_000],
  ['365 days', 365 * 24 * 3_600_000],
])('[UI-5] says %s', (text, left) => {
  expect(countdownOf({ ...open, expiresAt: left }, 0)?.text).toBe(`${text} left`);
});

it('[UI-5] refreshes before its text is a minute off', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 * 86_400_000 }), (left) => {
      const countdown = countdownOf({ ...open, expiresAt: left }, 0);
      expect(countdown?.nextMs).toBeLessThanOrEqual(30_000);
      expect(countdown?.nextMs).toBeGreaterThan(0);
    }),
  );
});
