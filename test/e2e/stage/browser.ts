/** Windows of one real browser, isolated like separate devices, and checked for errors. */
import { type Browser, type BrowserContextOptions, chromium as playwright } from 'playwright';
import { afterAll, inject } from 'vitest';
import { type Hands, Person } from './person.ts';

let browser: Browser | undefined;
afterAll(() => browser?.close());

/** The default: a desktop. */
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

/** 200 % zoom on a laptop of 1280 by 800. */
export const ZOOMED = { viewport: { width: 640, height: 400 } } as const;

/**
 * A fresh window, for a person who has not been here before. `--mode keyboard` puts the mouse of everyone away; a story that
 * is about the pointer, or measures the page alone, gives this person one.
 */
export async function newPerson(
  options: BrowserContextOptions = {},
  hands: Hands = inject('hands'),
): Promise<Person> {
  browser ??= await playwright.connect(inject('browser'));
  const context = await browser.newContext({ ...DESK, ...options });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`uncaught: ${String(error)}`));
  // The console reports policy violations and failed requests.
  page.on(
    'console',
    (message) => message.type() === 'error' && problems.push(`console: ${message.text()}`),
  );
  const elsewhere = (url: string) => {
    const { origin, protocol } = new URL(url);
    if (origin !== home && !['data:', 'blob:'].includes(protocol)) problems.push(`asked ${url}`);
  };
  let home = '';
  page.on('request', (request) => {
    if (home === '' && request.isNavigationRequest()) home = new URL(request.url()).origin;
    elsewhere(request.url());
  });
  page.on('websocket', (socket) => elsewhere(socket.url().replace(/^ws/, 'http')));
  const person = new Person(page, { problems, hasTouch: options.hasTouch });
  if (hands === 'keyboard') await person.putsMouseAway();
  return person;
}
