/** `holdpoint` on a real pseudo-terminal, which `script` of util-linux allocates. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { onTerminal } from '../../scripts/lib/shell-command.ts';
import { HttpTransport } from '../../src/client/index.ts';
import { emptyFolder, NODE_ARGS, runCli, waitForText } from '../support/cli.ts';
import { keyWith, sign } from '../support/http/credentials.ts';
import { ADMIN_KEY, startServer } from '../support/http/server.ts';

const server = await startServer();
const admin = new HttpTransport({ url: server.url, token: ADMIN_KEY });
const env = { HOLDPOINT_URL: server.url, HOLDPOINT_TOKEN: await keyWith('agent') };
const person = await sign({
  kind: 'person',
  subject: 'ada',
  scopes: ['read', 'answer', 'send'],
  expiresAt: Date.now() + 3_600_000,
  mintedBy: ['key_people'],
});

async function homeWithLogin(): Promise<string> {
  const home = emptyFolder();
  const { code } = await runCli(['login'], { home, stdin: `${server.url}/#token=${person}` });
  expect(code).toBe(0);
  return home;
}

function startOnTerminal(args: readonly string[], home: string, more: NodeJS.ProcessEnv = {}) {
  const [command = '', ...words] = onTerminal([process.execPath, ...NODE_ARGS, ...args]);
  const child = spawn(command, words, {
    cwd: home,
    // Bash becomes the command; another shell would stay between, and end by the Ctrl-C itself.
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      TERM: 'xterm',
      SHELL: '/bin/bash',
      ...env,
      ...more,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return {
    ended: once(child, 'close').then(([code]) => code as number),
    text: () => text,
    printed: (what: RegExp) => waitForText(() => text, what),
    type: (line: string) => child.stdin.write(`${line}\n`),
    press: (keys: string) => child.stdin.write(keys),
  };
}

const TWO = ['ask', 'Region?', '--option', 'eu', '--option', 'us', '--question', 'When?'];

describe('[CLI-3] the terminal that asked', () => {
  it('answers step by step with the login, and the answers are `via: cli`', async () => {
    const home = await homeWithLogin();
    const terminal = startOnTerminal([...TWO, '--session', 'steps'], home);
    await terminal.printed(/Region\?[\s\S]*Answer: /);
    terminal.type('2');
    await terminal.printed(/When\?[\s\S]*Answer: /);
    terminal.type('after lunch');
    expect(await terminal.ended).toBe(0);
    const { session, head } = await admin.snapshot('steps');
    expect({ id: session.id, open: head > 0 }).toEqual({ id: 'steps', open: true });
    expect(terminal.text()).toMatch(/Question 1: us\r\nQuestion 2: after lunch/);
    const [, id = ''] = await terminal.printed(/steps\/(\S+)/);
    expect((await admin.interaction('steps', id)).settledBy).toMatchObject({
      subject: 'ada',
      via: 'cli',
    });
  });

  it('shows the next question when another surface answered this one', async () => {
    const home = await homeWithLogin();
    const terminal = startOnTerminal([...TWO, '--session', 'moved'], home);
    const [, id = ''] = await terminal.printed(/moved\/(\S+)[\s\S]*Answer: /);
    await admin.answer('moved', id, { question: 0, option: 0 });
    terminal.type('1');
    await terminal.printed(/Another surface answered this question[\s\S]*When\?/);
    terminal.type('1');
    expect(await terminal.ended).toBe(0);
    expect((await admin.interaction('moved', id)).answers).toEqual({ 0: 'eu', 1: 'Yes' });
  });

  it('prints the answer of another surface that was faster', async () => {
    const home = await homeWithLogin();
    const terminal = startOnTerminal(['approve', '--session', 'raced', '--', 'ls'], home);
    const [, id = ''] = await terminal.printed(/raced\/(\S+)[\s\S]*approve, or deny/);
    await admin.answer('raced', id, { decision: 'deny', reason: 'Not here' });
    expect(await terminal.ended).toBe(10);
    expect(terminal.text()).toContain('denied: Not here');
  });

  it('asks again after words that are no answer, and denies', async () => {
    const home = await homeWithLogin();
    const terminal = startOnTerminal(['approve', '--session', 'denied', '--', 'ls'], home);
    await terminal.printed(/approve, or deny/);
    terminal.type('perhaps');
    await terminal.printed(/Answer an approval with approve or deny/);
    terminal.type('deny too late today');
    expect(await terminal.ended).toBe(10);
    expect(terminal.text()).toContain('denied: too late today');
  });

  it('cancels by Ctrl-C at the prompt', async () => {
    const home = await homeWithLogin();
    const terminal = startOnTerminal(['ask', 'Now?', '--session', 'stopped'], home);
    const [, id = ''] = await terminal.printed(/stopped\/(\S+)[\s\S]*Answer: /);
    terminal.press('\u0003');
    expect(await terminal.ended).toBe(12);
    expect((await admin.interaction('stopped', id)).outcome).toBe('cancelled');
  });

  it.each([
    ['an agent, by its environment', { CLAUDECODE: '1' }, /belongs to Claude Code/],
    ['an agent, by its environment', { CODEX_SANDBOX: '1' }, /belongs to Codex/],
    ['a build server', { CI: 'true' }, /CI is set/],
  ])('does not answer in the shell of %s', async (_what, more, sentence) => {
    const home = await homeWithLogin();
    const session = `shell-${Object.keys(more)[0]}`;
    const terminal = startOnTerminal(['ask', 'Now?', '--session', session], home, more);
    const [, id = ''] = await terminal.printed(new RegExp(`${session}/(\\S+)`));
    await terminal.printed(sentence);
    terminal.type('1');
    await admin.answer(session, id, { question: 0, option: 1 });
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toMatch(/No\r\n$/);
    expect(terminal.text()).not.toContain('Answer: ');
  });

  it('does not answer without a login, nor with a credential of the environment', async () => {
    const home = emptyFolder();
    const more = { HOLDPOINT_TOKEN: await keyWith('agent', 'read', 'answer') };
    const terminal = startOnTerminal(['ask', 'Now?', '--session', 'nobody'], home, more);
    const [, id = ''] = await terminal.printed(/nobody\/(\S+)/);
    await terminal.printed(/run `holdpoint login` first/);
    await admin.answer('nobody', id, { question: 0, option: 1 });
    expect(await terminal.ended).toBe(0);
  });
});

describe('[CLI-4] a terminal', () => {
  it('shows colors, and none with NO_COLOR', async () => {
    const home = await homeWithLogin();
    const plain = startOnTerminal(['doctor'], home, { NO_COLOR: '1' });
    const colored = startOnTerminal(['doctor'], home);
    expect(await Promise.all([plain.ended, colored.ended])).toEqual([0, 0]);
    expect(plain.text()).not.toContain('\u001b[');
    expect(colored.text()).toContain('\u001b[32mok');
  });

  it('gets the escapes of an agent as text, before a person decides', async () => {
    const home = await homeWithLogin();
    const word = 'safe\u001b[2K\u001b[1Ggone\u202e';
    const terminal = startOnTerminal(['approve', '--session', 'hostile', '--', 'ls', word], home);
    await terminal.printed(/approve, or deny/);
    expect(terminal.text()).toContain(String.raw`safe\u001B[2K\u001B[1Ggone\u202E`);
    expect(terminal.text()).not.toContain('\u001b[2K');
    terminal.type('no');
    expect(await terminal.ended).toBe(10);
  });
});
