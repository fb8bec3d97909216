/** The shared server and the browser of all stories. */
import { chromium as playwright } from 'playwright';
import type { TestProject } from 'vitest/node';
import { chromium } from '../../../scripts/lib/web/chromium.ts';
import type { Hands } from './person.ts';
import { type RunningServer, startHoldpoint } from './start-holdpoint.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    server: RunningServer;
    browser: string;
    /** Those of every person, unless a story gives them others. */
    hands: Hands;
  }
}

export default async function startSharedServer(
  project: TestProject,
): Promise<() => Promise<void>> {
  const [holdpoint, browser] = await Promise.all([
    startHoldpoint(),
    chromium().then((options) => playwright.launchServer(options)),
  ]);
  const { url, link, adminKey } = holdpoint;
  project.provide('server', { url, link, adminKey });
  project.provide('browser', browser.wsEndpoint());
  project.provide('hands', project.vite.config.mode === 'keyboard' ? 'keyboard' : 'mouse');
  return async () => {
    await Promise.all([browser.close(), holdpoint.stop()]);
  };
}
