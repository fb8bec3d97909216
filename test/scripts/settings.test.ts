import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import { bindingsOf, readSettings } from '../../scripts/lib/settings.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-settings-'));
  file = path.join(folder, '.dev.vars');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('makes secrets once, readable by their owner alone', () => {
  const first = readSettings({}, file);
  expect(Buffer.from(first.bindings['HOLDPOINT_SECRET'] ?? '', 'base64url')).toHaveLength(32);
  expect(first.bindings['HOLDPOINT_ADMIN_KEY']).not.toBe(first.bindings['HOLDPOINT_SECRET']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readSettings({}, file)).toEqual(first);
});

it('adds only what is missing and keeps what is there', () => {
  writeFileSync(file, 'HOLDPOINT_SECRET=mine\nHOLDPOINT_TIMEOUTS={"approval":5}');
  const { bindings } = readSettings({}, file);
  expect(bindings).toMatchObject({
    HOLDPOINT_SECRET: 'mine',
    HOLDPOINT_TIMEOUTS: '{"approval":5}',
  });
  expect(readFileSync(file, 'utf8')).toMatch(
    /^HOLDPOINT_SECRET=mine\n.*\nHOLDPOINT_ADMIN_KEY=[\w-]{43}\n$/,
  );
});

it('[OPS-8] fills in the empty secrets of the example once', () => {
  copyFileSync(path.join(ROOT, '.dev.vars.example'), file);
  const first = readSettings({}, file);
  expect(first.bindings['HOLDPOINT_SECRET']).toMatch(/^[\w-]{43}$/);
  expect(first.bindings['HOLDPOINT_ADMIN_KEY']).toMatch(/^[\w-]{43}$/);
  expect(readSettings({}, file)).toEqual(first);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('lets the environment win, and writes nothing when it has the secrets', () => {
  const env = {
    HOLDPOINT_SECRET: 's',
    HOLDPOINT_ADMIN_KEY: 'k',
    PORT: '9000',
    HOLDPOINT_NAME: 'ada',
    HOLDPOINT_ORIGINS: '',
  };
  expect(readSettings(env, file)).toEqual({
    port: 9000,
    host: '127.0.0.1',
    dataDir: '.holdpoint',
    person: { name: 'ada', from: 'setting' },
    bindings: {
      HOLDPOINT_SECRET: 's',
      HOLDPOINT_ADMIN_KEY: 'k',
      HOLDPOINT_DEMO: '1',
    },
  });
  expect(() => statSync(file)).toThrow();
});

it('[OPS-10] allows private networks on a terminal alone, or where they are set', () => {
  const at = (where: 'on a terminal' | 'as a service', bindings = {}) =>
    bindingsOf({ bindings }, where)['HOLDPOINT_PRIVATE_TOOLS'];
  expect(at('on a terminal')).toBe('1');
  expect(at('as a service')).toBe('0');
  expect(at('as a service', { HOLDPOINT_PRIVATE_TOOLS: '1' })).toBe('1');
  expect(at('on a terminal', { HOLDPOINT_PRIVATE_TOOLS: '0' })).toBe('0');
});

it('makes no secrets for a script that only looks at a server that runs', () => {
  expect(readSettings({}, file, 'read secrets').bindings['HOLDPOINT_ADMIN_KEY']).toBeUndefined();
  expect(() => statSync(file)).toThrow();
});

it.each(['abc', '0', '65536', '80.5', '-1'])('refuses PORT=%s in one line', (port) => {
  expect(() =>
    readSettings({ PORT: port, HOLDPOINT_SECRET: 's', HOLDPOINT_ADMIN_KEY: 'k' }, file),
  ).toThrow(`PORT is "${port}"`);
});
