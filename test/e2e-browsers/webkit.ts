/** WebKitGTK as Debian packages it, driven by its WebKitWebDriver; it needs a display, such as that of `xvfb-run`. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/lib/ports.ts';
import { middleOf, pressing, readPoint, type Tab, typing } from './tab.ts';

const TRIES = 100;
const BETWEEN_MS = 100;

export async function openWebKit(program = 'WebKitWebDriver'): Promise<Tab> {
  const port = await freePort();
  const child = spawn('xvfb-run', ['-a', program, `--port=${port}`], {
    stdio: 'ignore',
    detached: true,
  });
  const end = () => {
    // With the display and the browser, which are children of its children.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  process.once('exit', end);
  const base = `http://127.0.0.1:${port}`;
  await isReady(base);
  const made = await call(`${base}/session`, 'POST', { capabilities: { alwaysMatch: {} } });
  const { sessionId } = made as { sessionId: string };
  const session = `${base}/session/${sessionId}`;
  return {
    ...tabOf(session),
    async close() {
      await call(session, 'DELETE');
      process.off('exit', end);
      end();
    },
  };
}

async function isReady(base: string): Promise<void> {
  for (let times = 0; times < TRIES; times += 1) {
    const isUp = await fetch(`${base}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await sleep(BETWEEN_MS);
  }
  throw new Error('WebKitWebDriver did not start');
}

async function call(address: string, method: string, json?: object): Promise<unknown> {
  const response = await fetch(address, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const { value } = (await response.json()) as { value: unknown };
  if (!response.ok) throw new Error(`${method} ${address}: ${JSON.stringify(value)}`);
  return value;
}

function tabOf(session: string): Omit<Tab, 'close'> {
  const post = (path: string, json: object) => call(`${session}/${path}`, 'POST', json);
  const evaluate = (expression: string) =>
    post('execute/sync', { script: `return ${expression}`, args: [] });
  const act = (actions: readonly object[]) => post('actions', { actions });
  return {
    evaluate,
    async open(url) {
      // An address that differs in its fragment alone loads nothing.
      await post('url', { url: 'about:blank' });
      await post('url', { url });
    },
    async press(expression) {
      await act([pressing(readPoint(await evaluate(middleOf(expression))))]);
    },
    async type(text) {
      await act([typing(text)]);
    },
    async resize(width, height) {
      await post('window/rect', { width, height });
    },
    async picture() {
      return String(await call(`${session}/screenshot`, 'GET'));
    },
  };
}
