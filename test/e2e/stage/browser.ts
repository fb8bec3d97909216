/** Windows of one real browser, each as apart from the others as two devices, and watched for what must not happen. */
import { type Browser, type BrowserContextOptions, chromium as playwright } from 'playwright';
import { afterAll, inject } from 'vitest';
import { Person } from './person.ts';

let browser: Browser | undefined;
afterAll(() => browser?.close());

/** Somebody at a desk, unless it is said otherwise. */
const DESK: BrowserContextOptions = {
  viewport: { width: 1280, height: 800 },
  locale: 'en-US',
  timezoneId: 'UTC',
  reducedMotion: 'reduce',
};

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};

export const SMALL_PHONE: BrowserContextOptions = {
  ...PHONE,
  viewport: { width: 320, height: 640 },
};

/** A window of their own for somebody who has not been here before. */
export async function somebodyNew(options: BrowserContextOptions = {}): Promise<Person> {
  browser ??= await playwright.connect(inject('browser'));
  const context = await browser.newContext({ ...DESK, ...options });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(`uncaught: ${String(error)}`));
  // A policy that is violated is said on the console, and so is every request that failed.
  page.on('console', (said) => said.type() === 'error' && troubles.push(`console: ${said.text()}`));
  const elsewhere = (url: string) => {
    const { origin, protocol } = new URL(url);
    if (origin !== home && !['data:', 'blob:'].includes(protocol)) troubles.push(`asked ${url}`);
  };
  let home = '';
  page.on('request', (request) => {
    if (home === '' && request.isNavigationRequest()) home = new URL(request.url()).origin;
    elsewhere(request.url());
  });
  page.on('websocket', (socket) => elsewhere(socket.url().replace(/^ws/, 'http')));
  return new Person(page, troubles);
}
