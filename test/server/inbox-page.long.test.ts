/**
 * The inbox in a browser, from the built bundle under plain workerd: live over its socket, and within its
 * own policy.
 *
 * A bug here looks like a page that shows nothing because its policy blocks a part of it, or an inbox that shows new
 * requests only after a reload.
 */
import { chromium as playwright } from 'playwright';
import { expect, it } from 'vitest';
import { chromium } from '../../scripts/lib/web/chromium.ts';
import { ask } from '../support/http/call.ts';
import { personToken } from '../support/http/credentials.ts';
import { startServer } from '../support/http/server.ts';

const server = await startServer();

async function opened(title: string, command: string) {
  const { session } = (await ask(server, {
    method: 'POST',
    path: '/v1/sessions',
    json: { title },
  })) as { session: { id: string } };
  const path = `/v1/sessions/${session.id}/interactions`;
  const json = { kind: 'approval', toolName: 'Bash', input: { command } };
  const { interaction } = (await ask(server, { method: 'POST', path, json })) as {
    interaction: { interactionId: string };
  };
  return `${path}/${interaction.interactionId}`;
}

it('[UI-9, INBOX-2, AUTH-4] shows open requests live, and sends the answer, within its policy', async () => {
  const token = await personToken('read', 'answer');
  const browser = await playwright.launch(await chromium());
  try {
    const page = await browser.newPage();
    const troubles: string[] = [];
    page.on('pageerror', (error) => troubles.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
    await page.goto(`${server.url}/inbox#token=${token}`);
    await page.getByText('You’re all caught up').waitFor();
    const path = await opened('Asked while it was open', 'ls -la');
    await page.getByRole('link', { name: 'Bash ls -la' }).waitFor();
    // Beside it the list of sessions, which counts what waits in each.
    const inList = page.getByRole('link', { name: /^Asked while it was open/ });
    await inList.locator('.waits').waitFor();
    expect(await page.title()).toBe('(1) Inbox · Holdpoint');
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain('icon-waiting');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Nothing waiting').waitFor();
    await page.getByText('by you').waitFor();
    expect(await ask(server, { method: 'GET', path })).toMatchObject({
      interaction: { outcome: 'approved', settledBy: { via: 'web' } },
    });
    expect(page.url()).toBe(`${server.url}/inbox`);
    await inList.locator('.waits').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Open in its session' }).click();
    await page.getByRole('heading', { name: 'Asked while it was open' }).waitFor();
    expect(troubles).toEqual([]);
  } finally {
    await browser.close();
  }
});
