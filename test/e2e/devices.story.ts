/**
 * The devices of a person: allowed, tested, notified and reminded, and ended. A bug looks like a phone that rings for a person
 * who signed out on it.
 *
 * This browser has no push service: the subscription and the permission are played, and the service that receives is a
 * double that decrypts. `test/server/push-story.test.ts` follows a message into the service worker.
 */
import { expect } from 'vitest';
import { ADMIN_KEY, startServer } from '../support/http/server.ts';
import { startPushService, type Subscription } from '../support/push-service.ts';
import { agentOf } from './stage/agent.ts';
import { newPerson, PHONE } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import type { Person } from './stage/person.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const service = await startPushService();
// `npm start` has no way to a push service on this machine.
const server = await startServer({}, { pushService: service.address });

/** Before the page of a person is opened. */
async function playsPush({ page }: Person, { endpoint, keys }: Subscription): Promise<void> {
  await page.addInitScript(
    (json) => {
      Object.defineProperty(Notification, 'permission', { value: 'granted' });
      Notification.requestPermission = async () => 'granted';
      const subscription = { toJSON: () => json, unsubscribe: async () => true };
      Object.assign(PushManager.prototype, {
        subscribe: async () => subscription,
        getSubscription: async () => subscription,
      });
    },
    { endpoint, keys, expirationTime: null },
  );
}

story(
  'a phone is allowed, tested, notified, reminded and removed',
  { timeout: 120_000 },
  async () => {
    const agent = agentOf({ url: server.url, adminKey: ADMIN_KEY, link: '' });
    try {
      const link = await agent.linkFor('ada');
      const phone = await newPerson(PHONE);
      const { received, ...subscription } = service.subscribe();
      await playsPush(phone, subscription);
      await phone.opens(link);
      await phone.sees('What should the agent do?');
      await phone.opens(`${server.url}/#settings=devices`);
      await phone.sees('No device is notified yet.');
      await checkPage(phone, 'no devices');
      await phone.presses('Notify this device');
      const row = phone.page.getByRole('list', { name: 'My devices' }).getByRole('listitem');
      await phone.sees(row.getByText('this device'));
      await checkPage(phone, 'a device');
      await phone.presses(/^Send a test to /, row);
      await phone.sees('A test was sent.');
      expect(received.map(({ message }) => message?.type)).toEqual(['test']);

      const session = await agent.opensSession('Deploy');
      await agent.asks(session, {
        kind: 'approval',
        toolName: 'Bash',
        input: { command: 'make deploy' },
        timeoutSeconds: 600,
        remindAfter: 2,
      });
      await expect
        .poll(() => received.filter(({ message }) => message?.type === 'request').length, {
          timeout: 20_000,
        })
        .toBe(2);

      service.respond(410);
      const desk = await newPerson();
      await desk.opens(link);
      await desk.sees('What should the agent do?');
      await desk.opens(`${server.url}/#settings=devices`);
      const listed = desk.page.getByRole('list', { name: 'My devices' }).getByRole('listitem');
      await desk.sees(listed);
      expect(await listed.getByText('this device').count()).toBe(0);
      await checkPage(desk, 'a device elsewhere');
      await desk.presses(/^Remove /, listed);
      await desk.sees('No device is notified yet.');
      await leavesWithoutProblems(desk);
      await leavesWithoutProblems(phone);
    } finally {
      service.close();
    }
  },
);

story('a reminder is a line of the conversation', async ({ agent }) => {
  const ada = await newPerson();
  const session = await agent.opensSession('Reminded');
  await ada.opens(`${await agent.linkFor('ada')}&session=${session}`);
  await ada.sees('To the agent');
  await agent.asks(session, {
    kind: 'approval',
    toolName: 'Bash',
    input: { command: 'make deploy' },
    timeoutSeconds: 600,
    remindAfter: 1,
    escalateAfter: 2,
    escalateTo: { subjects: ['olga'] },
  });
  await ada.sees(ada.card('Bash make deploy').locator('.countdown.calm'));
  await ada.sees(ada.page.locator('.notice', { hasText: /[Rr]emind/ }));
  await ada.sees(ada.page.locator('.notice', { hasText: /olga/ }));
  await checkPage(ada, 'a reminder and an escalation');
  await leavesWithoutProblems(ada);
});
