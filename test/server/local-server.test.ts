/**
 * `npm start` around workerd: its files, its output, its stop and its restarts.
 *
 * A bug here looks like a stop that takes seconds, or a key in a journal.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type LocalServerOptions, startLocally } from '../support/local-server.ts';
import { ADMIN_KEY, BINDINGS, SECRET } from '../support/http/server.ts';
import { sendRaw } from '../support/http/raw.ts';
import { openSocket } from '../support/http/web-socket.ts';
import { inLongRun } from '../support/run-length.ts';
import { StallMeter } from '../support/stall-meter.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-local-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function start(options: Partial<LocalServerOptions> = {}) {
  const server = await startLocally({ dataDir: temporaryFolder(), ...options });
  onTestFinished(() => server.kill());
  return server;
}

async function call(url: string, method: string, route: string, body?: object, token = ADMIN_KEY) {
  const response = await fetch(url + route, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

inLongRun(() => {
  it('[OPS-5] stops in under a second with streams, sockets and waits open, and loses nothing', async () => {
    const dataDir = temporaryFolder();
    const server = await start({ dataDir });
    await call(server.url, 'POST', '/v1/sessions', { id: 'busy' });
    const ask = (toolCallId: string) => ({
      kind: 'approval',
      toolCallId,
      toolName: 'Bash',
      input: { command: 'make' },
    });
    const headers = { Authorization: `Bearer ${ADMIN_KEY}` };
    const stream = await fetch(`${server.url}/v1/sessions/busy/events`, {
      headers: { ...headers, Accept: 'text/event-stream' },
    });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const socket = await openSocket(server, { session: 'busy', token: ADMIN_KEY });
    const waiting = fetch(`${server.url}/v1/sessions/busy/interactions`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', Prefer: 'wait=50' },
      body: JSON.stringify(ask('call-1')),
    }).catch(() => 'cut off');
    const opened = await call(server.url, 'POST', '/v1/sessions/busy/interactions', ask('call-2'));
    expect(opened.status).toBe(201);

    const stalls = new StallMeter();
    const before = Date.now();
    expect(await server.stop()).toBe(0);
    expect(Date.now() - before).toBeLessThan(1_000 + stalls.stop());
    expect(server.output()).toContain('Stopped.');
    socket.close();
    await waiting;

    const again = await start({ dataDir });
    const { json } = await call(again.url, 'GET', '/v1/sessions/busy/interactions');
    const ids = (json['interactions'] as { toolCallId: string }[]).map(
      (interaction) => interaction.toolCallId,
    );
    expect(ids.toSorted()).toEqual(['call-1', 'call-2']);
  }, 60_000);
});

inLongRun(() => {
  it('[OPS-2, OPS-3] hides its files from other users, and locks the folder until it has ended', async () => {
    const dataDir = temporaryFolder();
    const server = await start({ dataDir });
    await call(server.url, 'POST', '/v1/sessions', { id: 'private' });
    const open = ['.', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })]
      .map((name) => ({ name, mode: statSync(path.join(dataDir, name)).mode & 0o077 }))
      .filter(({ mode }) => mode !== 0);
    expect(open).toEqual([]);
    await expect(startLocally({ dataDir })).rejects.toThrow(`in use by process ${server.pid}`);
    await server.stop();
    expect(existsSync(path.join(dataDir, 'lock'))).toBe(false);
  });
});

it('[OPS-4] creates one key for agents that can ask but not answer, and prints no secret outside a terminal', async () => {
  const dataDir = temporaryFolder();
  const first = await start({ dataDir });
  const file = path.join(dataDir, 'agent-token');
  const token = readFileSync(file, 'utf8').trim();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const asked = await call(first.url, 'POST', '/v1/sessions', { id: 'by-agent' }, token);
  expect(asked.status).toBe(201);
  expect((await call(first.url, 'GET', '/v1/inbox', undefined, token)).status).toBe(403);
  const output = first.output();
  expect(output).toContain(`HOLDPOINT_TOKEN=$(cat ${file})`);
  for (const secret of [token, ADMIN_KEY, SECRET]) expect(output).not.toContain(secret);
  expect(output).not.toContain('#token=');
  await first.stop();

  const again = await start({ dataDir });
  expect(readFileSync(file, 'utf8').trim()).toBe(token);
  await again.stop();

  const other = { HOLDPOINT_SECRET: 'another-secret-that-is-long-enough-0000' };
  const renewed = await start({ dataDir, env: other });
  const next = readFileSync(file, 'utf8').trim();
  expect(next).not.toBe(token);
  expect((await call(renewed.url, 'POST', '/v1/sessions', {}, next)).status).toBe(201);
}, 60_000);

inLongRun(() => {
  it('[OPS-4] prints a link on a terminal that ends with the server, and creates lasting links', async () => {
    const dataDir = temporaryFolder();
    const env = { HOLDPOINT_NAME: 'ada' };
    const first = await start({ dataDir, env, isOnTerminal: true });
    expect(first.output()).toContain('signed in as ada');
    const printed = /#token=(\S+)/.exec(first.output())?.[1] ?? '';
    const asked = spawnSync(process.execPath, ['scripts/link.ts'], {
      encoding: 'utf8',
      env: { ...process.env, ...BINDINGS, ...env, HOLDPOINT_DATA: dataDir },
    });
    expect(asked.stdout).toMatch(new RegExp(`^${first.url}/#token=hp_\\S+\n$`));
    const own = asked.stdout.trim().split('#token=')[1] ?? '';
    for (const token of [printed, own])
      expect((await call(first.url, 'GET', '/v1/inbox', undefined, token)).status).toBe(200);
    expect(await first.stop()).toBe(0);

    const again = await start({ dataDir, env });
    expect((await call(again.url, 'GET', '/v1/inbox', undefined, printed)).status).toBe(401);
    expect((await call(again.url, 'GET', '/v1/inbox', undefined, own)).status).toBe(200);
  }, 60_000);

  inLongRun(() => {
    it('[OPS-6] shows on a terminal that a request opened and how it ended, but not its contents', async () => {
      const env = { HOLDPOINT_NAME: 'ada' };
      const server = await start({ env, isOnTerminal: true });
      const person = /#token=(\S+)/.exec(server.output())?.[1] ?? '';
      const asked = '/v1/sessions/shown/interactions';
      await call(server.url, 'POST', '/v1/sessions', { id: 'shown', title: 'Deploy' });
      const input = { command: 'rm -rf secret-place' };
      const toolName = 'Bash';
      await call(server.url, 'POST', asked, { kind: 'approval', toolCallId: 'c', toolName, input });
      await server.printed(/asked +approval "Bash" in "Deploy"/);
      await call(server.url, 'POST', `${asked}/c~1/answer`, { decision: 'approve' }, person);
      await server.printed(/approved +approval "Bash" in "Deploy", by ada/);
      expect(server.output()).not.toContain('secret-place');
      expect(server.output()).not.toContain('"activity"');
      await server.stop();
    }, 60_000);

    it('[OPS-4] creates no link without a running server, and says how to start one', () => {
      const { status, stderr } = spawnSync(process.execPath, ['scripts/link.ts'], {
        encoding: 'utf8',
        env: { ...process.env, ...BINDINGS, HOLDPOINT_DATA: temporaryFolder() },
      });
      expect(status).toBe(1);
      expect(stderr).toMatch(/^No server runs over .*npm start/);
    });
  });
});

it('[OPS-3] prints no escape sequence and no flood from a stranger', async () => {
  const server = await start();
  const host = `a\u001b[2J${'x'.repeat(20_000)}`;
  const request = `GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  await sendRaw(server.port, request);
  await server.printed('more characters)');
  expect(server.output()).not.toContain('\u001b');
  expect(server.output()).not.toContain('x'.repeat(5_000));
});
