/** Until when quiet hours last. A bug here wakes a person at night, or sends a reminder when it is too late. */
import { describe, expect, it } from 'vitest';
import { assert, constantFrom, integer, property } from 'fast-check';
import { heldUntil, quietUntil } from '../../../src/core/delivery/quiet-hours.ts';
import type { Announcement } from '../../../src/protocol/schema/announcement.ts';
import { QuietHours } from '../../../src/protocol/schema/quiet-hours.ts';

const BERLIN = 'Europe/Berlin';
const hours = (from: string, to: string, timeZone: string): QuietHours => ({ from, to, timeZone });
const end = (quiet: QuietHours, at: string) => {
  const until = quietUntil(quiet, Date.parse(at));
  return until === null ? null : new Date(until).toISOString().replace(':00.000', '');
};

describe('[ROUTE-7] quiet hours', () => {
  it.each<[string, QuietHours, string, string | null]>([
    [
      'end on the same day',
      hours('12:00', '13:30', 'UTC'),
      '2026-07-01T12:10Z',
      '2026-07-01T13:30Z',
    ],
    [
      'begin with their first minute',
      hours('12:00', '13:30', 'UTC'),
      '2026-07-01T12:00Z',
      '2026-07-01T13:30Z',
    ],
    ['have not begun', hours('12:00', '13:30', 'UTC'), '2026-07-01T11:59:59Z', null],
    ['have ended', hours('12:00', '13:30', 'UTC'), '2026-07-01T13:30Z', null],
    [
      'end after midnight',
      hours('22:00', '07:00', BERLIN),
      '2026-07-01T21:00Z',
      '2026-07-02T05:00Z',
    ],
    [
      'end on the day they began before',
      hours('22:00', '07:00', BERLIN),
      '2026-07-01T23:00Z',
      '2026-07-02T05:00Z',
    ],
    ['leave the day alone', hours('22:00', '07:00', BERLIN), '2026-07-01T12:00Z', null],
    [
      'end with the minute, not the second',
      hours('22:00', '07:00', BERLIN),
      '2026-07-02T04:59:59.999Z',
      '2026-07-02T05:00Z',
    ],
    [
      'end over the end of a year',
      hours('22:00', '07:00', BERLIN),
      '2026-12-31T22:00Z',
      '2027-01-01T06:00Z',
    ],
    ['end at midnight', hours('20:00', '00:00', BERLIN), '2026-07-01T19:00Z', '2026-07-01T22:00Z'],
    [
      'count half hours of India',
      hours('22:00', '07:00', 'Asia/Kolkata'),
      '2026-07-01T16:30Z',
      '2026-07-02T01:30Z',
    ],
    ['have not begun in India', hours('22:00', '07:00', 'Asia/Kolkata'), '2026-07-01T16:29Z', null],
    [
      'count quarters of Nepal',
      hours('22:00', '07:00', 'Asia/Kathmandu'),
      '2026-07-01T16:15Z',
      '2026-07-02T01:15Z',
    ],
    // Berlin, 29 March: 02:00 is followed by 03:00, at 01:00 UTC.
    [
      'are shorter in spring',
      hours('22:00', '07:00', BERLIN),
      '2026-03-28T22:00Z',
      '2026-03-29T05:00Z',
    ],
    [
      'end where spring skips their end',
      hours('22:00', '02:30', BERLIN),
      '2026-03-28T22:00Z',
      '2026-03-29T01:00Z',
    ],
    [
      'end with the skipped hour',
      hours('22:00', '02:00', BERLIN),
      '2026-03-28T22:00Z',
      '2026-03-29T01:00Z',
    ],
    [
      'end after the skipped hour',
      hours('22:00', '03:00', BERLIN),
      '2026-03-28T22:00Z',
      '2026-03-29T01:00Z',
    ],
    ['are skipped as a whole', hours('02:15', '02:45', BERLIN), '2026-03-29T01:00Z', null],
    // Berlin, 25 October: 03:00 is followed by 02:00, at 01:00 UTC.
    [
      'are longer in autumn',
      hours('22:00', '07:00', BERLIN),
      '2026-10-24T21:00Z',
      '2026-10-25T06:00Z',
    ],
    [
      'end the first time that it is so late',
      hours('22:00', '02:30', BERLIN),
      '2026-10-24T21:00Z',
      '2026-10-25T00:30Z',
    ],
    [
      'end the second time, after the change',
      hours('22:00', '02:30', BERLIN),
      '2026-10-25T01:10Z',
      '2026-10-25T01:30Z',
    ],
    [
      'end after the repeated hour',
      hours('22:00', '03:10', BERLIN),
      '2026-10-25T00:50Z',
      '2026-10-25T02:10Z',
    ],
    // Lord Howe moves by half an hour: 4 October, 02:00 is followed by 02:30, at 15:30 UTC the day before.
    [
      'move by half an hour',
      hours('22:00', '02:15', 'Australia/Lord_Howe'),
      '2026-10-03T14:00Z',
      '2026-10-03T15:30Z',
    ],
    [
      'are unknown to the platform',
      hours('00:00', '23:59', 'Europe/Atlantis'),
      '2026-07-01T12:00Z',
      null,
    ],
  ])('%s', (_which, quiet, at, until) => {
    expect(end(quiet, at)).toBe(until);
  });

  it('end when the wall shows the end, or when the clocks leave it out, for every zone and time', () => {
    const zones = [BERLIN, 'America/St_Johns', 'Asia/Kolkata', 'Pacific/Apia', 'America/Santiago'];
    const minute = integer({ min: 0, max: 1_439 });
    assert(
      property(
        constantFrom(...zones),
        minute,
        minute,
        integer({ min: Date.UTC(2025, 0), max: Date.UTC(2027, 0) }),
        (timeZone, from, to, at) => {
          const until = quietUntil(hours(clock(from), clock(to), timeZone), at);
          if (from === to || until === null) return;
          expect(until).toBeGreaterThan(at);
          expect(until - at).toBeLessThanOrEqual(25 * 3_600_000);
          const before = wallMinute(timeZone, until - 60_000);
          // The clocks may leave out midnight too, so the minutes are counted around the day.
          const passed = minutesFrom(before, wallMinute(timeZone, until));
          expect(minutesFrom(before, to)).toBeGreaterThan(0);
          expect(minutesFrom(before, to)).toBeLessThanOrEqual(passed);
        },
      ),
    );
  });

  it.each([
    [{ from: '24:00', to: '07:00', timeZone: 'UTC' }, /time of day/],
    [{ from: '22:00', to: '7:00', timeZone: 'UTC' }, /time of day/],
    [{ from: '22:00', to: '22:00', timeZone: 'UTC' }, /another time/],
    [{ from: '22:00', to: '07:00', timeZone: 'Europe/Atlantis' }, /time zone/],
    [{ from: '22:00', to: '07:00', timeZone: '+02:00' }, /time zone/],
    [{ from: '22:00', to: '07:00', timeZone: `A${'a'.repeat(70)}` }, /time zone/],
  ])('%j is refused with a sentence', (wanted, sentence) => {
    const parsed = QuietHours.safeParse(wanted);
    expect(parsed.error?.issues.map(({ message }) => message).join()).toMatch(sentence);
  });
});

describe('[ROUTE-7] an announcement in quiet hours', () => {
  const NIGHT = hours('22:00', '07:00', 'UTC');
  const [at, morning] = [Date.parse('2026-07-01T23:00Z'), Date.parse('2026-07-02T07:00Z')];
  const about = {
    seq: 1,
    at: 0,
    interactionId: 'call_1~1',
    toolCallId: 'call_1',
    toolName: 'Bash',
    kind: 'approval',
  };
  const reminder = (expiresAt?: number | null): Announcement => ({
    type: 'interaction.reminder',
    ...about,
    ...(expiresAt !== undefined && { expiresAt }),
  });

  it.each<[string, Announcement, number | null]>([
    ['a reminder without a deadline', reminder(null), morning],
    ['a reminder of what has settled since', reminder(), morning],
    ['a reminder that leaves time to answer', reminder(morning + 1), morning],
    ['a reminder of what expires with the hours', reminder(morning), null],
    ['a reminder of what expires in the hours', reminder(at + 1), null],
    ['an escalation', { type: 'interaction.escalated', ...about }, null],
    [
      'an update',
      { type: 'interaction.updated', ...about, change: 'extended', expiresAt: morning * 2 },
      null,
    ],
  ])('%s', (_which, announcement, until) => {
    expect(heldUntil(NIGHT, announcement, at)).toBe(until);
    expect(heldUntil(undefined, announcement, at)).toBeNull();
  });
});

function clock(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function wallMinute(timeZone: string, at: number): number {
  const style = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const;
  const [hour = 0, minute = 0] = new Intl.DateTimeFormat('en-GB', style)
    .format(at)
    .split(':')
    .map(Number);
  return hour * 60 + minute;
}

function minutesFrom(from: number, to: number): number {
  return (to - from + 1_440) % 1_440;
}
