/**
 * A data folder of `npm start` from the first version whose schema is kept.
 *
 * A bug here looks like the folder of a user that the next version does not open or reads wrongly, or that an older
 * version reads after a downgrade without knowing its schema.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { HttpTransport } from '../../src/client/http-transport.ts';
import type { SessionEvent } from '../../src/protocol/types.ts';
import { ROOT } from '../../scripts/lib/paths.ts';
import { ask, send } from '../support/http/call.ts';
import { ADMIN_KEY, BINDINGS, startServer } from '../support/http/server.ts';
import { copyKept, makeNewer, readSessionId } from '../storage-fixture/copy.ts';
import { CHAT, GONE, KEPT } from '../storage-fixture/scenario.ts';

const server = await startServer({ HOLDPOINT_DEMO: '1' });
const storage = path.join(server.dataDir, 'storage');
const holdpoint = new HttpTransport({ url: server.url, token: ADMIN_KEY });

function fileIn(kind: 'session' | 'workspace', index = 0): string {
  const folder = path.join(storage, kind);
  const files = readdirSync(folder).filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name));
  return path.join(folder, files.toSorted()[index] ?? '');
}

it('[LOG-11] opens, shows everything, and goes on', async () => {
  await server.restart('stop', async () => {
    rmSync(storage, { recursive: true });
    mkdirSync(storage);
    copyKept('served', storage);
  });
  expect(await holdpoint.inbox()).toMatchObject({ total: 4 });
  const { sessions } = await holdpoint.sessions();
  expect(sessions.map(({ id, open }) => `${id} ${open}`)).toEqual([`${CHAT} 1`, `${KEPT} 3`]);
  const { session, open, head } = await holdpoint.snapshot(KEPT);
  expect(session).toMatchObject({ title: 'Kept', queued: [{ text: 'After that, tell me.' }] });
  expect(open).toHaveLength(3);
  expect(await holdpoint.rules(KEPT)).toMatchObject([{ toolName: 'Bash' }]);
  expect(await holdpoint.interaction(KEPT, 'approved~1')).toMatchObject({ outcome: 'approved' });
  await expect(holdpoint.snapshot(GONE)).rejects.toMatchObject({ code: 'not_found' });
  expect(await ask(server, { method: 'GET', path: '/v1/settings' })).toEqual({
    settings: { timeouts: { approval: 86_400 } },
  });
  expect(await ask(server, { method: 'GET', path: '/v1/keys' })).toMatchObject({
    keys: [{ name: 'in-use' }],
  });
  const { entries } = (await ask(server, { method: 'GET', path: '/v1/audit' })) as unknown as {
    entries: object[];
  };
  expect(entries).toHaveLength(9);
  const page = await ask(server, { method: 'GET', path: `/v1/sessions/${KEPT}/events` });
  const events = page['events'] as unknown as SessionEvent[];
  expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: head }, (_, at) => at + 1));
});

it('[LOG-11, RUN-3] resumes the turn that was in progress', async () => {
  expect(await holdpoint.files(CHAT)).toMatchObject([{ path: 'hello.md' }]);
  const { open } = await holdpoint.snapshot(CHAT);
  await holdpoint.answer(CHAT, open[0]?.interactionId ?? '', { decision: 'approve' });
  await expect
    .poll(async () => (await holdpoint.snapshot(CHAT)).session.turn, { timeout: 30_000 })
    .toBeNull();
  expect(await holdpoint.files(CHAT)).toMatchObject([
    { path: 'hello.md' },
    { path: 'invitation.txt' },
  ]);
});

it('[LOG-11] serves every session except the one that a newer version wrote, and says why', async () => {
  await holdpoint.rename(KEPT, 'Written to');
  await holdpoint.rename(CHAT, 'Written to');
  let index = 0;
  await server.restart('stop', async () => {
    while (readSessionId(fileIn('session', index)) !== KEPT) index += 1;
    makeNewer(fileIn('session', index));
  });
  const replies = await Promise.all(
    [KEPT, CHAT].map((id) => send(server, { method: 'GET', path: `/v1/sessions/${id}` })),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 503]));
  expect(replies.find(({ status }) => status === 503)?.text).toContain('"unavailable"');
  // The line may come after the response.
  await expect
    .poll(() => server.output(), { timeout: 30_000 })
    .toMatch(/Holdpoint does not serve the session main\/\w+: It was written by a newer version/);
});

it('[LOG-11] of a newer version does not start', async () => {
  let output = '';
  let code: number | null = null;
  await server.restart('stop', async () => {
    makeNewer(fileIn('workspace'));
    const script = path.join(ROOT, 'scripts/start.ts');
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
      env: { ...process.env, ...BINDINGS, HOLDPOINT_DATA: server.dataDir },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    [code] = (await once(child, 'close')) as [number | null];
  });
  expect(code).toBe(1);
  expect(output).toContain(`${server.dataDir} cannot be served because of storage/workspace/`);
  expect(output).toContain('It was written by a newer version of Holdpoint.');
});
