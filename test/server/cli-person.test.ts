/**
 * `holdpoint` for a person against a server: login, lists, answers, links, keys and the doctor.
 * The file is long because its tests share one server and one workspace.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { HttpTransport } from '../../src/client/index.ts';
import { type CliOptions, emptyFolder, runCli, startCli } from '../support/cli.ts';
import { keyWith, sign } from '../support/http/credentials.ts';
import { ADMIN_KEY, sharedServer } from '../support/http/server.ts';

const server = await sharedServer();
/** Of this file: the inbox of `main` may hold more of other files than its first page. */
const workspace = 'of-cli-person';
const agent = new HttpTransport({
  url: server.url,
  token: await sign({ scopes: ['agent', 'read'], workspace }),
});
const person = await sign({
  kind: 'person',
  subject: 'ada',
  workspace,
  scopes: ['read', 'answer', 'send'],
  expiresAt: Date.now() + 3_600_000,
  mintedBy: ['key_people'],
});
const LINK = `${server.url}/#token=${person}`;

/** A home with a login, and the file of it. */
async function loggedIn() {
  const home = emptyFolder();
  const ended = await runCli(['login'], { home, stdin: LINK });
  expect(ended).toMatchObject({ code: 0, err: '' });
  return { home, file: path.join(home, '.config/holdpoint/login.json') };
}

let made = 0;
async function openQuestion(count = 1): Promise<{ session: string; reference: string }> {
  made += 1;
  const session = `asked-${made}`;
  await agent.createSession({ id: session, title: `Session ${made}` });
  const questions = Array.from({ length: count }, (_, index) => ({
    header: `Q${index + 1}`,
    question: `Question ${index + 1}?`,
    options: [{ label: 'Yes' }, { label: 'No', description: 'stop' }],
  }));
  const request = {
    kind: 'question',
    toolName: 'AskUserQuestion',
    toolCallId: 'call_1',
    questions,
  };
  await agent.open(session, request);
  return { session, reference: `${session}/call_1~1` };
}

async function openApproval(
  input: Record<string, string>,
  toolName = 'Bash',
  description = 'Ships',
) {
  made += 1;
  const session = `asked-${made}`;
  await agent.createSession({ id: session });
  await agent.open(session, {
    kind: 'approval',
    toolName,
    toolCallId: 'call_1',
    input,
    description,
    allowEdit: true,
  });
  return { session, reference: `${session}/call_1~1` };
}

/** The inbox follows the log of a session a moment later. */
async function listed(session: string): Promise<void> {
  await expect.poll(async () => JSON.stringify(await agent.inbox())).toContain(`"${session}"`);
}

const inHome = (home: string, more: CliOptions = {}): CliOptions => ({ home, ...more });

describe('[CLI-3] a login', () => {
  it('exchanges the link for a token of its own, in a file for its owner alone', async () => {
    const { home, file } = await loggedIn();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { token, url } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    expect(url).toBe(server.url);
    expect(token).not.toBe(person);
    const { session, reference } = await openQuestion();
    const ended = await runCli(['answer', reference, '2'], inHome(home));
    expect(ended).toEqual({ code: 0, out: 'answered\n', err: '' });
    expect(await agent.interaction(session, 'call_1~1')).toMatchObject({
      answers: { 0: 'No' },
      settledBy: { subject: 'ada', via: 'cli' },
    });
  });

  it('stays `via: cli` in tokens that are made from it', async () => {
    const { home } = await loggedIn();
    const { out } = await runCli(['link', '--json'], inHome(home));
    const { url } = JSON.parse(out) as { url: string };
    const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token') ?? '';
    const { session } = await openQuestion();
    const other = new HttpTransport({ url: server.url, token });
    const { interaction } = await other.answer(session, 'call_1~1', { question: 0, option: 0 });
    expect(interaction.settledBy).toMatchObject({ subject: 'ada', via: 'cli' });
  });

  it('is refused if others can read its file, and says what to run', async () => {
    const { home, file } = await loggedIn();
    chmodSync(file, 0o644);
    const ended = await runCli(['pending'], inHome(home));
    expect(ended.code).toBe(1);
    expect(ended.err).toContain(`chmod 600 ${file}`);
    chmodSync(file, 0o600);
    chmodSync(path.dirname(file), 0o777);
    expect((await runCli(['pending'], inHome(home))).err).toContain('chmod 700');
  });

  it('is refused behind a symbolic link, which a new login replaces and does not follow', async () => {
    const { home, file } = await loggedIn();
    const target = path.join(home, 'elsewhere.json');
    writeFileSync(target, readFileSync(file), { mode: 0o600 });
    rmSync(file);
    symlinkSync(target, file);
    const ended = await runCli(['pending'], inHome(home));
    expect({ code: ended.code, err: ended.err }).toMatchObject({
      code: 1,
      err: expect.stringContaining('symbolic link') as string,
    });
    const before = readFileSync(target, 'utf8');
    await runCli(['login'], { home, stdin: LINK });
    expect(lstatSync(file).isSymbolicLink()).toBe(false);
    expect(readFileSync(target, 'utf8')).toBe(before);
  });

  it.each([
    ['', 'neither a link'],
    ['http://127.0.0.1:1/#session=a', 'neither a link'],
    ['a b', 'neither a link'],
    [`#token=abc`, 'no address'],
  ])('refuses %j', async (stdin, sentence) => {
    const { code, err } = await runCli(['login'], { stdin });
    expect(code).toBe(2);
    expect(err).toContain(sentence);
  });

  it('is no login if the server does not accept the credential', async () => {
    const home = emptyFolder();
    const { code, err } = await runCli(['login', server.url], { home, stdin: 'hp_wrong.token' });
    expect(code).toBe(1);
    expect(err).toContain('not valid');
    expect((await runCli(['pending'], inHome(home))).err).toContain('Nobody is logged in');
  });

  it('ends with logout, which says that the token stays valid unless it could be revoked', async () => {
    const { home, file } = await loggedIn();
    const { out, code } = await runCli(['logout'], inHome(home));
    expect(code).toBe(0);
    expect(out).toMatch(/stays valid until .* revoke tok_/);
    expect(() => statSync(file)).toThrow('ENOENT');
    expect((await runCli(['logout'], inHome(home))).out).toBe('Nobody is logged in.\n');
  });

  it('does not go to another server than its own', async () => {
    const { home } = await loggedIn();
    let requests = 0;
    const fetch: typeof globalThis.fetch = async () => {
      requests += 1;
      throw new Error('no');
    };
    const env = { HOLDPOINT_URL: 'http://127.0.0.1:9' };
    const { code } = await runCli(['pending'], inHome(home, { env, fetch }));
    expect({ code, requests }).toEqual({ code: 2, requests: 0 });
  });
});

describe('[CLI-1] reading and answering', () => {
  it('lists what is open, whole or short, and as lines of JSON', async () => {
    const { home } = await loggedIn();
    const { reference, session } = await openApproval({ command: 'make deploy' });
    await listed(session);
    const { out } = await runCli(['pending', '--session', session], inHome(home));
    expect(out).toMatch(new RegExp(`${reference}  approval Bash, \\d+ s ago`));
    expect(out).toContain('  make deploy\n');
    const json = await runCli(['pending', '--session', session, '--json'], inHome(home));
    expect(JSON.parse(json.out)).toMatchObject({ sessionId: session, interactionId: 'call_1~1' });
  });

  it('answers several questions at once, in numbers, labels and own words', async () => {
    const { home } = await loggedIn();
    const { session, reference } = await openQuestion(3);
    const wrong = await runCli(['answer', reference, '1'], inHome(home));
    expect(wrong).toMatchObject({ code: 2, out: '' });
    expect(wrong.err).toContain('Give 3 answers, one for each of: Q1, Q2, Q3.');
    const ended = await runCli(['answer', reference, '2', 'Yes', 'ask me later'], inHome(home));
    expect(ended.code).toBe(0);
    const { answers } = await agent.interaction(session, 'call_1~1');
    expect(answers).toEqual({ 0: 'No', 1: 'Yes', 2: 'ask me later' });
  });

  it('denies with a reason, approves with a changed input, and says who was faster', async () => {
    const { home } = await loggedIn();
    const denied = await openApproval({ command: 'ls' });
    await runCli(['answer', denied.reference, 'deny', 'Not', 'now'], inHome(home));
    expect(await agent.interaction(denied.session, 'call_1~1')).toMatchObject({
      outcome: 'denied',
      reason: 'Not now',
    });
    const late = await runCli(['answer', denied.reference, 'approve'], inHome(home));
    expect(late).toEqual({ code: 1, out: 'Too late: denied: Not now, by ada (cli).\n', err: '' });
    const edited = await openApproval({ command: 'ls' });
    const input = ['--input', '{"command":"ls -l"}'];
    expect((await runCli(['answer', edited.reference, 'yes', ...input], inHome(home))).code).toBe(
      0,
    );
    expect(await agent.interaction(edited.session, 'call_1~1')).toMatchObject({
      updatedInput: { command: 'ls -l' },
    });
  });

  it('fills in a form by fields', async () => {
    const { home } = await loggedIn();
    const { session } = await openQuestion();
    const properties = {
      name: { type: 'string' },
      count: { type: 'integer' },
      sure: { type: 'boolean' },
    };
    const schema = { type: 'object', properties };
    await agent.open(session, { kind: 'form', toolName: 'Form', toolCallId: 'call_2', schema });
    const args = ['answer', `${session}/call_2~1`, 'name=a=b', 'count=3', 'sure=yes'];
    expect((await runCli(args, inHome(home))).code).toBe(0);
    expect((await agent.interaction(session, 'call_2~1')).values).toEqual({
      name: 'a=b',
      count: 3,
      sure: true,
    });
  });

  it.each([{ CLAUDECODE: '1' }, { CODEX_THREAD_ID: 'x' }, { AI_AGENT: 'x' }])(
    '[CLI-3] refuses to answer in the shell of an agent (%j)',
    async (env) => {
      const { home } = await loggedIn();
      const { session, reference } = await openQuestion();
      const ended = await runCli(['answer', reference, '1'], inHome(home, { env }));
      expect(ended).toMatchObject({ code: 1, out: '' });
      expect(ended.err).toContain('the asker does not answer');
      const own = { ...env, HOLDPOINT_URL: server.url, HOLDPOINT_TOKEN: person };
      expect((await runCli(['answer', reference, '1'], inHome(home, { env: own }))).code).toBe(1);
      expect((await agent.interaction(session, 'call_1~1')).status).toBe('open');
    },
  );

  it.each([{ CLAUDECODE: '1' }, { CODEX_THREAD_ID: 'x' }, { AI_AGENT: 'x' }])(
    '[CLI-3] refuses to log in, and to print a link, in the shell of an agent (%j)',
    async (env) => {
      const home = emptyFolder();
      const ended = await runCli(['login'], { home, env, stdin: LINK });
      expect(ended).toMatchObject({ code: 1, out: '' });
      expect(ended.err).toContain("a login is a person's");
      const file = path.resolve('scripts/link.ts');
      const link = spawnSync(process.execPath, [file], {
        encoding: 'utf8',
        env: { ...process.env, ...env, HOLDPOINT_DATA: path.join(home, 'no-data') },
      });
      expect(link).toMatchObject({ status: 1, stdout: '' });
      expect(link.stderr).toContain("the link is a person's");
    },
  );

  it('lists sessions and prints a log', async () => {
    const { home } = await loggedIn();
    const { session, reference } = await openQuestion();
    await expect
      .poll(async () => (await runCli(['sessions'], inHome(home))).out)
      .toContain(session);
    await runCli(['answer', reference, 'Yes'], inHome(home));
    const { out } = await runCli(['log', session], inHome(home));
    expect(out.split('\n').map((line) => line.split(/\s+/)[2])).toEqual([
      'session_started',
      'interaction_pending',
      'interaction_request',
      'interaction_response',
      'interaction_pending',
      undefined,
    ]);
    expect(out).toContain('answered call_1~1, by ada');
    const json = await runCli(
      ['log', session, '--json', '--after', '2', '--limit', '2'],
      inHome(home),
    );
    expect(
      json.out
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { seq: number }).seq),
    ).toEqual([3, 4]);
    expect((await runCli(['log', 'no-such-session'], inHome(home))).code).toBe(1);
  });

  it('watches the workspace and one session live, until Ctrl-C', async () => {
    const { home } = await loggedIn();
    const inbox = startCli(['watch'], inHome(home));
    const { session, reference } = await openQuestion();
    await inbox.printed(new RegExp(`${reference}  question`));
    const one = startCli(['watch', session, '--after', '0'], inHome(home));
    await one.printed(/interaction_request/);
    await runCli(['answer', reference, 'Yes'], inHome(home));
    await inbox.printed(new RegExp(`${reference} is settled`));
    await one.printed(/interaction_response +answered/);
    inbox.interrupt();
    one.interrupt();
    expect(await Promise.all([inbox.code, one.code])).toEqual([0, 0]);
  });

  it('prints links that sign in, to chat, inbox and one session', async () => {
    const { home } = await loggedIn();
    const { session } = await openQuestion();
    const chat = await runCli(['link'], inHome(home));
    expect(chat.out).toMatch(new RegExp(`^${server.url}/#token=hp_`));
    expect((await runCli(['link', 'inbox'], inHome(home))).out).toContain('/inbox#token=hp_');
    const only = await runCli(
      ['link', session, '--only', '--scope', 'read', '--ttl', '1h'],
      inHome(home),
    );
    const token = new URLSearchParams(new URL(only.out.trim()).hash.slice(1)).get('token') ?? '';
    const reader = new HttpTransport({ url: server.url, token });
    expect((await reader.snapshot(session)).session.id).toBe(session);
    await expect(reader.sessions()).rejects.toThrow();
  });

  it('lists, makes and revokes keys for an administrator, and for no other', async () => {
    const env = { HOLDPOINT_URL: server.url, HOLDPOINT_TOKEN: ADMIN_KEY };
    const created = await runCli(['keys', 'create', 'build-agent'], { env });
    expect(created.out).toMatch(/^hp_\S+\n$/);
    const id = /key_\w+/.exec(created.err)?.[0] ?? '';
    expect((await runCli(['keys'], { env })).out).toMatch(new RegExp(`${id} +agent .*build-agent`));
    expect((await runCli(['keys', 'revoke', id], { env })).code).toBe(0);
    expect((await runCli(['keys'], { env })).out).not.toContain(id);
    const { home } = await loggedIn();
    const refused = await runCli(['keys'], inHome(home));
    expect(refused).toMatchObject({ code: 1, out: '' });
  });

  it('[CLI-1, TEAM-2] tries, makes, lists and revokes rules for an administrator, and for no other', async () => {
    const env = { HOLDPOINT_URL: server.url, HOLDPOINT_TOKEN: ADMIN_KEY };
    const wanted = ['rules', 'deny', 'Bash', '--command', 'git push', '--ttl', '8h'];
    const tried = await runCli([...wanted, '--try'], { env });
    expect(tried.out).toMatch(/^Of the last \d+ requests \d+ would change: 0 allowed, 0 asked, /);
    expect((await runCli(['rules'], { env })).out).not.toContain('git push');
    const made = await runCli([...wanted, '--reason', 'no \u001b[2Jpush'], { env });
    expect(made.out).toMatch(/^rule_\S+: deny Bash: git push …, in every session within a minute/);
    const id = /rule_[^:]+/.exec(made.out)?.[0] ?? '';
    const listed = await runCli(['rules'], { env });
    expect(listed.out).toMatch(
      new RegExp(`${id} +deny +workspace +in 8 h .*Bash: git push … \\(no `),
    );
    expect(listed.out).not.toContain('\u001b');
    expect((await runCli(['rules', 'revoke', id, '--json'], { env })).out).toBe(
      `${JSON.stringify({ revoked: id })}\n`,
    );
    expect((await runCli(['rules'], { env })).out).not.toContain(id);
    const two = await runCli([...wanted, '--path', 'src/**'], { env });
    expect(two).toMatchObject({ code: 2, out: '' });
    expect(two.err).toContain('--command and --path: a rule looks at one of them');
    const every = await runCli(['rules', 'allow', 'Bash'], { env });
    expect(every).toMatchObject({ code: 1, out: '' });
    const { home } = await loggedIn();
    expect(await runCli(wanted, inHome(home))).toMatchObject({ code: 1, out: '' });
  });

  it('[CLI-1] finds the server that runs over the data folder, on whichever port', async () => {
    const home = emptyFolder();
    const folder = path.join(home, '.holdpoint');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'agent-token'), await keyWith('agent'));
    const holders = (pid: number) =>
      JSON.stringify([
        { pid: process.pid, identity: 'script' },
        { pid, identity: 'workerd', url: server.url },
      ]);
    writeFileSync(path.join(folder, 'lock'), holders(process.pid));
    const found = await runCli(['doctor'], inHome(home));
    expect(found.out).toContain(`${server.url} answers`);
    // The number of a process that has ended.
    const { pid } = spawnSync('true');
    writeFileSync(path.join(folder, 'lock'), holders(pid));
    const { out, err } = await runCli(['doctor'], inHome(home));
    expect(out + err).toContain('127.0.0.1:8787');
    expect(out + err).not.toContain(server.url);
  });

  it('says what would be used, and what is wrong', async () => {
    const { home } = await loggedIn();
    const env = { HOLDPOINT_URL: server.url, CLAUDE_CODE_SESSION_ID: 'abc' };
    const folder = path.join(home, '.holdpoint');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'agent-token'), await keyWith('agent'));
    const ended = await runCli(['doctor'], inHome(home, { env }));
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(ended.out).toMatch(/ok {3}server {5}http.* answers/);
    expect(ended.out).toMatch(/ok {3}asking .*agent-token/);
    expect(ended.out).toMatch(/ok {3}answering .*holdpoint login/);
    expect(ended.out).toMatch(/claude-code:abc.*Claude Code, which cannot answer/);
    const away = await runCli(['doctor'], {
      env: { HOLDPOINT_URL: 'http://127.0.0.1:9', HOLDPOINT_TOKEN: 'x' },
    });
    expect(away.code).toBe(3);
    const wrong = await runCli(['doctor'], {
      env: { HOLDPOINT_URL: server.url, HOLDPOINT_TOKEN: 'x' },
    });
    expect(wrong.code).toBe(1);
    expect(wrong.out).toMatch(/FAIL asking/);
  });
});

describe('[CLI-4] what comes from an agent', () => {
  it('is drawn and never obeyed, in every command that shows it', async () => {
    const { home } = await loggedIn();
    const hostile = 'ls \u001b[2J\u001b]0;owned\u0007\u202e\u009b31m\r\u200b';
    const { session, reference } = await openApproval(
      { command: hostile },
      'Ba\u001b[1msh',
      hostile,
    );
    await agent.appendEvents(session, [{ type: 'assistant_text', payload: { text: hostile } }]);
    await listed(session);
    const outputs = [
      await runCli(['pending', '--session', session], inHome(home)),
      await runCli(['pending', '--session', session, '--json'], inHome(home)),
      await runCli(['log', session], inHome(home)),
      await runCli(['log', session, '--json'], inHome(home)),
      await runCli(['sessions'], inHome(home)),
      await runCli(['answer', reference, 'deny', hostile], inHome(home)),
    ];
    for (const { out, err } of outputs) expect(out + err).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(outputs[0]?.out).toContain(
      String.raw`ls \u001B[2J\u001B]0;owned\u0007\u202E\u009B31m\r\u200B`,
    );
    const entry = JSON.parse(outputs[1]?.out ?? '') as { request: { input: { command: string } } };
    expect(entry.request.input.command).toBe(hostile);
  });

  it('cannot be more than text when a server lies', async () => {
    const { home } = await loggedIn();
    const bodies = [
      {
        interactions: [
          {
            sessionId: '\u001b[31m',
            interactionId: 5,
            request: { questions: 'no' },
            kind: 'question',
          },
        ],
        total: 'x',
        now: 'y',
      },
      { interactions: [null], total: 1, now: 1 },
      { interactions: 'none', total: 1, now: 1 },
      { interactions: [], total: 1e308, now: Number.MAX_VALUE },
    ];
    for (const body of bodies) {
      const fetch: typeof globalThis.fetch = async () => Response.json(body);
      const { code, out, err } = await runCli(['pending'], inHome(home, { fetch }));
      expect([0, 1, 3]).toContain(code);
      expect(out + err).not.toMatch(/(?!\n)\p{Cc}/u);
    }
    const error = {
      code: 'forbidden',
      message: '\u001b[2Jno',
      details: { scopes: [{}, '\u001b[1m'] },
    };
    const fetch: typeof globalThis.fetch = async () => Response.json({ error }, { status: 403 });
    const { code, err } = await runCli(['pending'], inHome(home, { fetch }));
    expect(code).toBe(1);
    expect(err).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});
