/** A bug here looks like thousands of alarms that run before a request of others, or like one alarm that waits for nothing. */
import { describe, expect, it } from 'vitest';
import { AlarmPace } from '../../src/platform/cloudflare/alarm-pace.ts';

const SPACING_MS = 4;
const BURST = 8;

function paceOf(): AlarmPace {
  return new AlarmPace({ spacingMs: SPACING_MS, burst: BURST });
}

describe('[TIME-3] alarms that are due together', () => {
  it('run one after another: of 5,000, few in any tenth of a second, and none is left out', () => {
    const pace = paceOf();
    const starts = Array.from({ length: 5_000 }, () => 1_000 + pace.take(1_000));
    const perTenth = new Map<number, number>();
    for (const at of starts) {
      const tenth = Math.floor((at - 1_000) / 100);
      perTenth.set(tenth, (perTenth.get(tenth) ?? 0) + 1);
    }
    expect(Math.max(...perTenth.values())).toBeLessThanOrEqual(100 / SPACING_MS + BURST);
    expect(Math.max(...starts) - 1_000).toBeLessThanOrEqual(5_000 * SPACING_MS);
  });

  it('keep their order, so that none is overtaken for good', () => {
    const pace = paceOf();
    const waits = Array.from({ length: 50 }, () => pace.take(1_000));
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  });
});

describe('[TIME-3] an alarm by itself', () => {
  it('does not wait, nor does one now and then', () => {
    const pace = paceOf();
    const waits = Array.from({ length: 100 }, (_, n) => pace.take(n * SPACING_MS * 2));
    expect(new Set(waits)).toEqual(new Set([0]));
  });

  it('does not wait after a crowd is through', () => {
    const pace = paceOf();
    for (let n = 0; n < 1_000; n += 1) pace.take(0);
    expect(pace.take(1_000 * SPACING_MS)).toBe(0);
  });

  it('waits a minute at most when the clock was set back', () => {
    const pace = paceOf();
    pace.take(10_000_000);
    expect(pace.take(0)).toBe(60_000);
  });
});
