/** The audit list as an administrator takes it away: by HTTP and by `holdpoint audit`. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder, runCli } from '../support/cli.ts';
import { sign } from '../support/http/credentials.ts';
import { sharedServer } from '../support/http/server.ts';

const server = await sharedServer();
const workspace = 'of-audit';
const token = await sign({ scopes: ['admin'], workspace, subject: 'olga' });
const env = { HOLDPOINT_URL: server.url, HOLDPOINT_TOKEN: token };

async function call(method: string, at: string, body?: unknown): Promise<Response> {
  return fetch(`${server.url}${at}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

const NAMES = ['=1+1', '+4', '-cmd', '@sum', 'a "quoted", name', 'plain'];
for (const name of NAMES) {
  const { status } = await call('POST', '/v1/keys', { name, scopes: ['agent', 'read'] });
  if (status !== 201) throw new Error(`The key ${name} was answered with ${status}`);
}

const exported = async (query = '') => (await call('GET', `/v1/audit/export${query}`)).text();

describe('[TEAM-4] an export of the audit list', () => {
  it('as CSV has quotes and CRLF, and nothing that a spreadsheet runs', async () => {
    const response = await call('GET', '/v1/audit/export?format=csv');
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    const lines = (await response.text()).split('\r\n');
    expect(lines[0]).toMatch(/^number,time,what,change,subject,via,/);
    expect(lines.at(-1)).toBe('');
    const names = ["'=1+1", "'+4", "'-cmd", "'@sum", '"a ""quoted"", name"', 'plain'];
    for (const [index, name] of names.entries()) expect(lines[index + 1]).toContain(`,${name},`);
    expect(lines[1]).toMatch(/^1,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ,key,created,olga,api,/);
    expect(lines[1]).toContain('agent read');
  });

  it('as JSON lines has every entry once, and a filter leaves out the others', async () => {
    const lines = (await exported()).trim().split('\n');
    expect(lines).toHaveLength(NAMES.length);
    const some = await exported('?text=quoted');
    expect(some.trim().split('\n')).toEqual([lines[4]]);
    expect(await exported('?who=nobody')).toBe('');
  });

  it('ends when its reader leaves in the middle', async () => {
    const response = await call('GET', '/v1/audit/export');
    await response.body?.cancel();
    expect((await call('GET', '/v1/audit?limit=1')).status).toBe(200);
  });
});

describe('[TEAM-4, CLI-1] holdpoint audit', () => {
  it('searches, and prints what was found', async () => {
    const found = await runCli(['audit', '--who', 'olga', '--text', 'plain'], { env });
    expect(found).toMatchObject({ code: 0, err: '' });
    expect(found.out).toMatch(/NUMBER +TIME +WHO/);
    expect(found.out).toMatch(/6 +\d{4}-\d\d-\d\d \S+ +olga +api +key created +plain · key_/);
    const json = await runCli(['audit', '--json', '--limit', '2'], { env });
    expect(
      json.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).number),
    ).toEqual([6, 5]);
    expect((await runCli(['audit', '--from', 'then'], { env })).code).toBe(2);
    expect((await runCli(['audit', 'burn'], { env })).code).toBe(2);
  });

  it('verifies the list of the server, a file and stdin, and names the first broken link', async () => {
    const whole = await runCli(['audit', 'verify', 'server'], { env });
    expect(whole).toMatchObject({ code: 0, err: '' });
    const head = /^Head: (\S+)$/m.exec(whole.out)?.[1] ?? '';
    expect((await runCli(['audit', 'verify', 'server', '--head', head], { env })).code).toBe(0);

    const { out: file } = await runCli(['audit', 'export'], { env });
    expect(file).toBe(await exported());
    const home = emptyFolder();
    const check = async (text: string, ...more: string[]) => {
      writeFileSync(path.join(home, 'audit.jsonl'), text);
      const { code, out } = await runCli(['audit', 'verify', 'audit.jsonl', ...more], { home });
      return [code, out.trim().split('\n')[0]];
    };
    const lines = file.trimEnd().split('\n');
    expect(await check(file)).toEqual([0, 'The chain holds: 6 entries.']);
    expect(await check(file, '--workspace', workspace, '--head', head)).toEqual([
      0,
      expect.any(String),
    ]);
    expect(await check(file, '--workspace', 'main')).toEqual([
      1,
      'Entry 1 begins the list of another workspace',
    ]);
    expect(await check(file.replace('plain', 'plane'))).toEqual([
      1,
      'Entry 6 was changed: its hash is of other contents',
    ]);
    expect(await check(lines.toSpliced(2, 1).join('\n'))).toEqual([1, 'Entry 3 is missing']);
    expect(await check(lines.slice(0, 5).join('\n'))).toEqual([0, expect.any(String)]);
    expect(await check(lines.slice(0, 5).join('\n'), '--head', head)).toEqual([
      1,
      'Entry 6, whose hash was kept, is missing: the list lost its end',
    ]);
    expect(await check('{}')).toEqual([1, 'Line 1 is no entry of an export as JSON lines']);
    const piped = await runCli(['audit', 'verify', '-', '--json'], { stdin: lines.join('\n') });
    expect(JSON.parse(piped.out)).toMatchObject({ ok: true, entries: 6 });
    expect((await runCli(['audit', 'verify', 'missing.jsonl'], { home })).code).toBe(2);
  });

  it('refuses a credential that is no administrator', async () => {
    const reader = await sign({ scopes: ['read'], workspace, subject: 'ray' });
    const asReader = { env: { ...env, HOLDPOINT_TOKEN: reader } };
    for (const words of [['audit'], ['audit', 'export'], ['audit', 'verify', 'server']]) {
      const { code, err, out } = await runCli(words, asReader);
      expect([code, out]).toEqual([1, '']);
      expect(err).toContain('admin');
    }
  });
});
