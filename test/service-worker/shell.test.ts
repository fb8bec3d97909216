/**
 * What the service worker stores, and when it serves it.
 *
 * A bug here looks like a page with the scripts of another version, or a deploy that reaches no browser.
 */
import { expect, it } from 'vitest';
import {
  removeOtherShells,
  type ShellPorts,
  type ShellStores,
  shellResponse,
  storeShell,
} from '../../src/service-worker/shell.ts';

const SHELL = { version: 'AAAA', files: ['/assets/main-1.js', '/assets/main-1.css'] };
const PAGE = '<meta name="version" content="AAAA">';

class MemoryStores implements ShellStores {
  readonly stores = new Map<string, Map<string, Response>>();
  async open(name: string) {
    const store = this.stores.get(name) ?? new Map<string, Response>();
    this.stores.set(name, store);
    return {
      match: async (path: string) => store.get(path)?.clone(),
      put: async (path: string, response: Response) => void store.set(path, response),
    };
  }
  async keys() {
    return [...this.stores.keys()];
  }
  async delete(name: string) {
    return this.stores.delete(name);
  }
}

type Answer = () => Promise<Response>;
const text = (body: string, status = 200) => new Response(body, { status });
const whole: Record<string, Answer> = {
  '/': async () => text(PAGE),
  '/assets/main-1.js': async () => text('1;'),
  '/assets/main-1.css': async () => text('a{}'),
};

function portsOf(answers: Record<string, Answer>, caches = new MemoryStores()) {
  const asked: string[] = [];
  const ports: ShellPorts = {
    caches,
    fetch: async (request) => {
      const path = typeof request === 'string' ? request : new URL(request.url).pathname;
      asked.push(path);
      const answer = answers[path];
      if (answer === undefined) throw new TypeError('Failed to fetch');
      return answer();
    },
    wait: () => new Promise(() => undefined),
  };
  return { ports, caches, asked };
}

function requestOf(path: string, { mode = 'navigate', method = 'GET' } = {}): Request {
  const request = new Request(`https://holdpoint.test${path}`, { method });
  // Only a browser makes a request that navigates.
  return Object.defineProperty(request, 'mode', { value: mode });
}

const textOf = async (response: Promise<Response> | undefined) => (await response)?.text();

it('[UI-10] stores a version whole', async () => {
  const { ports, caches } = portsOf(whole);
  await storeShell(SHELL, ports);
  expect([...(caches.stores.get('holdpoint-AAAA')?.keys() ?? [])].toSorted()).toEqual([
    '/',
    '/assets/main-1.css',
    '/assets/main-1.js',
  ]);
});

it.each<[string, Record<string, Answer>]>([
  ['a page of another version', { ...whole, '/': async () => text('content="BBBB"') }],
  ['no page', { ...whole, '/': async () => text(PAGE, 503) }],
  ['a missing file', { ...whole, '/assets/main-1.css': async () => text('', 404) }],
  ['a lost network', { '/': whole['/'] as Answer }],
])('[UI-10] stores nothing of a version that has %s', async (_, answers) => {
  const { ports, caches } = portsOf(answers);
  await expect(storeShell(SHELL, ports)).rejects.toThrow();
  expect([...caches.stores.keys()]).toEqual([]);
});

it('removes other versions, and no store of another program', async () => {
  const { ports, caches } = portsOf(whole);
  for (const name of ['holdpoint-AAAA', 'holdpoint-old', 'other']) await caches.open(name);
  await removeOtherShells(SHELL, ports);
  expect(await caches.keys()).toEqual(['holdpoint-AAAA', 'other']);
});

it('[UI-10] shows the page of the server while it answers', async () => {
  const { ports, caches } = portsOf(whole);
  await storeShell(SHELL, ports);
  const newer = portsOf({ '/': async () => text('the next version') }, caches);
  expect(await textOf(shellResponse(requestOf('/'), SHELL, newer.ports))).toBe('the next version');
});

it.each<[string, Answer, ShellPorts['wait']]>([
  [
    'is out of reach',
    () => Promise.reject(new TypeError('no')),
    () => new Promise(() => undefined),
  ],
  ['fails', async () => text('bad gateway', 502), () => new Promise(() => undefined)],
  ['stalls', () => new Promise(() => undefined), async () => undefined],
])('[UI-10] shows the stored page where the server %s', async (_, answer, wait) => {
  const { ports, caches } = portsOf(whole);
  await storeShell(SHELL, ports);
  const later = portsOf({ '/inbox': answer }, caches);
  const response = shellResponse(requestOf('/inbox'), SHELL, { ...later.ports, wait });
  expect(await textOf(response)).toBe(PAGE);
});

it('has no page without a network before one was stored', async () => {
  const { ports } = portsOf({});
  expect((await shellResponse(requestOf('/'), SHELL, ports))?.type).toBe('error');
});

it('serves files as they are stored, and requests those that are not', async () => {
  const { ports, caches, asked } = portsOf(whole);
  await storeShell(SHELL, ports);
  const file = requestOf('/assets/main-1.js', { mode: 'cors' });
  const before = asked.length;
  expect(await textOf(shellResponse(file, SHELL, ports))).toBe('1;');
  expect(asked).toHaveLength(before);
  const empty = portsOf(whole, new MemoryStores());
  expect(await textOf(shellResponse(file, SHELL, empty.ports))).toBe('1;');
  expect([...caches.stores.keys()]).toEqual(['holdpoint-AAAA']);
});

it.each([
  ['/v1/inbox', 'cors', 'GET'],
  ['/v1/sessions', 'cors', 'POST'],
  ['/health', 'cors', 'GET'],
  ['/docs', 'navigate', 'GET'],
  ['/', 'navigate', 'POST'],
  ['/assets/other-1.js', 'cors', 'GET'],
])('[UI-10] leaves %s (%s, %s) to the browser', (path, mode, method) => {
  const { ports } = portsOf(whole);
  expect(shellResponse(requestOf(path, { mode, method }), SHELL, ports)).toBeUndefined();
});
