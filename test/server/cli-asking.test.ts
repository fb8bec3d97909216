/** `holdpoint ask`, `approve`, `plan` and `form` against a server: what is printed, and how they end. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { HttpTransport } from '../../src/client/index.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { type CliOptions, emptyFolder, runCli, spawnCli, startCli } from '../support/cli.ts';
import { keyWith } from '../support/http/credentials.ts';
import { ADMIN_KEY, sharedServer } from '../support/http/server.ts';
import { inLongRun } from '../support/run-length.ts';

const server = await sharedServer();
const person = new HttpTransport({ url: server.url, token: ADMIN_KEY });
const env = { HOLDPOINT_URL: server.url, HOLDPOINT_TOKEN: await keyWith('agent') };

const WAITING = /Waiting for a person: (\S+)\/(\S+)\n/;

/** Runs a command, answers the interaction that it opens, and returns how it ended. */
async function runAndAnswer(args: readonly string[], answer: JsonObject, options: CliOptions = {}) {
  const running = startCli(args, { env: { ...env, ...options.env }, ...options });
  const [, session = '', id = ''] = await running.printed(WAITING);
  await person.answer(session, id, answer);
  return { code: await running.code, out: running.out(), err: running.err(), session, id };
}

describe('[CLI-1] asking', () => {
  it('prints the answer of a question alone, for a script', async () => {
    const args = ['ask', 'Which region?', '--option', 'eu', '--option', 'us'];
    const ended = await runAndAnswer(args, { question: 0, option: 1 });
    expect(ended).toMatchObject({ code: 0, out: 'us\n' });
  });

  inLongRun(() => {
    it('asks several questions, each with its own options, and takes own words', async () => {
      const args = 'ask Region? --option eu --option us --header Region --question When? --multi'
        .split(' ')
        .concat(['--option', 'now', '--option', 'later', '--about', 'after lunch']);
      const answers = { 0: 'mars', 1: ['now', 'later'] };
      const { code, out, session, id } = await runAndAnswer(args, { answers });
      expect({ code, out }).toEqual({ code: 0, out: 'Region: mars\nQuestion 2: now, later\n' });
      const { request } = await person.interaction(session, id);
      expect(request).toMatchObject({
        questions: [
          { header: 'Region', multiSelect: false },
          { multiSelect: true, options: [{}, { label: 'later', description: 'after lunch' }] },
        ],
      });
    });
  });

  it('[ATT-5] prints the files of an answer, which another command saves once', async () => {
    const running = startCli(['ask', 'Which region?', '--option', 'eu', '--option', 'us'], { env });
    const [, session = '', id = ''] = await running.printed(WAITING);
    const bytes = new TextEncoder().encode('Mind the step');
    const file = await person.attach(session, { name: 'note.txt', mediaType: 'text/plain', bytes });
    const attachments = [file.attachmentId];
    await person.answer(session, id, { question: 0, option: 0, attachments });
    expect(await running.code).toBe(0);
    const wanted = ['log', session, '--attachment', file.attachmentId];
    expect(running.out()).toBe(`eu\nattached: note.txt (text/plain, 13 B) ${wanted[3]}\n`);
    const target = path.join(emptyFolder(), 'note.txt');
    const saved = await runCli([...wanted, '--out', target], { env });
    expect([saved.code, saved.out]).toEqual([0, `${target}\n`]);
    expect(readFileSync(target, 'utf8')).toBe('Mind the step');
    writeFileSync(target, 'mine');
    const again = await runCli([...wanted, '--out', target], { env });
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('is there already')]);
    expect(readFileSync(target, 'utf8')).toBe('mine');
    expect((await runCli(wanted, { env })).code).toBe(2);
    expect((await runCli(['log', session, '--out', target], { env })).code).toBe(2);
    const log = await runCli(['log', session], { env: { ...env, HOLDPOINT_TOKEN: ADMIN_KEY } });
    expect(log.out).toContain('[note.txt (text/plain, 13 B)]');
  });

  it('prints one JSON object, and the reference as the first line of stderr', async () => {
    const running = startCli(['ask', 'Now?', '--json'], { env });
    const [line] = await running.printed(/\{.*\}\n/);
    const { sessionId, interactionId } = JSON.parse(line) as Record<string, string>;
    await person.answer(sessionId ?? '', interactionId ?? '', { question: 0, option: 0 });
    expect(await running.code).toBe(0);
    expect(JSON.parse(running.out())).toMatchObject({
      outcome: 'answered',
      answers: { 0: 'Yes' },
      answersByText: { 'Now?': 'Yes' },
      by: { subject: 'admin' },
      sessionId,
      interactionId,
    });
  });

  inLongRun(() => {
    it('reads questions from stdin', async () => {
      const options = [{ label: 'a' }, { label: 'b' }];
      const stdin = JSON.stringify({ questions: [{ question: 'Which?', options }] });
      const ended = await runAndAnswer(
        ['ask', '--from-json', '-'],
        { question: 0, option: 1 },
        { stdin },
      );
      expect(ended).toMatchObject({ code: 0, out: 'b\n' });
    });
  });

  const call = ['approve', '--description', 'Ships it', '--', 'make', 'deploy to', "it's"];
  it.each([
    ['approves', { decision: 'approve' }, 0, 'approved\n'],
    ['denies', { decision: 'deny', reason: 'Not today' }, 10, 'denied: Not today\n'],
  ])('ends by its code when a person %s a command', async (_what, answer, code, out) => {
    const ended = await runAndAnswer(call, answer);
    expect(ended).toMatchObject({ code, out });
    const { request, toolName } = await person.interaction(ended.session, ended.id);
    expect(toolName).toBe('Bash');
    expect(request).toMatchObject({
      input: { command: String.raw`make 'deploy to' 'it'\''s'` },
      description: 'Ships it',
    });
  });

  inLongRun(() => {
    it('prints the edited input that may run', async () => {
      const input = '{"to":"all"}';
      const args = ['approve', '--tool', 'send_mail', '--input', input, '--allow-edit'];
      const ended = await runAndAnswer(args, { decision: 'approve', updatedInput: { to: 'ada' } });
      expect(ended).toMatchObject({ code: 0, out: 'approved with changes\n{"to":"ada"}\n' });
    });
  });

  it('lets the mode of the session decide without a person', async () => {
    await person.createSession({ id: 'bypass', permissionMode: 'bypassPermissions' });
    const ended = await runCli(['approve', '--session', 'bypass', '--', 'ls'], { env });
    expect(ended).toMatchObject({ code: 0, out: 'approved\n', err: '' });
  });

  inLongRun(() => {
    it('expires with 11, and cancels with 12', async () => {
      const expired = await runCli(['approve', '--timeout', '1s', '--', 'ls'], { env });
      expect(expired.code).toBe(11);
      expect(expired.out).toMatch(/^expired/);
      const running = startCli(['approve', '--', 'ls'], { env });
      const [, session = '', id = ''] = await running.printed(WAITING);
      await person.cancel(session, id, { reason: 'Never mind' });
      expect(await running.code).toBe(12);
      expect(running.out()).toBe('cancelled: Never mind\n');
    });
  });

  inLongRun(() => {
    it('reviews a plan from a file and from stdin', async () => {
      const cwd = emptyFolder();
      writeFileSync(path.join(cwd, 'plan.md'), '# Plan\n1. Ship\n');
      const edit = await runAndAnswer(['plan', 'plan.md'], { decision: 'clean_edit' }, { cwd });
      expect(edit).toMatchObject({ code: 0, out: 'approved: acceptEdits, clear context\n' });
      const adjust = { decision: 'adjust', feedback: 'Test it first' };
      const denied = await runAndAnswer(['plan', '-'], adjust, { stdin: '1. Ship' });
      expect(denied.code).toBe(10);
      expect(denied.out).toContain('Test it first');
    });
  });

  inLongRun(() => {
    it('fills in a form', async () => {
      const properties = { version: { type: 'string' }, count: { type: 'integer' } };
      const stdin = JSON.stringify({ type: 'object', properties });
      const values = { version: '1.2', count: 3 };
      const ended = await runAndAnswer(
        ['form', '-', '--form-title', 'Release'],
        { values },
        { stdin },
      );
      expect(ended).toMatchObject({ code: 0, out: 'version: 1.2\ncount: 3\n' });
    });
  });

  inLongRun(() => {
    it('prints the reference and leaves, and waits for it again later', async () => {
      const asked = await runCli(['ask', 'Later?', '--detach'], { env });
      expect(asked.code).toBe(0);
      const reference = asked.out.trim();
      const running = startCli(['ask', '--interaction', reference], { env });
      await running.printed(WAITING);
      const [session = '', id = ''] = reference.split('/');
      await person.answer(session, id, { question: 0, option: 1 });
      expect(await running.code).toBe(0);
      expect(running.out()).toBe('No\n');
      // Settled already: the same again, at once.
      expect(await runCli(['ask', '--interaction', reference], { env })).toEqual({
        code: 0,
        out: 'No\n',
        err: '',
      });
    });
  });

  it.each([
    [['ask'], /What is the question/],
    [['ask', 'a', 'b'], /quotes/],
    [['ask', 'a', '--option', 'b', '--text'], /--text and an --option/],
    [['ask', 'a', '--header', 'longer than forty characters, which it is'], /40 characters/],
    [['ask', '--from-json', '/nowhere'], /cannot be read/],
    [['approve'], /after --|What is to be approved/],
    [['approve', 'ls'], /after --/],
    [['approve', '--input', '{', '--tool', 'x'], /not JSON/],
    [['plan'], /Name one file/],
    [['form', '-'], /not JSON/],
    [['ask', 'a', '--timeout', 'soon'], /--timeout soon/],
    [['ask', '--interaction', 'x'], /reference/],
    [['ask', 'a', '--cli-session', 'nonsense'], /PROVIDER:ID/],
    [['ask', 'a', '--sesion', 'x'], /Did you mean --session/],
    [['ask', 'a', '--url', 'ftp://x'], /--url is/],
  ])('explains the use of %j and ends with 2', async (args, sentence) => {
    const { code, out, err } = await runCli(args, { env });
    expect(err).toMatch(sentence);
    expect({ code, out, lines: err.trim().split('\n').length }).toEqual({
      code: 2,
      out: '',
      lines: 1,
    });
  });

  it('refuses a request that is too long before it is sent, and says how long it may be', async () => {
    let requests = 0;
    const fetch: typeof globalThis.fetch = async (url, init) => {
      if (typeof url === 'string' && url.endsWith('/interactions')) requests += 1;
      return globalThis.fetch(url, init);
    };
    const options = { env, fetch, stdin: 'x'.repeat(2_000_000) };
    const { code, err } = await runCli(['plan', '-', '--session', 'large'], options);
    expect({ code, requests }).toEqual({ code: 1, requests: 0 });
    expect(err).toMatch(/2,000,\d+ bytes; the server takes 262,144 \(413\)/);
  });

  inLongRun(() => {
    it('ends with 3 when no server answers, and says why in a sandbox of Codex', async () => {
      const away = { ...env, HOLDPOINT_URL: 'http://127.0.0.1:9' };
      const args = ['ask', 'a', '--give-up-after', '1'];
      const plain = await runCli(args, { env: away });
      expect(plain).toMatchObject({ code: 3, out: '' });
      expect(plain.err).toMatch(/127\.0\.0\.1:9 was not reached/);
      const sandbox = { ...away, CODEX_SANDBOX_NETWORK_DISABLED: '1' };
      expect((await runCli(args, { env: sandbox })).err).toContain('network_access=true');
    });
  });

  it('ends with 1 and a sentence when the credential may not ask', async () => {
    const HOLDPOINT_TOKEN = await keyWith('read');
    const { code, err } = await runCli(['ask', 'a'], { env: { ...env, HOLDPOINT_TOKEN } });
    expect(code).toBe(1);
    expect(err).toMatch(/scope agent/);
  });

  inLongRun(() => {
    it('keeps a token of the arguments out of the log, and warns', async () => {
      const { HOLDPOINT_TOKEN: token, HOLDPOINT_URL } = env;
      const args = ['ask', 'Now?', '--session', 'secretive', '--token', token, '--detach'];
      const ended = await runCli(args, { env: { HOLDPOINT_URL } });
      expect(ended.code).toBe(0);
      expect(ended.err).toMatch(/list of processes/);
      const log = await fetch(`${server.url}/v1/sessions/secretive/export`, {
        headers: { Authorization: `Bearer ${ADMIN_KEY}` },
      });
      const text = await log.text();
      expect(text).toContain('secretive');
      expect(text).not.toContain(token);
    });
  });
});

describe('[RDV-7] the session of a command', () => {
  it('is the session that has the conversation already', async () => {
    await person.createSession({ id: 'home' });
    await person.mapCliSession('home', { provider: 'codex', cliSessionId: 'thread-home' });
    const ended = await runCli(['ask', 'Now?', '--detach'], {
      env: { ...env, CODEX_THREAD_ID: 'thread-home', CODEX_TOOL_CALL_ID: 'call_7' },
    });
    expect(ended.out).toBe('home/call_7~1\n');
  });

  inLongRun(() => {
    it('is named, or follows from the conversation, or is new', async () => {
      const ask = ['ask', 'Now?', '--detach'];
      const sessionOf = async (more: NodeJS.ProcessEnv, ...args: string[]) =>
        (await runCli([...ask, ...args], { env: { ...env, ...more } })).out.split('/')[0];
      expect(await sessionOf({ HOLDPOINT_SESSION: 'named' })).toBe('named');
      expect(await sessionOf({ HOLDPOINT_SESSION: 'named' }, '--session', 'other')).toBe('other');
      const claude = { CLAUDE_CODE_SESSION_ID: '6f1e0a52-claude' };
      expect(await sessionOf(claude)).toBe('claude-code:6f1e0a52-claude');
      expect(await sessionOf(claude)).toBe('claude-code:6f1e0a52-claude');
      expect(await sessionOf({ CODEX_THREAD_ID: 'thread-1' })).toBe('codex:thread-1');
      expect(await sessionOf({}, '--cli-session', 'gemini:a/b')).toMatch(/^gemini:sha256\./);
      const [first, second] = [await sessionOf({}), await sessionOf({})];
      expect(first).not.toBe(second);
      const mapped = await person.findCliSession('claude-code', '6f1e0a52-claude');
      expect(mapped.title).toMatch(/\(Claude Code\)$/);
    });

    it('is one for two commands that start at once', async () => {
      const more = { CLAUDE_CODE_SESSION_ID: 'at-once' };
      const ended = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          runCli(['ask', `Question ${index}?`, '--detach'], { env: { ...env, ...more } }),
        ),
      );
      expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
      expect(new Set(ended.map(({ out }) => out.split('/')[0]))).toEqual(
        new Set(['claude-code:at-once']),
      );
      expect((await person.snapshot('claude-code:at-once')).open).toHaveLength(6);
    });

    it('goes on under another id after its session was deleted', async () => {
      const more = { CLAUDE_CODE_SESSION_ID: 'deleted' };
      const ask = () => runCli(['ask', 'Now?', '--detach'], { env: { ...env, ...more } });
      await ask();
      await person.deleteSession('claude-code:deleted');
      const again = await ask();
      expect(again.code).toBe(0);
      expect(again.out).not.toContain('claude-code:deleted');
    });
  });
});

describe('[CLI-2] a wait', () => {
  inLongRun(() => {
    it('survives a kill of the server, says so once, and finds the answer', async () => {
      const { child, ended, printed } = spawnCli(
        ['approve', '--session', 'restarted', '--', 'ls'],
        env,
      );
      const [, session = '', id = ''] = await printed(WAITING);
      await server.restart('kill', async () => {
        await printed(/No answer from/);
        // Long enough for more tries, of which it says nothing.
        await sleep(1_500);
      });
      await person.answer(session, id, { decision: 'approve' });
      const { code, out, err } = await ended;
      expect({ code, out, signal: child.signalCode }).toEqual({
        code: 0,
        out: 'approved\n',
        signal: null,
      });
      expect(err.match(/No answer from/g)).toHaveLength(1);
    });
  });

  it('ends by Ctrl-C, and its interaction is cancelled', async () => {
    const { child, ended, printed } = spawnCli(
      ['approve', '--session', 'interrupted', '--', 'ls'],
      env,
    );
    const [, session = '', id = ''] = await printed(WAITING);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 12, out: '' });
    expect(await person.interaction(session, id)).toMatchObject({ outcome: 'cancelled' });
  });

  inLongRun(() => {
    it('leaves at once at the second Ctrl-C', async () => {
      const neverAnswers: typeof globalThis.fetch = (url, init) =>
        init?.method === 'DELETE' ? new Promise(() => undefined) : globalThis.fetch(url, init);
      const running = startCli(['ask', 'Now?'], { env, fetch: neverAnswers });
      await running.printed(WAITING);
      running.interrupt();
      await running.printed(/Ctrl-C again/);
      running.interrupt();
      expect(await running.code).toBe(12);
    });

    it('is taken up by another process after a kill', async () => {
      const first = spawnCli(['ask', 'Still there?', '--session', 'killed'], env);
      const [, session = '', id = ''] = await first.printed(WAITING);
      first.child.kill('SIGKILL');
      await first.ended;
      const second = startCli(['ask', '--interaction', `${session}/${id}`], { env });
      await second.printed(WAITING);
      await person.answer(session, id, { question: 0, option: 0 });
      expect(await second.code).toBe(0);
      expect(second.out()).toBe('Yes\n');
      expect((await person.snapshot('killed')).open).toEqual([]);
    });
  });
});
