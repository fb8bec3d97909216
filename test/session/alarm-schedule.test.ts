/**
 * Named deadlines over one alarm. A bug would look like a session that sleeps for days past its deadline, or one whose
 * alarm fires and is written again and again.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { AlarmSchedule } from '../../src/session/alarm-schedule.ts';
import { SECOND, START } from '../support/core-world.ts';
import { FakeAlarm } from '../support/fake-alarm.ts';

let now = START;
let alarm = new FakeAlarm();
let schedule = new AlarmSchedule({ alarm, now: () => now });

beforeEach(() => {
  now = START;
  alarm = new FakeAlarm();
  schedule = new AlarmSchedule({ alarm, now: () => now });
});

function arm(deadlines: Parameters<typeof setAll>[0]): number | null {
  setAll(deadlines);
  schedule.arm();
  return alarm.armedAt;
}

function setAll(
  deadlines: Partial<Record<'deadline' | 'retry' | 'lease' | 'report', number | null>>,
) {
  for (const name of ['deadline', 'retry', 'lease', 'report'] as const) {
    const at = deadlines[name];
    if (at !== undefined) schedule.set(name, at);
  }
}

describe('where it is set', () => {
  it('[TIME-3] nowhere, while nothing must happen', () => {
    expect(arm({})).toBeNull();
  });

  it('[TIME-3] at the earliest of deadline, retry and lease', () => {
    const at = { deadline: START + 3 * SECOND, retry: START + 2 * SECOND, lease: START + SECOND };
    expect(arm(at)).toBe(START + SECOND);
    alarm.armedAt = null;
    expect(arm({ lease: null })).toBe(START + 2 * SECOND);
    alarm.armedAt = null;
    expect(arm({ retry: null })).toBe(START + 3 * SECOND);
  });

  it('[TIME-3] in the next millisecond for an overdue deadline', () => {
    expect(arm({ deadline: START - SECOND })).toBe(START + 1);
  });

  it('[INBOX-1] for a report only where nothing else wakes the session', () => {
    expect(arm({ deadline: START + 90 * SECOND, report: START + SECOND })).toBe(
      START + 90 * SECOND,
    );
    expect(arm({ deadline: null })).toBe(START + 90 * SECOND);
    alarm.armedAt = null;
    expect(arm({})).toBe(START + SECOND);
  });
});

describe('when it moves', () => {
  it('[TIME-3] to an earlier time, and never for the same or a later one', () => {
    arm({ deadline: START + 60 * SECOND });
    arm({ deadline: START + 90 * SECOND });
    arm({ deadline: START + 60 * SECOND });
    expect(alarm.moves).toEqual([START + 60 * SECOND]);
    arm({ deadline: START + 30 * SECOND });
    expect(alarm.moves).toEqual([START + 60 * SECOND, START + 30 * SECOND]);
  });

  it('[TIME-3] when the platform holds one that is long past', () => {
    arm({ deadline: START });
    now = START + 120 * SECOND;
    arm({ deadline: START + 300 * SECOND });
    expect(alarm.moves).toHaveLength(1);
    now += 2 * SECOND;
    expect(arm({})).toBe(START + 300 * SECOND);
  });

  it('[RUN-3] to a later time when a lease is over', () => {
    arm({ lease: START + 5 * SECOND });
    expect(arm({ lease: null, deadline: START + 60 * SECOND })).toBe(START + 60 * SECOND);
    expect(arm({ deadline: START + 90 * SECOND })).toBe(START + 60 * SECOND);
  });

  it('[RUN-3, INBOX-1] after a lease only once the workspace has the report', () => {
    arm({ lease: START + 5 * SECOND });
    const deadline = START + 60 * SECOND;
    expect(arm({ lease: null, report: START + 61 * SECOND, deadline })).toBe(START + 5 * SECOND);
    expect(arm({ report: null })).toBe(deadline);
  });
});

describe('a due write that failed', () => {
  it('[LOG-8, TIME-3] is tried again after a pause, until it is written', () => {
    schedule.noteWrite(false);
    expect(arm({ deadline: START })).toBe(START + 2 * SECOND);
    alarm.armedAt = null;
    schedule.noteWrite(true);
    expect(arm({})).toBe(START + 1);
  });
});

describe('while it fires', () => {
  it('[INBOX-1] it covers the report itself', async () => {
    await schedule.fire(async () => {
      expect(arm({ report: START + 60 * SECOND })).toBeNull();
    });
    expect(arm({})).toBe(START + 60 * SECOND);
  });

  it('[INBOX-1] and is over though its work fails', async () => {
    const work = schedule.fire(() => Promise.reject(new Error('No')));
    await expect(work).rejects.toThrow('No');
    expect(arm({ report: START + 60 * SECOND })).toBe(START + 60 * SECOND);
  });
});
