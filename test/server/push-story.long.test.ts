/**
 * A device from its permission to its end, in a browser: allowed, notified without an open page, answered by one press,
 * closed, removed with the sign-in.
 *
 * The browser of these tests has no push service and grants no notifications: the subscription, the permission and the
 * drawing of a notification are played, and everything between them is real.
 */
import { chromium as playwright, type Page, type Worker } from 'playwright';
import { afterAll, expect, it } from 'vitest';
import { chromium } from '../../scripts/lib/web/chromium.ts';
import { ask } from '../support/http/call.ts';
import { keyWith } from '../support/http/credentials.ts';
import { startServer } from '../support/http/server.ts';
import { startPushService } from '../support/push-service.ts';
import { until } from '../support/until.ts';

const service = await startPushService();
const server = await startServer({}, { pushService: service.address });
const browser = await playwright.launch(await chromium());
afterAll(async () => {
  await browser.close();
  service.close();
});
const agent = await keyWith('agent', 'read');

const CONTROLLED = 'navigator.serviceWorker.controller !== null';

/** What the system would draw. */
const PLAYED_SYSTEM = `
  self.drawn = [];
  self.registration.showNotification = async (title, options) => {
    self.drawn = self.drawn.filter(({ tag }) => tag !== options.tag);
    const one = { title, ...options, close: () => { self.drawn = self.drawn.filter((it) => it !== one); } };
    self.drawn.push(one);
  };
  self.registration.getNotifications = async ({ tag } = {}) =>
    self.drawn.filter((one) => tag === undefined || one.tag === tag);
`;

interface Drawn {
  readonly title: string;
  readonly body: string;
  readonly actions: readonly { readonly action: string }[];
}

const drawn = (worker: Worker) =>
  worker.evaluate<Drawn[]>(
    'self.drawn.map(({ title, body, actions }) => ({ title, body, actions }))',
  );

const press = (worker: Worker, action: string) =>
  worker.evaluate(`(async () => {
    const [notification] = self.drawn;
    let work;
    const event = new ExtendableEvent('notificationclick');
    Object.defineProperties(event, {
      notification: { value: notification },
      action: { value: ${JSON.stringify(action)} },
      waitUntil: { value: (promise) => { work = promise; } },
    });
    self.dispatchEvent(event);
    await work;
  })()`);

async function deliverer(page: Page): Promise<(data: string) => Promise<void>> {
  const debug = await page.context().newCDPSession(page);
  let registrationId = '';
  debug.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registrationId = registrations.find(({ isDeleted }) => !isDeleted)?.registrationId ?? '';
  });
  await debug.send('ServiceWorker.enable');
  await until(() => (registrationId === '' ? undefined : registrationId));
  return async (data) => {
    await debug.send('ServiceWorker.deliverPushMessage', {
      origin: server.url,
      registrationId,
      data,
    });
  };
}

it('[PUSH-1] notifies, is answered by one press, closes, and ends with the sign-in', async () => {
  const { token } = (await ask(server, {
    method: 'POST',
    path: '/v1/tokens',
    json: { subject: 'ada', scopes: ['read', 'answer', 'send'] },
  })) as { token: string };
  const { received, endpoint, keys } = service.subscribe();
  const context = await browser.newContext();
  await context.addInitScript(`
    const subscription = ${JSON.stringify({ endpoint, keys })};
    const key = 'played.subscription';
    const played = () => ({ toJSON: () => subscription, unsubscribe: async () => localStorage.removeItem(key) });
    Object.defineProperty(Notification, 'permission', { get: () => 'default' });
    Notification.requestPermission = async () => 'granted';
    PushManager.prototype.subscribe = async () => { localStorage.setItem(key, 'on'); return played(); };
    PushManager.prototype.getSubscription = async () => localStorage.getItem(key) ? played() : null;
  `);
  const page = await context.newPage();
  await page.goto(`${server.url}/#token=${token}`);
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  // By evaluation: the policy of the page forbids what `waitForFunction` does with a text.
  await until(async () => (await page.evaluate<boolean>(CONTROLLED)) || undefined);
  await page.goto(`${server.url}/#settings=devices`);
  await page.getByRole('button', { name: 'Notify this device' }).click();
  await page.getByText('(this device)').waitFor();
  await page.getByRole('button', { name: /^Send a test/ }).click();
  await page.getByText('A test was sent.').waitFor();

  const worker = await until(() => context.serviceWorkers()[0]);
  await worker.evaluate(PLAYED_SYSTEM);
  const deliver = await deliverer(page);
  let seen = 0;
  const deliverNext = async () => {
    const push = await until(() => received[seen]);
    seen += 1;
    await deliver(push.text);
  };
  await deliverNext();
  await until(async () => (await drawn(worker))[0]);
  expect(await drawn(worker)).toMatchObject([{ title: 'This device is notified', actions: [] }]);
  await worker.evaluate('self.drawn = []');

  const path = '/v1/sessions/pushed/interactions';
  await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: 'pushed' } });
  const json = { kind: 'approval', toolName: 'Edit', input: { file_path: 'a.ts' } };
  const open = (toolCallId: string) =>
    ask(server, { method: 'POST', path, json: { ...json, toolCallId }, token: agent });
  await open('call-1');
  await deliverNext();
  const first = await until(async () => (await drawn(worker))[0]);
  expect(first).toMatchObject({ title: 'Edit asks for approval', body: 'file_path: a.ts' });
  expect(first.actions.map(({ action }) => action)).toEqual(['approve', 'deny']);
  await press(worker, 'approve');
  expect(await ask(server, { method: 'GET', path: `${path}/call-1~1` })).toMatchObject({
    interaction: { outcome: 'approved', settledBy: { subject: 'ada', via: 'web' } },
  });
  expect(await drawn(worker)).toEqual([]);
  await deliverNext();

  // Another person is first: the press says so, and the end closes what is left.
  await open('call-2');
  await deliverNext();
  await until(async () => (await drawn(worker))[0]);
  const answer = { method: 'POST', path: `${path}/call-2~1/answer`, json: { decision: 'deny' } };
  await ask(server, answer);
  await press(worker, 'approve');
  expect(await drawn(worker)).toMatchObject([{ title: 'Too late: denied by admin', actions: [] }]);
  await deliverNext();
  await until(async () => ((await drawn(worker)).length === 0 ? true : undefined));

  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await until(async () => {
    const { targets } = (await ask(server, { method: 'GET', path: '/v1/targets' })) as {
      targets: unknown[];
    };
    return targets.length === 0 ? true : undefined;
  });
  await context.close();
});
