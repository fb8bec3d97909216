/**
 * The memory that a body costs the server, measured at the process.
 *
 * A bug here looks like a stranger without a credential who fills the memory of the machine with one request: 300 MB in
 * a body whose declared length is 10 bytes.
 */
import { expect, it } from 'vitest';
import { residentBytes } from '../fuzz/resident-memory.ts';
import { flood } from '../support/http/flood.ts';
import { ADMIN_KEY, startServer } from '../support/http/server.ts';

const MIB = 2 ** 20;
const FLOOD_BYTES = 96 * MIB;
const AT_ONCE = 4;
/** Far below the size of all bodies together, and far above the needs of the process. */
const MAX_GROWTH_BYTES = 64 * MIB;

const server = await startServer();
const AUTH = `Authorization: Bearer ${ADMIN_KEY}`;
const CHUNKED = 'Transfer-Encoding: chunked';
const begun = await fetch(`${server.url}/v1/sessions`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${ADMIN_KEY}` },
  body: '{"id":"flooded"}',
});

it.each([
  ['a public page, a length beside chunks', 'GET /health', ['Content-Length: 10', CHUNKED]],
  ['a public page, chunks', 'GET /health', [CHUNKED]],
  ['a public page by HEAD', 'HEAD /docs', [CHUNKED]],
  ['a public page, a length', 'GET /health', [`Content-Length: ${FLOOD_BYTES}`]],
  ['a path that is none', 'POST /nothing', [CHUNKED]],
  ['a method that is not for the path', 'PUT /health', [CHUNKED]],
  ['a preflight', 'OPTIONS /v1/sessions', [CHUNKED]],
  ['no credential', 'POST /v1/sessions', [CHUNKED]],
  ['a command without a body', 'POST /v1/sessions/flooded/clear', [AUTH, CHUNKED]],
  ['a body', 'POST /v1/sessions', [AUTH, CHUNKED]],
  ['a body, a length beside chunks', 'POST /v1/sessions', [AUTH, 'Content-Length: 10', CHUNKED]],
  ['a body, a small length', 'POST /v1/sessions', [AUTH, 'Content-Length: 10']],
  ['a body, a length', 'POST /v1/sessions', [AUTH, `Content-Length: ${FLOOD_BYTES}`]],
])('[LIM-1, LIM-4] keeps nothing of 96 MiB sent to %s', async (_name, line, headers) => {
  expect(begun.status).toBe(201);
  const before = residentBytes(server.pid()) ?? 0;
  const head = [`${line} HTTP/1.1`, 'Host: test', ...headers].join('\r\n');
  const chunked = headers.includes(CHUNKED);
  const sendFlood = () => flood(server.port, { head, bytes: FLOOD_BYTES, chunked });
  const floods = await Promise.all(Array.from({ length: AT_ONCE }, sendFlood));
  const after = residentBytes(server.pid()) ?? 0;
  expect(after - before).toBeLessThan(MAX_GROWTH_BYTES);
  for (const text of floods) expect(text).not.toMatch(/^HTTP\/1\.1 [25]0[01]/);
  await server.expectUnharmed();
});
