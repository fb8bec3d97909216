/**
 * The hosted chat in a browser, from the built bundle under plain workerd.
 *
 * A bug here looks like a page that its own policy blocks, a token in a log, or a chat that stays silent after the
 * server was down.
 */
import { type Browser, type Page, chromium as playwright } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chromium } from '../../scripts/lib/web/chromium.ts';
import { MAX_FIRST_LOAD } from '../../scripts/lib/web/first-load.ts';
import { ask } from '../support/http/call.ts';
import { personToken } from '../support/http/credentials.ts';
import { sharedServer } from '../support/http/server.ts';
import { inLongRun } from '../support/run-length.ts';

const server = await sharedServer({ HOLDPOINT_DEMO: '1' });
const token = await personToken('read', 'answer', 'send');
let browser: Browser;
beforeAll(async () => {
  browser = await playwright.launch(await chromium());
});
afterAll(() => browser.close());

interface Opened {
  readonly page: Page;
  readonly troubles: readonly string[];
  readonly requested: readonly string[];
}

async function open(fragment: string): Promise<Opened> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const troubles: string[] = [];
  const requested: string[] = [];
  page.on('pageerror', (error) => troubles.push(String(error)));
  // The browser reports a violation of the policy on the console.
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(`${server.url}/${fragment}`);
  return { page, troubles, requested };
}

const session = async (title: string) => {
  const made = (await ask(server, { method: 'POST', path: '/v1/sessions', json: { title } })) as {
    session: { id: string };
  };
  return made.session.id;
};

it('[AUTH-1, AUTH-4] opens signed in, keeps its policy, and leaves the token in no address', async () => {
  const id = await session('Shown in a browser');
  const { page, troubles, requested } = await open(`#token=${token}&session=${id}`);
  await page.getByRole('heading', { name: 'Shown in a browser' }).waitFor();
  await page.getByRole('link', { name: 'Shown in a browser' }).waitFor();
  expect(page.url()).toBe(`${server.url}/#session=${id}`);
  expect(requested.filter((url) => url.includes(token))).toEqual([]);
  expect(new Set(requested.map((url) => new URL(url).origin))).toEqual(new Set([server.url]));
  await page.reload();
  await page.getByRole('heading', { name: 'Shown in a browser' }).waitFor();
  expect(troubles).toEqual([]);
});

it('[TXT-2] shows a request as soon as the agent opens it, and sends the answer', async () => {
  const id = await session('Asked live');
  const { page, troubles } = await open(`#token=${token}&session=${id}`);
  await page.getByText('To the agent').waitFor();
  const asked = (await ask(server, {
    method: 'POST',
    path: `/v1/sessions/${id}/interactions`,
    json: {
      kind: 'question',
      toolName: 'AskUserQuestion',
      questions: [
        { header: 'A', question: 'Which one?', options: [{ label: 'x' }, { label: 'y' }] },
      ],
    },
  })) as { interaction: { interactionId: string } };
  await page.getByText('Answering “Which one?”').waitFor();
  // A text that comes before the card goes to the server as a message, which answers the same.
  await page.locator('.card').getByText('x', { exact: true }).waitFor();
  await page.getByRole('textbox', { name: 'Message' }).fill('y');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('To the agent').waitFor();
  const path = `/v1/sessions/${id}/interactions/${asked.interaction.interactionId}`;
  expect(await ask(server, { method: 'GET', path })).toMatchObject({
    interaction: { outcome: 'answered', answers: { '0': 'y' }, settledBy: { via: 'web' } },
  });
  expect(troubles).toEqual([]);
});

it('loads less than 60 KB of compressed script and style, and caches it', async () => {
  const html = await (await fetch(server.url)).text();
  const names = [...html.matchAll(/"(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(2);
  let total = 0;
  for (const name of names) {
    const { headers } = await fetch(server.url + name, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(headers.get('content-encoding')).toBe('gzip');
    expect(headers.get('cache-control')).toContain('immutable');
    total += Number(headers.get('content-length'));
  }
  expect(total).toBeGreaterThan(10_000);
  expect(total).toBeLessThan(MAX_FIRST_LOAD);
});

it('[TRN-7] says what to do with a link that the server refuses', async () => {
  const claims = Buffer.from(JSON.stringify({ c: ['read'], u: 'mia' })).toString('base64url');
  const { page } = await open(`#token=hp_${claims}.c2lnbmF0dXJl`);
  await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
});

inLongRun(() => {
  it('[RUN-9] leads a newcomer from the link to an answered question', async () => {
    const { page, troubles } = await open(`#token=${token}`);
    await page.getByRole('button', { name: 'Answer questions' }).click();
    const answer = async (asked: string, text: string) => {
      await page.getByText(`Answering “${asked}”`).waitFor();
      await page.getByRole('textbox', { name: 'Message' }).fill(text);
      await page.getByRole('button', { name: 'Send' }).click();
    };
    await answer('Which database should the sketch use?', 'SQLite');
    await answer('Which checks should run before a release?', '1, 2');
    await page.getByText('Idle').waitFor();
    await page.getByText('SQLite').last().waitFor();
    expect(troubles).toEqual([]);
  });

  it('[RUN-8] shows a file that was approved and written', async () => {
    const { page, troubles } = await open(`#token=${token}`);
    await page.getByRole('button', { name: 'Approve a file' }).click();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    // The status line for screen readers repeats it for a moment.
    await page.getByText('Done. The tool reported').first().waitFor();
    await page.getByRole('button', { name: 'Session settings' }).click();
    await page.getByRole('button', { name: 'hello.md' }).click();
    await page.getByRole('group', { name: 'Content of hello.md' }).waitFor();
    expect(troubles).toEqual([]);
  });

  it('[UI-8, TRN-4] says that the server is down, and resumes when the server is back', async () => {
    const id = await session('Through a restart');
    const { page } = await open(`#token=${token}&session=${id}`);
    const send = async (text: string) => {
      await page.getByRole('textbox', { name: 'Message' }).fill(text);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.locator('.message', { hasText: text }).waitFor();
    };
    await send('Before the restart');
    await server.restart('kill', async () => {
      await page.getByText('The connection was lost.').waitFor();
    });
    await page.getByText('The connection was lost.').waitFor({ state: 'detached' });
    await send('After the restart');
    expect(await page.locator('.message').count()).toBe(2);
  });
});
