/**
 * The shell: the page and the files of one version of the chat, kept so that it starts without a network.
 *
 * 1. Only `storeShell` writes, and only what the build lists. No response of the API is ever stored.
 * 2. A page is stored together with its own files or not at all: during a deploy the server may have another version
 *    by now, and the browser installs that one the next time.
 * 3. While the server answers, the page comes from the server, so that a deploy reaches every browser.
 */

/** Put in place by the build. */
export interface Shell {
  readonly version: string;
  /** The paths of everything that the page can load. */
  readonly files: readonly string[];
}

interface ShellStore {
  match(path: string): Promise<Response | undefined>;
  put(path: string, response: Response): Promise<void>;
}

/** The browser's caches, as far as they are used. */
export interface ShellStores {
  open(name: string): Promise<ShellStore>;
  keys(): Promise<string[]>;
  delete(name: string): Promise<boolean>;
}

export interface ShellPorts {
  readonly caches: ShellStores;
  readonly fetch: (request: Request | string, init?: RequestInit) => Promise<Response>;
  readonly wait: (ms: number) => Promise<void>;
}

const STORE_PREFIX = 'holdpoint-';
/** After so long the stored page is shown, and says that it may be old. */
const PAGE_TIMEOUT_MS = 5_000;
const PAGE_PATHS = ['/', '/inbox'];

const storeName = ({ version }: Shell) => `${STORE_PREFIX}${version}`;

/** Rejects if the server does not have all of this version: then nothing is stored. */
export async function storeShell(shell: Shell, { caches, fetch }: ShellPorts): Promise<void> {
  try {
    const store = await caches.open(storeName(shell));
    const page = await fetch('/', { cache: 'no-cache' });
    if (!page.ok || !(await page.clone().text()).includes(`content="${shell.version}"`)) {
      throw new Error('The server has another version by now');
    }
    await Promise.all(
      shell.files.map(async (path) => {
        const file = await fetch(path);
        if (!file.ok) throw new Error(`The server has no ${path}`);
        await store.put(path, file);
      }),
    );
    await store.put('/', page);
  } catch (cause) {
    await caches.delete(storeName(shell));
    throw cause;
  }
}

export async function removeOtherShells(shell: Shell, { caches }: ShellPorts): Promise<void> {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(STORE_PREFIX) && name !== storeName(shell));
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** Undefined for what the browser requests itself: everything but the page and its files. */
export function shellResponse(
  request: Request,
  shell: Shell,
  ports: ShellPorts,
): Promise<Response> | undefined {
  const { pathname } = new URL(request.url);
  if (request.method !== 'GET') return undefined;
  if (request.mode === 'navigate') {
    return PAGE_PATHS.includes(pathname) ? respondWithPage(request, shell, ports) : undefined;
  }
  return shell.files.includes(pathname) ? fileResponse(pathname, request, shell, ports) : undefined;
}

async function respondWithPage(
  request: Request,
  shell: Shell,
  ports: ShellPorts,
): Promise<Response> {
  const stored = async () => (await ports.caches.open(storeName(shell))).match('/');
  const fresh = ports.fetch(request).then(
    // A proxy in front of a server that is down answers for it.
    (response) => (response.status < 500 ? response : undefined),
    () => undefined,
  );
  const inTime = await Promise.race([fresh, ports.wait(PAGE_TIMEOUT_MS)]);
  return inTime ?? (await stored()) ?? (await fresh) ?? Response.error();
}

async function fileResponse(
  path: string,
  request: Request,
  shell: Shell,
  { caches, fetch }: ShellPorts,
): Promise<Response> {
  const store = await caches.open(storeName(shell));
  return (await store.match(path)) ?? fetch(request);
}
