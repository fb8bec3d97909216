/** The request line after the method: path and query, valid or not. */
import { pathOf, type Target } from '../support/http/examples.ts';
import { KINDS_OPEN } from '../support/http/sample-session.ts';
import type { Random } from '../support/random.ts';
import { oddText } from './odd-values.ts';
import type { Plot } from './plot.ts';
import { ROUTE_QUERIES } from './route-schemas.ts';
import { valueOf } from './values-of-schema.ts';

const ODD_SEGMENTS = [
  '%00',
  '%20',
  '%ff',
  '%c0%ae%c0%ae',
  '%',
  '%zz',
  '%u0041',
  '.',
  '..',
  '%2e%2e',
  '%2e%2e%2fkeys',
  '%252e%252e',
  '*',
  '{id}',
  ':id',
  '__proto__',
  'constructor',
  "'--",
  'a;b=c',
  'a@b',
  'a\\b',
  '\xe9\xff',
  '%E2%80%AE',
  '%F0%9F%98%80',
  '%ED%A0%80',
  'cancel',
  'decide',
  'call-approval~1',
  'call-approval~0',
  'call-approval~999999',
  'a'.repeat(129),
  'b'.repeat(4_000),
] as const;

/** A request must not ask for a longer wait than the fuzzer has time for. */
export const MAX_WAIT_SECONDS = 1;

/** These routes erase the target, so most of their requests go to another session. */
const ENDINGS: ReadonlySet<string> = new Set([
  'DELETE /v1/sessions/:id',
  'POST /v1/sessions/:id/clear',
  'POST /v1/sessions/:id/interrupt',
  'POST /v1/sessions/:id/interactions/cancel',
]);

export function makeTarget(target: Target, plot: Plot, random: Random): string {
  let path = makePath(target, plot, random);
  if (random.chance(0.12)) path = mutatePath(path, random);
  const query = makeQuery(target, plot, random);
  const whole = query === '' ? path : `${path}?${query}`;
  return withoutLongWait(whole).replaceAll(/[\0-\x20]/g, (char) => encodeURIComponent(char));
}

function makePath(target: Target, plot: Plot, random: Random): string {
  const isMeant = random.chance(ENDINGS.has(target.key) ? 0.2 : 0.85);
  const sample = isMeant ? plot.samples[0] : plot.samples[1];
  const opened = random.chance(0.6) ? undefined : random.pick(KINDS_OPEN);
  const path = pathOf(target, sample, opened);
  if (random.chance(0.88)) return path;
  return path.replace(sample.session, random.pick([plot.deleted, sample.unused, 'nobody']));
}

function mutatePath(path: string, random: Random): string {
  const parts = path.split('/');
  const at = random.int(1, parts.length - 1);
  const part = parts[at] ?? '';
  switch (random.weighted({ odd: 5, encoded: 3, more: 2, less: 1, slashes: 2, letters: 1 })) {
    case 'odd':
      return parts.with(at, random.pick(ODD_SEGMENTS)).join('/');
    case 'encoded':
      return parts.with(at, percentEncoded(part, random)).join('/');
    case 'more':
      return parts.toSpliced(at, 0, random.pick([...ODD_SEGMENTS, part])).join('/');
    case 'less':
      return parts.toSpliced(at, 1).join('/') || '/';
    case 'slashes':
      return random.pick([
        `${path}/`,
        `/${path}`,
        path.replace('/', '//'),
        `${path}%2f`,
        `${path}#x`,
      ]);
    case 'letters':
      return random.pick([
        path.toUpperCase(),
        path.replace('/v1', '/api'),
        path.replace('v1', 'v2'),
      ]);
  }
}

/** Encodes the same path; a server that reads another path decodes twice, or not at all. */
function percentEncoded(part: string, random: Random): string {
  const encode = (char: string) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return [...part].map((char) => (random.chance(0.4) ? encode(char) : char)).join('');
}

function makeQuery(target: Target, plot: Plot, random: Random): string {
  const { example, key } = target;
  const schema = ROUTE_QUERIES.get(key);
  switch (random.weighted({ none: 5, example: 3, schema: 4, bad: 2, odd: 1 })) {
    case 'none':
      return '';
    case 'example':
      return example.query ?? '';
    case 'schema': {
      if (schema === undefined) return '';
      const value = valueOf(schema, random, plot.hints) as Record<string, unknown>;
      const pairs = Object.entries(value).map(([name, member]): [string, string] => [
        name,
        String(member),
      ]);
      return new URLSearchParams(pairs).toString();
    }
    case 'bad':
      return random.pick(example.badQueries ?? ['surprise=1']) ?? '';
    case 'odd':
      return oddQuery(target, random);
  }
}

function oddQuery({ example }: Target, random: Random): string {
  const name = random.pick(['after', 'limit', 'before', 'wait', 'status', 'x', '__proto__', 'a[]']);
  const value = encodeURIComponent(oddText(random).slice(0, 3_000).toWellFormed());
  return random.pick([
    `${name}=${value}`,
    name,
    `${name}=1&${name}=2`,
    `${example.query ?? ''}&${name}=%ff`,
    `${value}=${value}`,
    '&&&==&',
    '?',
    `${name}=${'%'.repeat(random.int(1, 5))}`,
  ]);
}

function withoutLongWait(target: string): string {
  const [path = '', ...rest] = target.split('?');
  const query = new URLSearchParams(rest.join('?'));
  const isLong = query.getAll('wait').some((seconds) => Number(seconds) > MAX_WAIT_SECONDS);
  return isLong ? `${path}?wait=${MAX_WAIT_SECONDS}` : target;
}
