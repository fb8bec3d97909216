/**
 * [HOOK-6] `holdpoint doctor` sends a harmless call through the installed hook, and fails where nothing would be asked.
 *
 * A bug here looks like a green line above an inbox that stays empty.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { emptyFolder, runCli } from '../support/cli.ts';
import { keyWith } from '../support/http/credentials.ts';
import { ask } from '../support/http/call.ts';
import { startRoutes } from '../support/http/local-app.ts';

const server = await startRoutes();
const token = await keyWith('agent');
const { fetch = globalThis.fetch } = server;

const COMMAND = 'holdpoint hook claude-code --wait 60 || exit 2';
const CODEX_COMMAND = 'holdpoint hook codex --wait 60 || exit 2';

/** A machine whose `holdpoint` asks as the real one does, with `curl` in the place of its request. */
function machine() {
  const home = emptyFolder();
  const bin = path.join(home, 'bin');
  mkdirSync(bin);
  const program = (name: string, text: string) => {
    const file = path.join(bin, name);
    writeFileSync(file, text);
    chmodSync(file, 0o755);
  };
  const write = (name: string, value: JsonObject) => {
    const file = path.join(home, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(value));
  };
  const env = {
    HOLDPOINT_URL: server.url,
    HOLDPOINT_TOKEN: token,
    PATH: `${bin}${path.delimiter}${path.dirname(process.execPath)}${path.delimiter}/usr/bin:/bin`,
  };
  const doctor = async () => {
    const { code, out } = await runCli(['doctor', '--json'], { home, env, fetch });
    const findings = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { what: string; isGood: boolean; message: string });
    return { code, hooks: findings.filter(({ what }) => what === 'hooks') };
  };
  return { doctor, program, write };
}

const DENIES = `#!/bin/sh
cat > /dev/null
echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"No server here"}}}'
`;

const hooksOf = (command: string) => ({
  hooks: { PermissionRequest: [{ matcher: '*', hooks: [{ type: 'command', command }] }] },
});

/** Opens what the hook was given, as \`holdpoint hook\` does, and waits for its end. */
async function askFor(program: string, body: JsonObject): Promise<void> {
  await ask(server, {
    method: 'POST',
    path: `/v1/hooks/claude-code?wait=20&program=${program}`,
    json: body,
    token,
  });
}

it('[HOOK-6] fails in a mode that asks nobody, and where the hook asks nobody', async () => {
  const { doctor, program, write } = machine();
  program('holdpoint', DENIES);
  write('.claude/settings.json', hooksOf(COMMAND));
  const fresh = await doctor();
  expect(fresh.code).toBe(1);
  expect(fresh.hooks).toMatchObject([
    { isGood: false, message: expect.stringContaining('mode auto') },
  ]);
  write('.claude/settings.json', { ...hooksOf(COMMAND), permissions: { defaultMode: 'default' } });
  const away = await doctor();
  expect(away.code).toBe(1);
  expect(away.hooks).toMatchObject([
    { isGood: false, message: 'The hook asked nobody: No server here' },
  ]);
});

it('[HOOK-6] says that a person was asked, and takes the question back', async () => {
  const { doctor, program, write } = machine();
  // The command hands its input to this test, which asks with it.
  const { createServer } = await import('node:http');
  const front = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      void askFor('claude-code', JSON.parse(text) as JsonObject).finally(() => response.end('{}'));
    });
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const { port } = front.address() as { port: number };
  program(
    'holdpoint',
    `#!${process.execPath}
let text = '';
process.stdin.on('data', (chunk) => (text += chunk));
process.stdin.on('end', () => fetch('http://127.0.0.1:${port}', { method: 'POST', body: text }));
`,
  );
  write('.claude/settings.json', { ...hooksOf(COMMAND), permissions: { defaultMode: 'default' } });
  const { hooks } = await doctor();
  front.close();
  expect(hooks).toMatchObject([
    { isGood: true, message: expect.stringContaining('was asked and taken back') },
  ]);
  const listed = '/v1/sessions/claude-code:holdpoint-doctor/interactions';
  const { interactions } = await ask(server, { method: 'GET', path: listed });
  expect(interactions).toEqual([]);
});

it.each([
  ['untrusted', true, /not trusted yet.*--dangerously-bypass-hook-trust/],
  ['trusted', false, /switched off/],
  [undefined, true, /codex is not on the PATH/],
] as const)(
  '[HOOK-6] fails where Codex says %s (enabled: %s)',
  async (trustStatus, enabled, words) => {
    const { doctor, program, write } = machine();
    program('holdpoint', DENIES);
    write('.codex/hooks.json', hooksOf(CODEX_COMMAND));
    const list = { data: [{ hooks: [{ command: CODEX_COMMAND, enabled, trustStatus }] }] };
    if (trustStatus !== undefined) {
      program(
        'codex',
        `#!${process.execPath}
const lines = require('node:readline').createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const { id } = JSON.parse(line);
  const result = id === 2 ? ${JSON.stringify(list)} : {};
  if (id !== undefined) console.log(JSON.stringify({ id, result }));
});
`,
      );
    }
    const { code, hooks } = await doctor();
    expect(code).toBe(1);
    expect(hooks).toMatchObject([{ isGood: false, message: expect.stringMatching(words) }]);
  },
);
