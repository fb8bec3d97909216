/**
 * [LIM-7] Downloads and exports of readers that stay and read nothing.
 *
 * A bug here looks like a viewer who holds a gigabyte of the server and stops the answers of everybody, or like a person
 * who can download nothing more because a browser tab was closed in the middle of a picture.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { residentBytes } from '../fuzz/resident-memory.ts';
import { ask, expectRefused, send } from '../support/http/call.ts';
import { keyWith } from '../support/http/credentials.ts';
import { startServer } from '../support/http/server.ts';

const MIB = 2 ** 20;
/** More than the kernel takes for a reader that does not read. */
const INPUT_CHARS = 8 * MIB - 1_000;
const PATIENCE = { timeout: 60_000, interval: 50 };
vi.setConfig({ testTimeout: 120_000 });

const server = await startServer();
const SESSION = '/v1/sessions/downloaded';
await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: 'downloaded' } });
const opened = await ask(server, {
  method: 'POST',
  path: `${SESSION}/interactions`,
  token: await keyWith('agent'),
  json: {
    kind: 'approval',
    toolName: 'Write',
    toolCallId: 'call_1',
    input: { content: 'x'.repeat(INPUT_CHARS) },
  },
});
const REQUEST = `${SESSION}/interactions/${(opened['interaction'] as JsonObject)['interactionId'] as string}`;
const INPUT = `${REQUEST}/input`;
const EXPORT = `${SESSION}/export`;

const stuck: Socket[] = [];
afterEach(() => {
  for (const socket of stuck.splice(0)) socket.destroy();
});

/** Sends a request, reads the status, and then nothing more. */
async function readNothing(path: string, token?: string): Promise<number> {
  const socket = connect({ port: server.port, host: '127.0.0.1', autoSelectFamily: false });
  stuck.push(socket);
  socket.on('error', () => undefined);
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\n${authorization}\r\n`);
  const [data] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString('latin1'))?.[1]);
}

async function readNothingOften(path: string, times: number, token?: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < times; n += 1) statuses.push(await readNothing(path, token));
  return statuses;
}

const download = (path: string, token?: string) =>
  send(server, { method: 'GET', path, ...(token !== undefined && { token }) });

it.each([
  ['downloads', INPUT, 8],
  ['exports', EXPORT, 2],
] as const)(
  '[LIM-7] %s of one root: one too many is refused, another root is served, and a reader that leaves frees its place',
  async (limit, path, max) => {
    const [token, other] = [await keyWith('read'), await keyWith('read')];
    const all = await readNothingOften(path, max, token);
    expect(all).toEqual(all.map(() => 200));
    const refused = await download(path, token);
    expectRefused(refused, 'rate_limited');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(JSON.parse(refused.text)).toMatchObject({ error: { details: { limit, max } } });
    expect((await download(path, other)).text.length).toBeGreaterThan(INPUT_CHARS);
    stuck.pop()?.destroy();
    await vi.waitFor(async () => expect((await download(path, token)).status).toBe(200), PATIENCE);
    await server.expectUnharmed();
  },
);

it('[LIM-7, LINK-1] downloads by an answer link count for the root of the credential that made the link', async () => {
  const token = await keyWith('read', 'answer');
  const json = { subject: 'mia' };
  const made = await ask(server, { method: 'POST', path: `${REQUEST}/links`, token, json });
  const page = `${new URL(made['url'] as string).pathname}?download=input`;
  const all = await readNothingOften(page, 8);
  expect(all).toEqual(all.map(() => 200));
  expect((await send(server, { method: 'GET', path: page, token: null })).status).toBe(429);
  expectRefused(await download(INPUT, token), 'rate_limited');
  expect((await download(INPUT)).status).toBe(200);
});

it('[LIM-7] what was read to its end, or asked for by HEAD, or refused, keeps no place', async () => {
  const token = await keyWith('read');
  for (let n = 0; n < 9; n += 1) {
    expect((await download(EXPORT, token)).text).toContain('"end":true');
    expect((await send(server, { method: 'HEAD', path: INPUT, token })).status).toBe(200);
    expect((await download(`${SESSION}/interactions/none~1/input`, token)).status).toBe(404);
    expect((await download(INPUT, token)).status).toBe(200);
  }
});

it('[LIM-7, LIM-5] a hundred exports that nobody reads cost the memory of two', async () => {
  const token = await keyWith('read');
  await readNothingOften(EXPORT, 2, token);
  const before = residentBytes(server.pid()) ?? 0;
  const more = await readNothingOften(EXPORT, 98, token);
  expect(new Set(more)).toEqual(new Set([429]));
  expect((residentBytes(server.pid()) ?? 0) - before).toBeLessThan(64 * MIB);
  await server.expectUnharmed();
});
