/**
 * Every route with the wrong method, with unknown ids, and with invented queries, cursors and keys.
 *
 * A bug here looks like a 5xx from an invented cursor, a path that reaches another session than it names, or an empty
 * page where the sender should learn of a mistake.
 */
import { expect, it } from 'vitest';
import { ROUTES } from '../../src/http/routes/index.ts';
import { type ErrorCode } from '../../src/protocol/errors.ts';
import { type Ask, expectRefused, problemsOf, refusalProblem, send } from '../support/http/call.ts';
import { pathOf, type Target, TARGETS, validRequest } from '../support/http/examples.ts';
import { readVisibleState, settledSampleSession } from '../support/http/sample-session.ts';
import { startRoutes } from '../support/http/local-app.ts';

const server = await startRoutes();
const sample = await settledSampleSession(server);
const before = await readVisibleState(server, sample);
const named = (targets: readonly Target[]) =>
  targets.map((target) => [target.key, target] as const);

/** Public pages ignore unknown query parameters, because links often add tracking parameters. */
const NOT_PUBLIC = TARGETS.filter(({ key }) =>
  ROUTES.some((route) => `${route.method} ${route.path}` === key && route.access !== 'public'),
);

/** Segments that are not session ids, and some that look like a path to another session. */
const BAD_SEGMENTS = [
  '.hidden',
  'a b',
  'a~1',
  '%20',
  '%00',
  'ses%00',
  '%2e%2e%2fkeys',
  '..%2f..%2fkeys',
  `..%2f${sample.session}`,
  `${sample.session}%2f..%2f${sample.session}`,
  `main%2f${sample.session}`,
  `${sample.session}%00`,
  `${sample.session}%20`,
  `${sample.session}%0d%0aX-Evil:1`,
  `${sample.session};jsessionid=1`,
  `${sample.session}%3Fafter=1`,
  '%252e%252e%252fkeys',
  '%c0%ae%c0%ae',
  '%ff',
  '%',
  '%zz',
  '%u0041',
  '%E2%80%AE',
  '%F0%9F%98%80',
  '__proto__%20',
  "'%20OR%201=1--",
  '{id}',
  ':id%3F',
  '*',
  'a'.repeat(129),
  'a'.repeat(5_000),
];
/** Well-formed ids that do not exist. */
const UNKNOWN = [
  'unknown',
  '__proto__',
  'constructor',
  'toString',
  ':id',
  '-',
  '0',
  'a'.repeat(128),
];
const BAD_INTERACTIONS = [
  'nobody~1',
  'call-approval~2',
  'call-approval~999999',
  '__proto__~1',
  'call-approval',
  'call-approval~0',
  'call-approval~01',
  'call-approval~-1',
  'call-approval~1~1',
  'call-approval~1000000',
  '~1',
  '%00~1',
  'call-approval~1%00',
  'call-approval%7E1%20',
  '..%2f..%2frules',
  '%ff~1',
  `${'a'.repeat(129)}~1`,
];

async function refusesEach(cases: readonly (Ask & { codes: readonly ErrorCode[] })[]) {
  const problems = await problemsOf(cases, async ({ codes, ...ask }) => {
    const problem = refusalProblem(await send(server, ask), codes);
    return problem && `${ask.method} ${ask.path}: ${problem}`;
  });
  expect(problems).toEqual([]);
  expect(await readVisibleState(server, sample)).toEqual(before);
}

/** The valid request with another path, its query kept. */
function withPath(target: Target, change: (path: string) => string): Ask {
  const valid = validRequest(target, sample);
  const [path = '', query] = valid.path.split('?');
  return { ...valid, path: change(path) + (query === undefined ? '' : `?${query}`) };
}

function serves(method: string, path: string): boolean {
  return ROUTES.some(
    (route) =>
      route.method === method &&
      new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
  );
}

it.each(named(TARGETS))('[LIM-1] %s refuses every other method', async (_key, target) => {
  const path = pathOf(target, sample);
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY', 'get', 'Post'];
  for (const method of methods) {
    // fetch uppercases these five methods; it sends any other word unchanged.
    if (serves(method.toUpperCase(), path)) continue;
    const reply = await send(server, { method, path });
    expectRefused(reply, 'method_not_allowed');
    const allowed = reply.headers.get('allow')?.split(', ') ?? [];
    expect(allowed).toContain(target.method);
    expect(allowed.every((listed) => serves(listed, path))).toBe(true);
  }
  expect(await readVisibleState(server, sample)).toEqual(before);
});

it('[LIM-1] answers 404 to an unknown path, for every caller', async () => {
  const paths = [
    '/nothing',
    '/v1',
    '/v1/',
    '/v2/sessions',
    '/v1/sessions/',
    '//v1/sessions',
    '/V1/sessions',
    '/v1/sessions/x/',
    '/v1/sessions/x/interactions/call~1/answers',
    '/v1/sessions/x/y/z',
    '/api/sessions/x/messages',
    '/v1/%00',
    '/%',
    '/%ff',
    '/v1//sessions',
    '/.env',
    '/__proto__',
    `/${'a/'.repeat(2_000)}`,
    '/v1/sessions%3Flimit=1',
  ];
  await refusesEach(
    paths.flatMap((path) =>
      ['GET', 'POST', 'DELETE'].flatMap((method) =>
        [undefined, null].map((token) => ({
          method,
          path,
          ...(token === null && { token }),
          codes: ['not_found'] as const,
        })),
      ),
    ),
  );
});

it.each(named(TARGETS.filter((target) => target.pattern.includes(':id'))))(
  '[AUTH-2, LIM-1] %s finds nothing under an id that is malformed or unknown',
  async (_key, target) => {
    await refusesEach(
      [...BAD_SEGMENTS, ...UNKNOWN].map((segment) => ({
        ...withPath(target, (path) => path.replace(`/${sample.session}`, `/${segment}`)),
        codes: target.example.status === 426 ? ['not_found', 'upgrade_required'] : ['not_found'],
      })),
    );
  },
);

it.each(named(TARGETS.filter((target) => target.pattern.includes(':iid'))))(
  '[INT-7] %s finds nothing under a malformed or unknown interaction id',
  async (_key, target) => {
    await refusesEach(
      BAD_INTERACTIONS.map((segment) => ({
        ...withPath(target, (path) => path.replace(/\/call-[a-z]+~1/, `/${segment}`)),
        codes: ['not_found'],
      })),
    );
  },
);

it('[LIM-1] finds nothing under a malformed or unknown rule, key or token', async () => {
  const at = `/v1/sessions/${sample.session}`;
  const ids = [
    'nobody',
    '%00',
    '%ff',
    '..%2fx',
    "'--",
    '__proto__',
    'a'.repeat(500),
    '%F0%9F%98%80',
  ];
  await refusesEach(
    [
      ...ids.map((id) => ({ path: `${at}/rules/${id}` })),
      ...ids.map((id) => ({ path: `/v1/keys/${id}` })),
      ...ids.map((id) => ({ path: `/v1/tokens/${id}` })),
      ...ids.map((id) => ({ path: `/v1/tokens/tok_%20${id}` })),
    ].map(({ path }) => ({ method: 'DELETE', path, codes: ['not_found'] as const })),
  );
});

it.each(named(NOT_PUBLIC))(
  '[LIM-1] %s refuses unknown and malformed queries',
  async (_key, target) => {
    const { badQueries = [] } = target.example;
    const unknown = ['surprise=1', '__proto__=1', 'constructor=1', 'a[]=1', '%ff=1', '%00'];
    await refusesEach(
      [...badQueries, ...unknown].map((query) => ({
        ...validRequest(target, sample),
        path: `${pathOf(target, sample)}?${query}`,
        codes: ['invalid_request', 'cursor_ahead'] as const,
      })),
    );
  },
);

it('[LIM-1] refuses a cursor of one list in another', async () => {
  const lists = [
    { path: '/v1/inbox?limit=1', name: 'after' },
    { path: '/v1/audit?limit=1', name: 'before' },
  ];
  for (const from of lists) {
    const reply = await send(server, { method: 'GET', path: from.path });
    const { next } = JSON.parse(reply.text) as { next?: string };
    expect(next).toEqual(expect.any(String));
    for (const other of [
      ...lists.filter((list) => list !== from),
      { path: '/v1/sessions?limit=1', name: 'before' },
      { path: `/v1/sessions/${sample.session}/interactions?status=settled`, name: 'before' },
    ]) {
      const path = `${other.path}&${other.name}=${next}`;
      expectRefused(await send(server, { method: 'GET', path }), 'invalid_request');
    }
  }
});

it.each(named(TARGETS.filter((target) => target.idempotent)))(
  '[API-2] %s refuses a malformed Idempotency-Key',
  async (_key, target) => {
    const keys = [
      'short',
      '',
      ' ',
      'a'.repeat(129),
      'with space',
      'comma,comma',
      'ключ-ключ',
      '../../..',
    ];
    const sendable = keys.filter((key) => !/[^ -ÿ]/.test(key));
    await refusesEach(
      [...sendable, 'a'.repeat(20_000), 'ÿÿÿÿÿÿÿÿ'].map((key) => ({
        ...validRequest(target, sample),
        headers: { 'Idempotency-Key': key },
        codes: ['invalid_request'],
      })),
    );
  },
);

it('[WS-4] refuses a Last-Event-ID that is not a cursor', async () => {
  const path = `/v1/sessions/${sample.session}/events`;
  for (const last of ['x', '-1', '1.5', '9'.repeat(40), '1, 2', '0x10']) {
    const headers = { Accept: 'text/event-stream', 'Last-Event-ID': last };
    expectRefused(await send(server, { method: 'GET', path, headers }), 'invalid_request');
  }
  const headers = { Accept: 'text/event-stream', 'Last-Event-ID': '99999' };
  expectRefused(await send(server, { method: 'GET', path, headers }), 'cursor_ahead');
});

it('[LIM-4] is unharmed by all of it', async () => {
  await server.expectUnharmed();
});
