/**
 * Makes the folders that every later version must open: `npm run build && npm run fixture:storage`.
 *
 * docs/storage.md says when this may be run, which is hardly ever: a folder that is made anew proves
 * nothing about the folders that people have.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { InProcessHost } from '../../src/in-process/index.ts';
import { sqliteFolder } from '../../src/in-process/sqlite.ts';
import { startWorkerd } from '../../scripts/workerd.ts';
import { play, playWithAgent } from './scenario.ts';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const ADMIN_KEY = 'test-admin-key-000000000000000000000000';
const BINDINGS = {
  HOLDPOINT_SECRET: 'test-secret-that-is-long-enough-000000',
  HOLDPOINT_ADMIN_KEY: ADMIN_KEY,
  HOLDPOINT_DEMO: '1',
};
/** The workspace hears of everything well within that. */
const TOLD_MS = 2_000;

await makeServed(path.join(HERE, 'served'));
await makeInProcess(path.join(HERE, 'in-process'));

async function makeServed(target: string): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-fixture-'));
  const server = await startWorkerd({ dataDir, bindings: BINDINGS });
  const transport = new HttpTransport({ url: server.url, token: ADMIN_KEY });
  await play(transport);
  await playWithAgent(transport);
  await setWorkspace(server.url);
  await sleep(TOLD_MS);
  transport.close();
  await server.stop();
  keep(path.join(dataDir, 'storage'), target);
  rmSync(dataDir, { recursive: true });
}

/** A setting, a key in use, and one that was revoked. */
async function setWorkspace(url: string): Promise<void> {
  const call = async (method: string, at: string, body?: object) => {
    const response = await fetch(url + at, {
      method,
      headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${at}: ${response.status}`);
    return response.status === 204 ? undefined : response.json();
  };
  await call('PUT', '/v1/settings', { timeouts: { approval: 86_400 } });
  await call('POST', '/v1/keys', { name: 'in-use', scopes: ['agent', 'read'] });
  const { key } = (await call('POST', '/v1/keys', { name: 'revoked', scopes: ['read'] })) as {
    key: { id: string };
  };
  await call('DELETE', `/v1/keys/${key.id}`);
}

async function makeInProcess(target: string): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-fixture-'));
  const host = new InProcessHost({ storage: sqliteFolder(folder) });
  const transport = host.transport();
  await play(transport);
  await transport.inbox();
  host.close();
  keep(folder, target);
  rmSync(folder, { recursive: true });
}

/** One file a database: what its write-ahead log still holds is written into it. */
function keep(from: string, to: string): void {
  const files = readdirSync(from, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.sqlite'))) {
    const database = new DatabaseSync(path.join(from, file));
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
  }
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, filter: (source) => !/-(wal|shm)$/.test(source) });
}
