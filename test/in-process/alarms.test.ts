/** If an alarm is removed from storage too early, a crash loses its deadline. */
import { describe, expect, it } from 'vitest';
import { Alarms, armBeforeCommit } from '../../src/in-process/alarms.ts';
import type { Commit } from '../../src/session/ports.ts';
import { MemorySessionStore } from '../../src/platform/memory/session-store.ts';
import { microtasks } from '../support/hand-queue.ts';
import { HandClock } from './support/hand-clock.ts';

function openAlarms(left: readonly (readonly [string, number])[] = []) {
  const clock = new HandClock();
  const rows = new Map(left);
  const rung: string[] = [];
  const warned: string[] = [];
  const control = { work: async (_name: string): Promise<void> => undefined, isFull: false };
  const alarms = new Alarms({
    clock,
    store: {
      all: () => [...rows],
      put(name, at) {
        if (control.isFull) throw new Error('disk full');
        rows.set(name, at);
      },
      remove: (name) => void rows.delete(name),
    },
    ring(name) {
      rung.push(name);
      return control.work(name);
    },
    warn: (message) => warned.push(message),
  });
  return { clock, rows, rung, warned, control, alarms };
}

describe('the alarms of a process', () => {
  it('[TIME-3] stay in storage until their work is done', async () => {
    const { clock, rows, rung, control, alarms } = openAlarms();
    const { promise, resolve } = Promise.withResolvers<void>();
    control.work = () => promise;
    alarms.of('a').arm(clock.time + 1_000);
    expect(rows.size).toBe(1);
    await clock.pass(1_000);
    expect([rung, rows.size, alarms.of('a').armedAt]).toEqual([['a'], 1, null]);
    resolve();
    await microtasks();
    expect(rows.size).toBe(0);
  });

  it('[TIME-3] keep in storage an alarm that is set while another fires', async () => {
    const { clock, rows, control, alarms } = openAlarms();
    const later = clock.time + 9_000;
    control.work = async (name) => alarms.of(name).arm(later);
    alarms.of('a').arm(clock.time + 1_000);
    await clock.pass(1_000);
    expect([...rows]).toEqual([['a', later]]);
    expect(alarms.of('a').armedAt).toBe(later);
  });

  it('[TIME-3] fire for the alarms that an earlier process left', async () => {
    const { clock, rung, alarms } = openAlarms([
      ['late', 1],
      ['soon', 1_700_000_001_000],
    ]);
    alarms.resume();
    await clock.pass(0);
    expect(rung).toEqual(['late']);
    await clock.pass(1_000);
    expect(rung).toEqual(['late', 'soon']);
  });

  it('[TIME-3] are retried after a pause when they fail', async () => {
    const { clock, rung, rows, warned, control, alarms } = openAlarms();
    control.work = () => Promise.reject(new Error('no'));
    alarms.of('a').arm(clock.time + 1);
    await clock.pass(4_000);
    expect([rung.length, rows.size, warned.length]).toEqual([1, 1, 1]);
    control.work = async () => undefined;
    await clock.pass(5_000);
    expect([rung.length, rows.size]).toEqual([2, 0]);
  });

  it('[TIME-3] still fire in this process when they cannot be stored', async () => {
    const { clock, rung, warned, control, alarms } = openAlarms();
    control.isFull = true;
    alarms.of('a').arm(clock.time + 1_000);
    expect(warned).toHaveLength(1);
    await clock.pass(1_000);
    expect(rung).toEqual(['a']);
  });

  it('[TIME-3] have one time each, the last that was set', async () => {
    const { clock, rung, alarms } = openAlarms();
    alarms.of('a').arm(clock.time + 1_000);
    alarms.of('a').arm(clock.time + 5_000);
    alarms.of('b').arm(clock.time + 2_000);
    await clock.pass(4_999);
    expect(rung).toEqual(['b']);
    alarms.close();
    await clock.pass(10_000);
    expect(rung).toEqual(['b']);
  });
});

describe('a store that sets the alarm first', () => {
  it('[TIME-3] sets the alarm before the commit, and only if the alarm is not early enough', () => {
    const trace: string[] = [];
    const alarm = {
      armedAt: null as number | null,
      arm(at: number) {
        trace.push(`arm ${at}`);
        this.armedAt = at;
      },
    };
    const kept = new MemorySessionStore();
    kept.commit = () => void trace.push('commit');
    armBeforeCommit(kept, alarm);
    const commit = (now: number, ...expiresAt: readonly (number | null)[]) => {
      const records = expiresAt.map((at) => ({ status: 'open', expiresAt: at }));
      kept.commit({ now, records } as unknown as Commit);
    };
    commit(1_000, 9_000, 5_000, null);
    commit(2_000, 6_000);
    commit(3_000);
    commit(4_000, 3_000);
    expect(trace).toEqual(['arm 5000', 'commit', 'commit', 'commit', 'arm 4001', 'commit']);
    alarm.armedAt = null;
    commit(10_000, 99_000_000);
    expect(trace.at(-2)).toBe('arm 70000');
  });
});
