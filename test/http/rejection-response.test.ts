/**
 * Responses of refusals and failures.
 *
 * A bug here looks like a status that does not match its code, the text of an exception in a response, or a failure
 * without a log line.
 */
import { expect, it } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { failureRejection, rejectionResponse } from '../../src/http/rejection-response.ts';
import { type RouteResult, route } from '../../src/http/route.ts';
import { ERRORS, type ErrorCode, reject } from '../../src/protocol/errors.ts';
import { ErrorBody } from '../../src/protocol/schema/rejection.ts';
import { fakePorts, GOOD } from '../support/http/fake-ports.ts';
import { requestTo } from '../support/http/request-to.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

it.each(CODES)('[LIM-1] %s has its status and the shape of every refusal', async (code) => {
  const response = rejectionResponse(reject(code, 'Because', { why: 1 }), 'request-1');
  expect(response.status).toBe(ERRORS[code].status);
  expect(response.headers.get('x-request-id')).toBe('request-1');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const body: unknown = await response.json();
  expect(ErrorBody.safeParse(body).success).toBe(true);
  expect(body).toEqual({
    error: { code, message: 'Because', details: { why: 1 }, requestId: 'request-1' },
  });
});

it('[LIM-1] leaves out empty details', async () => {
  const body: unknown = await rejectionResponse(reject('not_found', 'No'), 'r').json();
  expect(body).toEqual({ error: { code: 'not_found', message: 'No', requestId: 'r' } });
});

it('[AUTH-2] challenges only a caller without a credential', () => {
  const challenged = CODES.filter((code) =>
    rejectionResponse(reject(code, 'No'), 'r').headers.has('www-authenticate'),
  );
  expect(challenged).toEqual(['unauthenticated']);
});

it('[LIM-3] sends `Retry-After` only if it knows the wait', () => {
  const rejection = reject('rate_limited', 'Slower', { retryAfterSeconds: 7 });
  expect(rejectionResponse(rejection, 'r').headers.get('retry-after')).toBe('7');
  expect(rejectionResponse(reject('rate_limited', 'Slower'), 'r').headers.has('retry-after')).toBe(
    false,
  );
});

it('[LIM-4] treats a busy or moved object as a failure to retry', () => {
  const hints = [{ overloaded: true }, { retryable: true }, { durableObjectReset: true }];
  const broken = hints.map((hint) => Object.assign(new Error('Secret text'), hint));
  for (const cause of [...broken, new Error('internal error; reference = Secret')]) {
    const failed = failureRejection(cause);
    expect(failed).toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 1 } });
    expect(failed.message).not.toContain('Secret');
  }
});

it('[LOG-8] treats a database that could not write as a failed write', () => {
  const full = new Error('database or disk is full: SQLITE_FULL');
  for (const cause of [full, Object.assign(full, { durableObjectReset: true })]) {
    expect(failureRejection(cause)).toMatchObject({ code: 'write_failed' });
  }
  expect(failureRejection(new Error('no such column: x: SQLITE_ERROR')).code).toBe('internal');
});

it.each([
  ['an error', new Error('Secret text')],
  ['a string', 'Secret text'],
  ['undefined', undefined],
  ['null', null],
  ['a rejection', reject('not_found', 'Secret text')],
])('[LIM-4] answers a thrown %s with nothing but a general sentence', (_name, thrown) => {
  const failed = failureRejection(thrown);
  expect(failed.code).toBe('internal');
  expect(JSON.stringify(failed)).not.toContain('Secret');
});

function failingApp(handle: () => Promise<RouteResult>) {
  const ports = fakePorts();
  const path = '/fails';
  const definition = {
    method: 'GET',
    path,
    tag: { name: 'T', description: 'T' },
    unlisted: true,
    summary: 'S',
    access: 'public',
  } as const;
  return { ports, app: createApp(ports, [route({ ...definition, responses: {}, handle })]) };
}

it('[LIM-4] logs for the operator what it hides from the sender, under one request id', async () => {
  const cause = new Error('Secret text');
  const { app, ports } = failingApp(() => Promise.reject(cause));
  const response = await app.fetch(requestTo('/fails'));
  const text = await response.text();
  expect(response.status).toBe(500);
  expect(text).not.toContain('Secret');
  const { requestId } = ErrorBody.parse(JSON.parse(text)).error;
  expect(response.headers.get('x-request-id')).toBe(requestId);
  expect(ports.warnings).toHaveLength(1);
  expect(ports.warnings[0]?.message).toContain(requestId);
  expect(ports.warnings[0]?.evidence).toBe(cause);
});

it('[LIM-4] survives a handler that throws synchronously', async () => {
  const { app, ports } = failingApp(() => {
    throw new Error('Secret text');
  });
  const response = await app.fetch(requestTo('/fails'));
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('Secret');
  expect(ports.warnings).toHaveLength(1);
});

it('[LIM-1] logs no warning for a refusal: a stranger could fill the log', async () => {
  const { app, ports } = failingApp(async () => reject('not_found', 'No'));
  expect((await app.fetch(requestTo('/fails'))).status).toBe(404);
  expect((await app.fetch(requestTo('/nothing'))).status).toBe(404);
  expect((await app.fetch(requestTo('/fails', { method: 'POST' }))).status).toBe(405);
  expect(ports.warnings).toEqual([]);
});

it('[LIM-1] names the methods of a path only with a 405', async () => {
  const { app } = failingApp(async () => reject('not_found', 'No'));
  const wrong = await app.fetch(requestTo('/fails', { method: 'DELETE' }));
  expect(wrong.headers.get('allow')).toBe('GET');
  expect((await app.fetch(requestTo('/nothing'))).headers.has('allow')).toBe(false);
});

async function refusedWith(path: string, body?: string) {
  const init = body === undefined ? {} : { method: 'POST', body };
  const response = await createApp(fakePorts()).fetch(requestTo(path, { ...init, headers: GOOD }));
  return { status: response.status, ...ErrorBody.parse(await response.json()).error };
}

it('[LIM-1] says where a body stops being JSON', async () => {
  expect(await refusedWith('/v1/sessions', '{\n  "title": "a",\n}')).toMatchObject({
    status: 400,
    code: 'invalid_json',
    message: 'Not valid JSON: unexpected "}" at line 3, column 1',
    details: { line: 3, column: 1 },
  });
  expect((await refusedWith('/v1/sessions/one/messages', '')).message).toBe(
    'Not valid JSON: it is empty',
  );
});

it('[LIM-1] explains the form of interaction ids to a caller that sends a tool call id', async () => {
  for (const path of ['call_1', 'call_1~', 'call_1~0', 'call_1~x']) {
    const { status, code, message } = await refusedWith(`/v1/sessions/one/interactions/${path}`);
    expect([status, code]).toEqual([404, 'not_found']);
    expect(message).toContain('Interaction ids end in ~1');
    expect(message).toContain('call_1~1');
  }
  const other = await refusedWith('/v1/sessions/.hidden');
  expect(other).toMatchObject({
    status: 404,
    message: expect.stringContaining('Copy it again, whole, from the list or the link'),
  });
});

it('[LIM-1] names the first fault of a body and counts the others', async () => {
  const body = JSON.stringify({ title: 7, mode: 'plan', timeouts: { approval: 0 } });
  const { message, details } = await refusedWith('/v1/sessions', body);
  expect(message).toBe('unknown field "mode" (and 2 more)');
  expect(details?.issues).toEqual([
    { path: '', message: 'unknown field "mode"' },
    { path: 'title', message: 'use text, not a number' },
    { path: 'timeouts.approval', message: expect.any(String) },
  ]);
});
