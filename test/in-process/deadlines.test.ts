/** Without a timer for its deadline, an interaction in a process would keep its agent waiting forever. */
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/in-process/clock.ts';
import { InProcessHost } from '../../src/in-process/index.ts';
import { HandClock } from './support/hand-clock.ts';
import { approval, ask } from './support/questions.ts';

const DAY_SECONDS = 24 * 3600;

function openHost(timeouts = {}) {
  const clock = new HandClock();
  const host = new InProcessHost({ clock, timeouts });
  const holdpoint = host.transport();
  return { clock, host, holdpoint };
}

describe('deadlines in a process', () => {
  it('[TIME-2, INT-8] sends a waiting agent the expiry at the deadline', async () => {
    const { clock, holdpoint } = openHost();
    const { id } = await holdpoint.createSession();
    await ask(holdpoint, id, approval('call-1', { timeoutSeconds: 60 }));
    let outcome: string | null | undefined;
    const waiting = holdpoint.interaction(id, 'call-1~1', { waitSeconds: 3_600 });
    void waiting.then((settled) => (outcome = settled.outcome));
    await clock.pass(59_999);
    expect(outcome).toBeUndefined();
    await clock.pass(1);
    expect(outcome).toBe('expired');
    expect(await waiting).toMatchObject({ settledBy: { via: 'timeout' } });
  });

  it('[TIME-2] sends the expiry to subscribers without a request', async () => {
    const { clock, holdpoint } = openHost();
    const { id } = await holdpoint.createSession();
    await ask(holdpoint, id, approval('call-1', { timeoutSeconds: 60 }));
    const types: string[] = [];
    holdpoint.subscribe(id, {
      events: (events) => types.push(...events.map((event) => event.type)),
    });
    await clock.pass(60_000);
    expect(types.slice(-2)).toEqual(['interaction_response', 'interaction_pending']);
  });

  it('[TIME-1] keeps a deadline that is longer than the longest timer', async () => {
    const { clock, holdpoint } = openHost();
    const { id } = await holdpoint.createSession();
    await ask(holdpoint, id, approval('call-1', { timeoutSeconds: 40 * DAY_SECONDS }));
    await clock.pass(40 * DAY_SECONDS * 1_000 - 1);
    expect(await holdpoint.interaction(id, 'call-1~1')).toMatchObject({ status: 'open' });
    await clock.pass(1);
    expect(await holdpoint.interaction(id, 'call-1~1')).toMatchObject({ outcome: 'expired' });
  });

  it('[TIME-1] accepts valid defaults, and refuses invalid defaults', async () => {
    const { clock, holdpoint } = openHost({ approval: 5 });
    const { id } = await holdpoint.createSession();
    const asked = await ask(holdpoint, id);
    expect(asked.expiresAt).toBe(clock.time + 5_000);
    expect(() => new InProcessHost({ timeouts: { approval: 0 } })).toThrow();
  });

  it('[TIME-3] removes the timers of interactions that are answered in time', async () => {
    const { clock, host, holdpoint } = openHost();
    const { id } = await holdpoint.createSession();
    await ask(holdpoint, id, approval('call-1', { timeoutSeconds: 60 }));
    await holdpoint.approveTool(id, 'call-1');
    await clock.pass(3_600_000);
    expect(await holdpoint.interaction(id, 'call-1~1')).toMatchObject({ outcome: 'approved' });
    host.close();
    expect(clock.waiting).toBe(0);
  });

  it('[TIME-2] runs by the real clock', async () => {
    const host = new InProcessHost();
    const holdpoint = host.transport();
    const { id } = await holdpoint.createSession();
    await ask(holdpoint, id, approval('call-1', { timeoutSeconds: 1 }));
    const began = Date.now();
    const settled = await holdpoint.interaction(id, 'call-1~1', { waitSeconds: 10 });
    expect(settled.outcome).toBe('expired');
    expect(Date.now() - began).toBeLessThan(5_000);
    host.close();
  });
});

describe('the clock of a system', () => {
  it('[TIME-3] does not fire early for a time beyond the longest timer', () => {
    vi.useFakeTimers();
    try {
      let fired = 0;
      const days = 60 * DAY_SECONDS * 1_000;
      systemClock.at(Date.now() + days, () => (fired += 1));
      vi.advanceTimersByTime(days - 1);
      expect(fired).toBe(0);
      vi.advanceTimersByTime(1);
      expect(fired).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('[TIME-3] notices within a minute that the machine slept through a deadline', () => {
    vi.useFakeTimers();
    try {
      let fired = 0;
      systemClock.at(Date.now() + 3_600_000, () => (fired += 1));
      vi.setSystemTime(Date.now() + 7_200_000);
      vi.advanceTimersByTime(60_000);
      expect(fired).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('[TIME-3] cancels a timer', () => {
    vi.useFakeTimers();
    try {
      let fired = 0;
      systemClock.at(Date.now() + 120_000, () => (fired += 1))();
      vi.advanceTimersByTime(240_000);
      expect(fired).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
