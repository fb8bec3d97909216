/**
 * A person at the hosted chat who stops the agent in the middle of an answer. The model says the beginning and then nothing
 * more until it is stopped, so that the answer is in its middle however slow the page is.
 */
import { chromium as playwright } from 'playwright';
import { afterAll, expect, it } from 'vitest';
import { chromium } from '../../scripts/lib/web/chromium.ts';
import { agentSession } from '../support/http/agent-session.ts';
import { personToken } from '../support/http/credentials.ts';
import { startServer } from '../support/http/server.ts';
import { startMessagesApi } from '../support/messages-api/messages-api.ts';
import { answer, upTo } from '../support/messages-api/reply.ts';

const BEGINNING = 'This is a long answer.';
const WHOLE = answer([{ type: 'text', text: `${BEGINNING} It has an end that never comes.` }]);
/** A piece has five characters. */
const PIECES = Math.ceil(BEGINNING.length / 5);

const api = await startMessagesApi(() =>
  upTo(WHOLE, 'content_block_delta', [{ stall: true }], PIECES),
);
afterAll(() => api.stop());
const server = await startServer(
  { ANTHROPIC_API_KEY: 'a-key', ANTHROPIC_BASE_URL: api.url },
  { allowPrivateNetwork: true },
);
const browser = await playwright.launch(await chromium());
afterAll(() => browser.close());

it('[UI-13, RUN-6] removes a queued message, and stops an answer halfway', async () => {
  const { path } = await agentSession(server, { agent: {} });
  const id = path.split('/').at(-1);
  const token = await personToken('read', 'answer', 'send');
  const page = await browser.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  await page.goto(`${server.url}/#token=${token}&session=${id}`);
  const send = async (text: string) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
  };
  await send('Tell me all');
  await page.getByText(BEGINNING).waitFor();
  await send('write');
  await page.getByRole('button', { name: 'Remove: write' }).click();
  await page.getByRole('heading', { name: 'Queued' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Stop the agent' }).click();
  await page.getByText('Stopped here', { exact: true }).waitFor();
  expect(await page.locator('.message').count()).toBe(1);
  const kept = await page.locator('.markdown').allInnerTexts();
  expect(kept.join('')).toContain(BEGINNING);
  await page.reload();
  await page.getByText('Stopped here', { exact: true }).waitFor();
  expect(await page.locator('.markdown').allInnerTexts()).toEqual(kept);
  expect(troubles).toEqual([]);
});
