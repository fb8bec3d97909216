/**
 * Times as a page without a script can show them: in UTC, because the server does not know the zone of the reader. And as
 * protocols write them.
 */

const SHOWN = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});
const PARTS = new Intl.DateTimeFormat('en-GB', {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** For example "19 Nov 2026, 08:15 UTC". */
export function shownTime(at: number): string {
  return `${SHOWN.format(at)} UTC`;
}

/** The value of a field for date and time; empty for a text that is no time. */
export function fieldTime(text: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? '' : isoTime(at).slice(0, 'YYYY-MM-DDThh:mm'.length);
}

/** ISO 8601, to the second that has begun. */
export function isoTime(at: number): string {
  const part = Object.fromEntries(PARTS.formatToParts(at).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute, second } = part;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
}
