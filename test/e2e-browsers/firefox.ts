/** Firefox as Debian packages it, driven by WebDriver BiDi, which it speaks by itself. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { middleOf, pressing, readPoint, type Tab, typing } from './tab.ts';

interface Reply {
  readonly id?: number;
  readonly type: string;
  readonly result?: Record<string, unknown>;
  readonly message?: string;
}
type Send = (method: string, params: object) => Promise<Record<string, unknown>>;

const START_MS = 60_000;

export async function openFirefox(program = 'firefox-esr'): Promise<Tab> {
  const profile = mkdtempSync(path.join(tmpdir(), 'holdpoint-firefox-'));
  const child = spawn(
    program,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const end = () => {
    child.kill('SIGKILL');
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', end);
  const address = await printedAddress(child.stderr);
  const socket = new WebSocket(`${address}/session`);
  await new Promise((opened, failed) => {
    socket.addEventListener('open', opened);
    socket.addEventListener('error', failed);
  });
  const send = sender(socket);
  await send('session.new', { capabilities: {} });
  const { contexts } = await send('browsingContext.getTree', {});
  const [first] = contexts as readonly { context: string }[];
  if (first === undefined) throw new Error('Firefox has no tab');
  const tab = tabOf(send, first.context);
  return {
    ...tab,
    close() {
      socket.close();
      process.off('exit', end);
      end();
      return Promise.resolve();
    },
  };
}

function printedAddress(stderr: NodeJS.ReadableStream): Promise<string> {
  return new Promise((found, failed) => {
    let text = '';
    const timer = setTimeout(() => failed(new Error(`Firefox did not start: ${text}`)), START_MS);
    stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(text)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      found(address);
    });
  });
}

function sender(socket: WebSocket): Send {
  const waiting = new Map<number, (reply: Reply) => void>();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply;
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
  });
  return async (method, params) => {
    last += 1;
    const id = last;
    const reply = new Promise<Reply>((received) => waiting.set(id, received));
    socket.send(JSON.stringify({ id, method, params }));
    const { type, result = {}, message } = await reply;
    if (type === 'error') throw new Error(`${method}: ${message ?? ''}`);
    return result;
  };
}

function tabOf(send: Send, context: string): Omit<Tab, 'close'> {
  const evaluate = async (expression: string): Promise<unknown> => {
    const answer = await send('script.evaluate', {
      expression,
      target: { context },
      awaitPromise: true,
    });
    if (answer['type'] === 'exception') throw new Error(JSON.stringify(answer['exceptionDetails']));
    return (answer['result'] as { value?: unknown }).value;
  };
  const act = (actions: readonly object[]) =>
    send('input.performActions', { context, actions: [...actions] });
  return {
    evaluate,
    async open(url) {
      // An address that differs in its fragment alone loads nothing.
      await send('browsingContext.navigate', { context, url: 'about:blank', wait: 'complete' });
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async press(expression) {
      await act([pressing(readPoint(await evaluate(middleOf(expression))))]);
    },
    async type(text) {
      await act([typing(text)]);
    },
    async resize(width, height) {
      await send('browsingContext.setViewport', { context, viewport: { width, height } });
    },
    async picture() {
      const { data } = await send('browsingContext.captureScreenshot', { context });
      return String(data);
    },
  };
}
