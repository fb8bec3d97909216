/** The page is as high as the window, whatever its content. A bug here scrolls the whole app out of sight. */
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { startServerClock } from '../../src/web/clock.ts';
import { Chat } from '../../src/web/app/chat.tsx';
import { memoryStore } from '../support/web/memory-store.ts';
import { mount } from '../support/web/mount.ts';
import { ADA } from '../support/web/person.ts';
import { startStage } from '../support/web/stage.tsx';
import { startInPageServer } from '../support/web/in-page-server.ts';

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
