/**
 * A session whose log is longer than what the chat loads. A bug would look like a page that loads all of it, that jumps
 * while somebody reads, or whose links and old requests lead nowhere.
 */
import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ClientError } from '../../src/client/errors.ts';
import { axeProblems } from '../support/web/axe.ts';
import { modelText } from '../support/web/events.ts';
import { startStage } from '../support/web/stage.tsx';

const LINES = 1_500;

async function longSession() {
  const stage = await startStage();
  const lines = Array.from({ length: LINES }, (_, at) =>
    modelText(`Line ${at}.`, { turnId: `t${at}`, responseId: `r${at}` }),
  );
  const { id, agent } = stage;
  const asked = await agent.open(id, {
    kind: 'approval',
    toolCallId: 'call-old',
    toolName: 'Deploy',
    input: { to: 'production' },
  });
  for (let from = 0; from < LINES; from += 500) {
    await agent.appendEvents(id, lines.slice(from, from + 500));
  }
  const events = vi.spyOn(stage.person, 'events');
  return { ...stage, asked, events };
}

const conversation = () => page.getByRole('region', { name: 'Conversation' });
const line = (at: number) => conversation().getByText(`Line ${at}.`, { exact: true });

/** Scrolls as far up as it goes until the page asks for earlier events, and not after: a jump would then undo its place. */
async function scrollUp({ events }: Pick<Awaited<ReturnType<typeof longSession>>, 'events'>) {
  const pane = conversation().element();
  await expect
    .poll(() => {
      if (events.mock.calls.length === 0) pane.scrollTop = 0;
      return events.mock.calls.length;
    })
    .toBeGreaterThan(0);
  return pane;
}

it('[UI-10] opens with the last events, and loads earlier ones as the person scrolls up, in place', async () => {
  const { open, element, events } = await longSession();
  open();
  await expect.element(line(LINES - 1)).toBeInViewport();
  expect(events).not.toHaveBeenCalled();
  const pane = await scrollUp({ events });
  const first = events.mock.calls[0]?.[1];
  expect(first?.limit).toBe(200);
  await expect.element(line(LINES - 250)).toBeInTheDocument();
  expect(pane.scrollTop).toBeGreaterThan(0);
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
});

it('[UI-10] a request from long before is reached by its button, and answered', async () => {
  const { id, open, owner, events } = await longSession();
  open();
  await expect.element(line(LINES - 1)).toBeInViewport();
  await page.getByRole('button', { name: '1 waiting for you further up' }).click();
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect
    .poll(async () => (await owner.interaction(id, 'call-old~1')).outcome)
    .toBe('approved');
  expect(events.mock.calls.length).toBeGreaterThan(0);
});

it('[UI-10] a failure is said once, and the button tries again', async () => {
  const { open, events } = await longSession();
  const failure = new ClientError({ code: 'unreachable', message: 'No network', retry: 'never' });
  events.mockRejectedValue(failure);
  open();
  await expect.element(line(LINES - 1)).toBeInViewport();
  const pane = await scrollUp({ events });
  pane.scrollTop = 0;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(events.mock.calls.length).toBe(1);
  events.mockRestore();
  const button = page.getByRole('button', { name: 'Show earlier' });
  (button.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(line(LINES - 250)).toBeInTheDocument();
});
