/**
 * The checked formats of text, each with the sentence a person gets when the text does not match.
 *
 * A form offers only these formats; the schema of a tool may name any, and unknown formats are not checked.
 * The text is untrusted and may be as long as a body, so each check takes linear time.
 */
import type { StringField } from '../../protocol/schema/kinds/form.ts';

type TextFormat = NonNullable<StringField['format']>;

const FORMAT_PROBLEMS: Readonly<Record<TextFormat, string>> = {
  email: 'Write an email address, like name@example.com.',
  uri: 'Write a complete address, like https://example.com.',
  date: 'Write a date as YYYY-MM-DD.',
  'date-time': 'Write a date and time with a zone, like 2026-01-31T09:30:00Z.',
};

/** What browsers accept in `<input type="email">`, so that page and server agree. */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
/** RFC 5321: a longer address cannot be delivered to. */
const MAX_EMAIL_CHARS = 254;
/** A scheme and something after it; `URL` alone would accept blanks around and encode them within. */
const URI = /^[a-zA-Z][a-zA-Z0-9+.-]*:[^\s<>"{}|\\^`]+$/;
/** The part whose letters `URL` turns into ASCII, for which it takes the square of their number. */
const URI_HOST = /^(?:https?|wss?|ftp|file):\/*(?:[^/?#@]*@)?([^/?#]*)/i;
/** A DNS name has at most 253 characters; a port may follow. */
const MAX_HOST_CHARS = 300;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
/** RFC 3339 without leap seconds, because most date libraries that read the answer cannot represent them. */
const TIME = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

const FORMAT_CHECKS: Readonly<Record<TextFormat, (text: string) => boolean>> = {
  email: (text) => text.length <= MAX_EMAIL_CHARS && EMAIL.test(text),
  uri: (text) =>
    URI.test(text) && (URI_HOST.exec(text)?.[1] ?? '').length <= MAX_HOST_CHARS && canParse(text),
  date: isDate,
  'date-time': (text) =>
    isDate(text.slice(0, 10)) && /^t$/i.test(text.charAt(10)) && TIME.test(text.slice(11)),
};

export function isFormat(name: string): name is TextFormat {
  return Object.hasOwn(FORMAT_CHECKS, name);
}

export function formatProblem(text: string, format: TextFormat): string | undefined {
  return FORMAT_CHECKS[format](text) ? undefined : FORMAT_PROBLEMS[format];
}

/** A day that exists: the 30th of February has the right shape and is no date. */
function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return year >= 1 && days !== undefined && day >= 1 && day <= days;
}

function canParse(text: string): boolean {
  try {
    return new URL(text).href !== '';
  } catch {
    return false;
  }
}

/** Code points, as JSON Schema counts the length of a text. */
export function countCharacters(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
