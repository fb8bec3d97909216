/** Credentials and the other headers of a request, valid and odd. */
import type { Random } from '../support/random.ts';
import { type Plot, pickCredential } from './plot.ts';
import { MAX_WAIT_SECONDS } from './request-target.ts';

type Header = readonly [name: string, value: string];

export interface MadeHeaders {
  readonly headers: readonly Header[];
  /** Some headers concern the runtime, which refuses them in its own words. */
  readonly isOdd: boolean;
}

/** Values for the server to read; without control characters, which end a header early. */
const ODD_VALUES = [
  '',
  ' ',
  ',',
  '1, 2',
  '\xff\xfe\x80',
  '"',
  'null',
  '-1',
  '1e9',
  '9'.repeat(30),
  '%00',
  '\t\t',
  'a'.repeat(5_000),
] as const;

const ODD_NAMES = [
  'Accept',
  'Content-Type',
  'Content-Encoding',
  'Accept-Encoding',
  'Origin',
  'Cookie',
  'Range',
  'If-None-Match',
  'X-Forwarded-For',
  'X-HTTP-Method-Override',
  'Last-Event-ID',
  'Prefer',
  'Idempotency-Key',
  'Sec-WebSocket-Protocol',
  'CF-Connecting-IP',
  'X-Request-Id',
] as const;

export function makeHeaders(plot: Plot, random: Random): MadeHeaders {
  const headers: Header[] = [['Connection', 'close'], ...credential(plot, random)];
  if (random.chance(0.25)) headers.push(['Idempotency-Key', idempotencyKey(random)]);
  if (random.chance(0.03)) headers.push(['Prefer', preferredWait(random)]);
  if (random.chance(0.06)) {
    headers.push(['Accept', 'text/event-stream']);
    if (random.chance(0.5)) headers.push(['Last-Event-ID', cursor(random)]);
  }
  if (random.chance(0.08)) headers.push([random.pick(ODD_NAMES), random.pick(ODD_VALUES)]);
  if (!random.chance(0.03)) return { headers, isOdd: false };
  return { headers: [...headers.slice(1), ...upgrade(plot, random)], isOdd: true };
}

function credential(plot: Plot, random: Random): Header[] {
  const token = plot.credentials[pickCredential(random)];
  if (token === null) return [];
  if (random.chance(0.95)) return [['Authorization', `Bearer ${token}`]];
  return random.pick<Header[]>([
    [['authorization', `bearer ${token}`]],
    [['Authorization', token]],
    [['Authorization', `Basic ${token}`]],
    [['Authorization', `Bearer  ${token}`]],
    [['Authorization', `Bearer ${token} ${token}`]],
    [['Authorization', 'Bearer']],
    [['Authorization', `Bearer ${'a'.repeat(random.pick([4_096, 4_097, 9_000]))}`]],
    [
      ['Authorization', `Bearer ${token}`],
      ['Authorization', `Bearer ${token}`],
    ],
    [['Sec-WebSocket-Protocol', `holdpoint.v1, holdpoint.token.${token}`]],
  ]);
}

/** Few, so that a key recurs with the same body, with another body and on another route. */
function idempotencyKey(random: Random): string {
  if (random.chance(0.85)) return `fuzz-key-${random.int(0, 40)}`;
  return random.pick([
    '',
    'short',
    'a'.repeat(128),
    'a'.repeat(129),
    'with space',
    'aaaaaaaa, bb',
    '\xe9'.repeat(9),
  ]);
}

function preferredWait(random: Random): string {
  return random.pick([
    `wait=${MAX_WAIT_SECONDS}`,
    'wait=0',
    `respond-async, wait=${MAX_WAIT_SECONDS}; x`,
    'wait=-1',
    'wait=',
    'wait=1.5',
    'wait=9999999',
    'return=minimal',
  ]);
}

function cursor(random: Random): string {
  return random.pick(['0', '1', '3', '10', '99999', '-1', 'x', '9'.repeat(15), '9'.repeat(16)]);
}

function upgrade(plot: Plot, random: Random): Header[] {
  const token = plot.credentials[pickCredential(random)] ?? '';
  const protocols = [
    'holdpoint.v1',
    `holdpoint.v1, holdpoint.token.${token}`,
    ',,,',
    'holdpoint.token.',
  ];
  const extensions = [
    'permessage-deflate',
    'x; y=z',
    'permessage-deflate; server_max_window_bits=99',
  ];
  const keys = ['dGhlIHNhbXBsZSBub25jZQ==', 'short', '', 'a'.repeat(500)];
  const headers: Header[] = [
    ['Connection', random.pick(['Upgrade', 'keep-alive, Upgrade', 'close'])],
    ['Upgrade', random.pick(['websocket', 'WebSocket', 'h2c', 'websocket, h2c', ''])],
    ['Sec-WebSocket-Version', random.pick(['13', '13', '8', 'x'])],
    ['Sec-WebSocket-Key', random.pick(keys) ?? ''],
    ['Sec-WebSocket-Protocol', random.pick(protocols) ?? ''],
    ['Sec-WebSocket-Extensions', random.pick(extensions) ?? ''],
  ];
  return headers.filter(() => random.chance(0.85));
}
