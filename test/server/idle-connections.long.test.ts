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
import { freePort } from '../../scripts/lib/ports.ts';
import { ADMIN_KEY } from '../support/http/server.ts';
import { startLocally } from '../support/local-server.ts';

const HEADERS = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };

async function start(options: { port?: number; fileLimit: number } = { fileLimit: 1_024 }) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-idle-'));
  const server = await startLocally({ dataDir, ...options });
  onTestFinished(async () => {
    await server.kill();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return server;
}

/** Idle connections without a pause, also while nothing listens; resolves when the server has dropped so many of them. */
function flood(port: number, { atOnce, until }: { atOnce: number; until: number }): Promise<void> {
  const sockets = new Set<Socket>();
  let dropped = 0;
  let isOver = false;
  return new Promise((resolve) => {
    const end = () => {
      isOver = true;
      for (const socket of sockets) socket.destroy();
      resolve();
    };
    onTestFinished(end);
    const open = () => {
      if (isOver) return;
      const socket = connect(port, '127.0.0.1');
      let wasOpen = false;
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('connect', () => (wasOpen = true));
      socket.once('close', () => {
        sockets.delete(socket);
        if (wasOpen) dropped++;
        if (dropped >= until) end();
        else setTimeout(open, 20);
      });
      socket.resume();
    };
    for (let count = 0; count < atOnce; count++) open();
  });
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

it('[OPS-1] starts, greets and serves after a flood that began before the start and ended the server again and again', async () => {
  const port = await freePort();
  const flooding = flood(port, { atOnce: 300, until: 900 });
  const server = await start({ port, fileLimit: 256 });
  await flooding;
  const [before = '', after] = server.output().split('Connections have taken its last file.');
  expect(after, 'the flood has ended a server').toBeDefined();
  expect(before).not.toContain('Ctrl-C stops it.');
  await server.printed('The server runs again');
  expect((await post(server.url, '/v1/sessions', { id: 'later' })).status).toBe(201);
}, 60_000);

it('[OPS-1] warns when four fifths of the files are open', async () => {
  const server = await start();
  const sockets = Array.from({ length: 430 }, () => connect(server.port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  if (process.platform === 'linux') await server.printed(/has \d+ of 1024 files open/);
  else expect(await openFiles(server.workerdPid())).toBeUndefined();
  for (const socket of sockets) socket.destroy();
}, 60_000);
