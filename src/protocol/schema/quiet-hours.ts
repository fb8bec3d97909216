/**
 * Quiet hours of a person: a daily stretch of the wall clock in the person's time zone, in which reminders wait.
 *
 * A zone is a name of the IANA database, because only a name knows when clocks change; an offset such as `+02:00` is
 * wrong for half of the year.
 */
import * as z from './zod.ts';

const Time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a time of day from 00:00 to 23:59, such as 22:00');

const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/** Whether this platform knows the zone; the database changes with its versions. */
export function isTimeZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (cause) {
    if (cause instanceof RangeError) return false;
    throw cause;
  }
}

export const QuietHours = z
  .strictObject({
    from: Time.meta({ example: '22:00' }),
    to: Time.meta({ example: '07:00', description: 'The end; earlier than `from`: the next day.' }),
    timeZone: z
      .string()
      .refine(isTimeZone, 'Use the name of a time zone, such as Europe/Berlin')
      .meta({ example: 'Europe/Berlin' }),
  })
  .refine(({ from, to }) => from !== to, {
    message: 'The quiet hours must end at another time than they begin',
    path: ['to'],
  })
  .meta({ id: 'QuietHours' });
export type QuietHours = z.infer<typeof QuietHours>;
