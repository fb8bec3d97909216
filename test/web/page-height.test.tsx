/** The page is as high as the window, whatever its content. A bug here scrolls the whole app out of sight. */
import { render } from 'preact';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { startServerClock } from '../../src/web/clock.ts';
import { Chat } from '../../src/web/app/chat.tsx';
import { DeviceNotices } from '../../src/web/device/device-notices.tsx';
import { adoptStyle } from '../../src/web/styles/adopt-style.ts';
import noticesStyle from '../../src/web/styles/notices.css?inline';
import { memoryStore } from '../support/web/memory-store.ts';
import { mount } from '../support/web/mount.ts';
import { ADA } from '../support/web/person.ts';
import { startStage } from '../support/web/stage.tsx';
import { startInPageServer } from '../support/web/in-page-server.ts';

adoptStyle(noticesStyle);

const MANY = 40;
const beyond = () => document.documentElement.scrollHeight - innerHeight;

beforeEach(() => page.viewport(1280, 600));

it('[UI-10] stays in the window with more open sessions than fit beside the conversation', async () => {
  const { owner, agent, person } = startInPageServer();
  for (let at = 0; at < MANY; at += 1) {
    const { id } = await owner.createSession({ title: `Session ${at}` });
    await agent.open(id, { kind: 'approval', toolName: 'Bash', input: {} });
  }
  mount(
    <Chat
      person={ADA}
      location={{}}
      transport={person}
      clock={startServerClock()}
      store={memoryStore()}
      agent="demo"
      onGo={() => undefined}
      onSignOut={() => undefined}
    />,
  );
  await expect.element(page.getByText('Session 39')).toBeVisible();
  await expect.poll(() => document.querySelectorAll('.session-row .waits').length).toBe(MANY);
  expect(beyond()).toBeLessThanOrEqual(0);
});

it('[UI-10] stays in the window while a long conversation is open and its cards are settled', async () => {
  const { id, agent, person, open } = await startStage();
  for (let at = 0; at < MANY; at += 1) {
    await person.sendMessage(id, `Message ${at}\n\nand more`).routed;
    await agent.open(id, { kind: 'approval', toolName: 'Bash', toolCallId: `c${at}`, input: {} });
    await person.denyTool(id, `c${at}`);
  }
  open();
  await expect.element(page.getByText('Message 39')).toBeVisible();
  expect(beyond()).toBeLessThanOrEqual(0);
});

it('[UI-8, UI-10] stays above the banner of a server that cannot be reached, composer and all', async () => {
  const { id, agent, open } = await startStage();
  await agent.open(id, { kind: 'approval', toolName: 'Bash', toolCallId: 'c1', input: {} });
  open();
  // The server of the tests has no such route, as a server that is down has none.
  const notices = document.createElement('div');
  notices.className = 'notices';
  document.body.append(notices);
  onTestFinished(() => {
    render(null, notices);
    notices.remove();
  });
  render(<DeviceNotices />, notices);
  await expect.element(page.getByText('Holdpoint cannot be reached.')).toBeVisible();
  const edgeOf = (selector: string) =>
    document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
  await expect.poll(() => edgeOf('.out-of-reach').top).toBeGreaterThan(0);
  expect(edgeOf('.composer').bottom).toBeGreaterThan(0);
  expect(edgeOf('.composer').bottom).toBeLessThanOrEqual(edgeOf('.out-of-reach').top);
  expect(edgeOf('.out-of-reach').bottom).toBeLessThanOrEqual(innerHeight);
  expect(beyond()).toBeLessThanOrEqual(0);
});
