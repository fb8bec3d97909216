/**
 * [HOOK-3] `holdpoint connect`: the settings of other programs are changed as shown, or not at all.
 *
 * A bug here looks like lost settings, a key in a file that is committed, or a tool that runs because its hook is written
 * so that a failure lets it pass.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder, runCli } from '../support/cli.ts';

const TOKEN = 'hp_secret_of_the_agent';
const URL_OF_SERVER = 'http://127.0.0.1:9';
const FOREIGN = {
  model: 'opus',
  env: { API_KEY: 'foreign-secret' },
  hooks: {
    PermissionRequest: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'beep' }] }],
    PostToolUse: [{ matcher: 'Write', hooks: [{ type: 'command', command: 'format' }] }],
  },
};

type Scopes = readonly string[] | 401;

function serverWith(scopes: Scopes) {
  const made: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input));
    const reply = (status: number, body: unknown) =>
      new Response(JSON.stringify(body), {
        status,
        headers: { 'Content-Type': 'application/json' },
      });
    if (scopes === 401) {
      return reply(401, { error: { code: 'unauthenticated', message: 'No', requestId: 'r' } });
    }
    if (pathname === '/v1/keys') {
      made.push(init?.body);
      return reply(201, { key: { id: 'key_1', scopes: ['agent'] }, secret: 'hp_fresh_key' });
    }
    return reply(200, { subject: 'me', scopes, workspace: 'main', groups: [] });
  };
  return { fetch, made };
}

function machine(scopes: Scopes = ['agent']) {
  const home = emptyFolder();
  const cwd = path.join(home, 'project');
  mkdirSync(cwd);
  const { fetch, made } = serverWith(scopes);
  const settings = path.join(home, '.claude/settings.json');
  const run = (
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    more: { stdin?: string; isTTY?: boolean } = {},
  ) =>
    runCli(['connect', ...args], {
      home,
      cwd,
      fetch,
      env: { HOLDPOINT_URL: URL_OF_SERVER, HOLDPOINT_TOKEN: TOKEN, ...env },
      ...more,
    });
  const write = (text: string, file = settings) => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const read = (file = settings) => readFileSync(file, 'utf8');
  return {
    home,
    cwd,
    settings,
    run,
    write,
    read,
    made,
    key: path.join(home, '.config/holdpoint/agent.json'),
  };
}

const commandsIn = (text: string) =>
  [...text.matchAll(/"command": "([^"]*)"/g)].map(([, one]) => one);

describe('[HOOK-3] connect', () => {
  it('writes hooks that block when they fail, and keeps the key in a private file', async () => {
    const { run, read, key } = machine();
    const { code, out, err } = await run(['claude-code', '--every', 'Bash', '--yes']);
    expect(code).toBe(0);
    const { hooks } = JSON.parse(read()) as {
      hooks: Record<string, [{ matcher?: string; hooks: [Record<string, unknown>] }]>;
    };
    const reporting = ['PostToolUse', 'PostToolUseFailure', 'Stop'];
    const asking = ['PermissionRequest', 'PreToolUse', 'Elicitation'];
    expect(Object.keys(hooks)).toEqual([...asking, ...reporting]);
    for (const event of asking) {
      expect(hooks[event]?.[0].hooks[0]).toEqual({
        type: 'command',
        command: '/usr/bin/node /opt/holdpoint/main.js hook claude-code --wait 3540 || exit 2',
        timeout: 3_600,
        onFailure: 'block',
      });
    }
    expect(hooks['PreToolUse']?.[0].matcher).toBe('Bash');
    // A Stop hook that blocked would keep the agent going, and a tool that has run cannot be blocked.
    for (const event of reporting) {
      expect(hooks[event]?.[0].hooks[0]).not.toHaveProperty('onFailure');
      expect(hooks[event]?.[0].hooks[0]['command']).not.toContain('exit');
    }
    expect(JSON.parse(read(key))).toEqual({ url: URL_OF_SERVER, token: TOKEN });
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect(read() + out + err).not.toContain(TOKEN);
  });

  it('writes no field that Codex does not know', async () => {
    const { run, read, home } = machine();
    await run(['codex', '--yes']);
    const text = read(path.join(home, '.codex/hooks.json'));
    expect(text).not.toContain('onFailure');
    expect(commandsIn(text)[0]).toMatch(/ hook codex --wait 3540 \|\| exit 2$/);
  });

  it('keeps foreign entries, the form of the file and its mode, and shows nothing that stays', async () => {
    const { run, write, read, settings } = machine();
    write(`${JSON.stringify(FOREIGN, null, 4)}\n`);
    chmodSync(settings, 0o640);
    const { err } = await run(['claude-code', '--yes']);
    const written = JSON.parse(read()) as typeof FOREIGN;
    expect(written).toMatchObject({ model: 'opus', env: FOREIGN.env });
    expect(written.hooks.PermissionRequest[0]).toEqual(FOREIGN.hooks.PermissionRequest[0]);
    expect(written.hooks.PostToolUse[0]).toEqual(FOREIGN.hooks.PostToolUse[0]);
    expect(read()).toMatch(/^ {4}"model"/m);
    expect(statSync(settings).mode & 0o777).toBe(0o640);
    expect(err).toContain('+ ');
    expect(err).not.toContain('foreign-secret');
  });

  it('changes nothing without --yes or a yes', async () => {
    const { run, settings, key } = machine();
    expect(await run(['claude-code'])).toMatchObject({ code: 2 });
    expect(await run(['claude-code'], {}, { isTTY: true, stdin: 'n\n' })).toMatchObject({
      code: 1,
    });
    expect([existsSync(settings), existsSync(key)]).toEqual([false, false]);
    expect(await run(['claude-code'], {}, { isTTY: true, stdin: 'y\n' })).toMatchObject({
      code: 0,
    });
    expect(existsSync(settings)).toBe(true);
  });

  it('is the same a second time, and replaces what an older one wrote', async () => {
    const { run, read } = machine();
    await run(['claude-code', '--yes']);
    const first = read();
    expect(await run(['claude-code'])).toMatchObject({ code: 0 });
    expect(read()).toBe(first);
    await run(['claude-code', '--every', 'Bash', '--yes']);
    await run(['claude-code', '--yes']);
    expect(read()).toBe(first);
  });

  it.each([
    ['none', undefined],
    ['an empty object', '{}'],
    ['odd white space', '{"model":"opus",\n\n   "hooks":   {} }'],
    ['foreign hooks', JSON.stringify(FOREIGN)],
  ])('--remove gives back %s exactly', async (_name, text) => {
    const { run, write, read, settings, key } = machine();
    if (text !== undefined) write(text);
    await run(['claude-code', '--yes']);
    await run(['claude-code', '--every', 'Write', '--yes']);
    await run(['claude-code', '--remove', '--yes']);
    expect(existsSync(settings) ? read() : undefined).toBe(text);
    expect(existsSync(key)).toBe(false);
  });

  it('--remove takes out its own entries of a file that was changed since', async () => {
    const { run, write, read } = machine();
    write(JSON.stringify(FOREIGN));
    await run(['claude-code', '--yes']);
    write(JSON.stringify({ ...(JSON.parse(read()) as object), theme: 'dark' }));
    await run(['claude-code', '--remove', '--yes']);
    expect(JSON.parse(read())).toEqual({ ...FOREIGN, theme: 'dark' });
  });

  it('makes a key if the credential may, and says what to run if it may not', async () => {
    const admin = machine(['admin']);
    await admin.run(['claude-code', '--yes']);
    expect(admin.made).toHaveLength(1);
    expect(admin.read(admin.key)).toContain('hp_fresh_key');
    for (const scopes of [['read', 'answer'], 401] as const) {
      const { run, settings } = machine(scopes);
      const { code, err } = await run(['claude-code', '--yes']);
      expect([code, existsSync(settings)]).toEqual([1, false]);
      expect(err).toContain('holdpoint keys create');
    }
  });
});

describe('[HOOK-6] connect says nothing is asked where nothing is', () => {
  const modeIn = (text: string) =>
    (JSON.parse(text) as { permissions?: { defaultMode?: string } }).permissions?.defaultMode;

  it('sets the mode that asks where no settings name one, and takes it out again', async () => {
    const { run, write, read } = machine();
    write(JSON.stringify(FOREIGN));
    const { code, err } = await run(['claude-code', '--yes']);
    expect([code, modeIn(read())]).toEqual([0, 'default']);
    expect(err).toContain('"defaultMode": "default"');
    write(JSON.stringify({ ...(JSON.parse(read()) as object), theme: 'dark' }));
    await run(['claude-code', '--remove', '--yes']);
    expect(JSON.parse(read())).toEqual({ ...FOREIGN, theme: 'dark' });
  });

  it('leaves the mode alone with --every, which asks in any mode', async () => {
    const { run, read } = machine();
    expect(await run(['claude-code', '--every', 'Bash', '--yes'])).toMatchObject({ code: 0 });
    expect(modeIn(read())).toBeUndefined();
  });

  it.each(['auto', 'bypassPermissions', 'dontAsk'])(
    'ends with 1 in the mode %s, until --manual',
    async (defaultMode) => {
      const { run, write, read } = machine();
      write(JSON.stringify({ permissions: { defaultMode, allow: ['Read'] } }));
      const { code, err } = await run(['claude-code', '--yes']);
      expect([code, modeIn(read())]).toEqual([1, defaultMode]);
      expect(err).toMatch(/Nothing is asked yet: .*--manual.*--every/);
      expect(await run(['claude-code', '--manual', '--yes'])).toMatchObject({ code: 0 });
      expect(JSON.parse(read())).toMatchObject({
        permissions: { defaultMode: 'default', allow: ['Read'] },
      });
    },
  );

  it('ends with 1 where hooks are switched off, also in the project', async () => {
    const { run, write, cwd } = machine();
    const local = path.join(cwd, '.claude/settings.local.json');
    write(JSON.stringify({ disableAllHooks: true }), local);
    for (const more of [[], ['--every', 'Bash'], ['--manual']]) {
      const { code, err } = await run(['claude-code', '--yes', ...more]);
      expect([code, err.includes(`"disableAllHooks" is set in ${local}`)]).toEqual([1, true]);
    }
  });

  it('warns that Codex trusts no hook yet, and names the flag for CI', async () => {
    const { code, err } = await machine().run(['codex', '--yes']);
    expect(code).toBe(0);
    expect(err).toMatch(/asks nobody until .* \/hooks.*--dangerously-bypass-hook-trust/);
  });
});

describe('[HOOK-3] settings that cannot be changed', () => {
  it.each([
    ['broken JSON', '{"env": {"KEY": "foreign-secret"'],
    ['a comment', '{} // mine'],
    ['a list', '[]'],
    ['hooks that are no object', '{"hooks": []}'],
    ['an event that is no list', '{"hooks": {"Stop": {}}}'],
  ])('%s stays as it is', async (_name, text) => {
    const { run, write, read } = machine();
    write(text);
    const { code, err } = await run(['claude-code', '--yes']);
    expect([code, read()]).toEqual([1, text]);
    expect(err).toContain('othing was changed');
    expect(err).not.toContain('foreign-secret');
  });

  it('a folder in its place stays', async () => {
    const { run, settings } = machine();
    mkdirSync(settings, { recursive: true });
    expect(await run(['claude-code', '--yes'])).toMatchObject({ code: 1 });
  });

  it('a link of the person stays a link, and its file is changed', async () => {
    const { run, write, read, home, settings } = machine();
    const real = path.join(home, 'dotfiles/claude.json');
    write('{}', real);
    mkdirSync(path.dirname(settings));
    symlinkSync(real, settings);
    const { err } = await run(['claude-code', '--yes']);
    expect(err).toContain(real);
    expect(read(real)).toContain('hook claude-code');
    await run(['claude-code', '--remove', '--yes']);
    expect(read(real)).toBe('{}');
  });

  it('a link that leads out of a project is refused', async () => {
    const { run, write, read, home, cwd } = machine();
    const outside = path.join(home, 'outside.json');
    write('{}', outside);
    mkdirSync(path.join(cwd, '.claude'));
    symlinkSync(outside, path.join(cwd, '.claude/settings.json'));
    expect(await run(['claude-code', '--project', '--yes'])).toMatchObject({ code: 1 });
    expect(read(outside)).toBe('{}');
  });

  it('a project names the command alone', async () => {
    const { run, read, cwd } = machine();
    await run(['claude-code', '--project', '--yes']);
    const text = read(path.join(cwd, '.claude/settings.json'));
    expect(commandsIn(text)[0]).toBe('holdpoint hook claude-code --wait 3540 || exit 2');
    expect(text).not.toContain(TOKEN);
  });
});
