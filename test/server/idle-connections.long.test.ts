/**
 * `npm start` when idle connections take its last file. A bug here looks like a service that stays down after a flood
 * of connections.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openFiles } from '../../scripts/lib/open-files.ts';
import { ADMIN_KEY } from '../support/http/server.ts';
import { startLocally } from '../support/local-server.ts';

const HEADERS = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };

async function start() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-idle-'));
  const server = await startLocally({ dataDir, fileLimit: 1_024 });
  onTestFinished(async () => {
    await server.kill();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return server;
}

async function post(url: string, route: string, body: object): Promise<Response> {
  const response = await fetch(url + route, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(5_000),
  });
  await response.arrayBuffer();
  return response;
}

it('[OPS-1] restarts by itself after 600 idle connections took its last file, with everything it acknowledged', async () => {
  const server = await start();
  expect(server.output()).toContain('ulimit -Hn: 1024');
  await post(server.url, '/v1/sessions', { id: 'flooded' });
  const acknowledged: number[] = [];
  const written = new AbortController();
  const write = async (number: number) => {
    const { status } = await post(server.url, '/v1/sessions/flooded/events', {
      events: [{ type: 'assistant_text', payload: { text: `line ${number}` } }],
    });
    if (status === 201) acknowledged.push(number);
  };
  const writing = (async () => {
    for (let number = 0; !written.signal.aborted; number++)
      await write(number).catch(() => sleep(20));
  })();

  while (acknowledged.length < 20) await sleep(20);

  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const before = server.workerdPid();
  for (let count = 0; count < 600; count++) {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    sockets.push(socket);
  }
  await server.printed('workerd ended by itself');
  const endedAt = Date.now();
  let answers = false;
  while (!answers && Date.now() < endedAt + 10_000)
    answers = await fetch(`${server.url}/health`).then(
      ({ ok }) => ok,
      () => sleep(20, false),
    );
  expect(answers, 'it answers again within ten seconds').toBe(true);
  written.abort();
  await writing;
  await server.printed('The server runs again');
  expect(server.workerdPid()).not.toBe(before);

  const log = await fetch(`${server.url}/v1/sessions/flooded/export`, { headers: HEADERS });
  const lines = (await log.text()).trim().split('\n');
  const events = lines.map((line) => JSON.parse(line) as { payload?: { text?: string } });
  const kept = new Set(events.map(({ payload }) => payload?.text));
  expect(acknowledged.filter((number) => !kept.has(`line ${number}`))).toEqual([]);
}, 60_000);

it('[OPS-1] warns when four fifths of the files are open', async () => {
  const server = await start();
  const sockets = Array.from({ length: 430 }, () => connect(server.port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  if (process.platform === 'linux') await server.printed(/has \d+ of 1024 files open/);
  else expect(await openFiles(server.workerdPid())).toBeUndefined();
  for (const socket of sockets) socket.destroy();
}, 60_000);
