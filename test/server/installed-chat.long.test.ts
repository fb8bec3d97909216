/**
 * The chat as an installed application, in a browser: it starts without a server, and takes up a new version.
 *
 * A bug here looks like a phone that shows the error page of its browser, an answer of the API in a cache, or a browser
 * that keeps last year's chat.
 */
import { type BrowserContext, chromium as playwright, type Page } from 'playwright';
import { afterAll, expect, it } from 'vitest';
import { chromium } from '../../scripts/lib/web/chromium.ts';
import { personToken } from '../support/http/credentials.ts';
import { startServer } from '../support/http/server.ts';
import { startWebProxy } from '../support/web-proxy.ts';

const server = await startServer();
const browser = await playwright.launch(await chromium());
afterAll(() => browser.close());

/** The browser looks for a new worker some time after a navigation. */
const LATER = { timeout: 60_000 };

const IN_TIME = { timeout: 30_000 };

async function installed(url: string): Promise<{ context: BrowserContext; page: Page }> {
  const token = await personToken('read', 'answer', 'send');
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/#token=${token}`);
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  // Not `waitForFunction`: it would evaluate a text in the page, which the policy of the page forbids.
  await expect
    .poll(() => page.evaluate('navigator.serviceWorker.controller !== null'), IN_TIME)
    .toBe(true);
  return { context, page };
}

// As text: these tests have the globals of Node, and the page those of a browser.
const storedPaths = (page: Page) =>
  page.evaluate<string[]>(`(async () => {
    const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = await Promise.all(stores.map((store) => store.keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  })()`);
const storeNames = (page: Page) => page.evaluate<string[]>('caches.keys()');
const SHOWN = "document.querySelector('meta[name=version]')?.content";

it('[UI-10] starts without a server, says so, and goes on when the server is back', async () => {
  const proxy = await startWebProxy(server.url);
  const { context, page } = await installed(proxy.url);
  proxy.goDown();
  const offline = await context.newPage();
  await offline.goto(`${proxy.url}/inbox`);
  await offline.getByRole('heading', { name: 'Inbox' }).waitFor();
  await page.reload();
  await page.getByText('Holdpoint cannot be reached. What you see may be old.').waitFor();
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  proxy.comeBack();
  await page.getByText('Holdpoint cannot be reached.').waitFor({ state: 'hidden' });
});

it('[UI-10] stores the page and its files, and nothing of the API', async () => {
  const proxy = await startWebProxy(server.url);
  const { page } = await installed(proxy.url);
  await page.goto(`${proxy.url}/inbox`);
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  expect(proxy.requested().some((path) => path.startsWith('/v1/'))).toBe(true);
  const paths = await storedPaths(page);
  expect(paths).toContain('/');
  expect(paths.filter((path) => path !== '/' && !path.startsWith('/assets/'))).toEqual([]);
  // What a start shows, and what it may show later.
  expect(paths.filter((path) => path.endsWith('.js')).length).toBeGreaterThan(5);
  expect(paths.filter((path) => path.endsWith('.css')).length).toBe(1);
});

it('[UI-10] offers a new version, and shows it when the person wants it', async () => {
  const proxy = await startWebProxy(server.url);
  const { page } = await installed(proxy.url);
  proxy.deploy('NEWERONE');
  const before = await page.evaluate(SHOWN);
  await page.evaluate('navigator.serviceWorker.ready.then((one) => one.update())');
  await page.getByText('A new version is ready.').waitFor();
  expect(await page.evaluate(SHOWN)).toBe(before);
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => page.evaluate(SHOWN), IN_TIME).toBe('NEWERONE');
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  await expect.poll(() => storeNames(page), LATER).toEqual(['holdpoint-NEWERONE']);
  expect(await page.getByText('A new version is ready.').count()).toBe(0);
});

it('[UI-10] does not ask about the version that is on the screen', async () => {
  const proxy = await startWebProxy(server.url);
  const { page } = await installed(proxy.url);
  proxy.deploy('NEWERONE');
  await page.reload();
  await expect.poll(() => storeNames(page), LATER).toEqual(['holdpoint-NEWERONE']);
  expect(await page.getByText('A new version is ready.').count()).toBe(0);
});

it('[UI-10] can be installed', async () => {
  const proxy = await startWebProxy(server.url);
  const { context, page } = await installed(proxy.url);
  const debug = await context.newCDPSession(page);
  const { errors } = await debug.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { installabilityErrors } = await debug.send('Page.getInstallabilityErrors');
  // A test's window forgets everything, so its browser installs nothing.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
});
