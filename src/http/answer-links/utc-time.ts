/** Times as a page without a script can show them: in UTC, because the server does not know the zone of the reader. */

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
  if (Number.isNaN(at)) return '';
  const part = Object.fromEntries(PARTS.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}`;
}
