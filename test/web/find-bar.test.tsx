/** Finding words in a session, and the tokens of its turns. */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { axeProblems } from '../support/web/axe.ts';
import { begins, modelText } from '../support/web/events.ts';
import { startStage } from '../support/web/stage.tsx';

it('[DAILY-5] finds words far above, and shows them where they are', async () => {
  const { id, agent, open, element } = await startStage();
  const lines = Array.from({ length: 200 }, (_, at) =>
    modelText(at === 20 ? 'Here is the needle' : `Line ${at}`, { responseId: `r${at}` }),
  );
  await agent.appendEvents(id, [begins(), ...lines]);
  open();
  await expect.element(page.getByText('Line 199')).toBeVisible();
  await page.getByRole('button', { name: 'Find in this session' }).click();
  await page.getByRole('searchbox', { name: 'Words to find' }).fill('needle');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('1 place found')).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  await page.getByRole('button', { name: /Here is the needle/ }).click();
  await expect
    .element(page.getByRole('region', { name: 'Conversation' }).getByText('Here is the needle'))
    .toBeInViewport();
  await page.getByRole('searchbox').fill('nowhere');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Nothing found.')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  expect(page.getByRole('searchbox').elements()).toEqual([]);
});

it('[DAILY-6] shows the tokens and the cost of a turn and of the session, few digits first', async () => {
  const { id, agent, open, element } = await startStage();
  const usage = {
    inputTokens: 1_000,
    outputTokens: 312,
    cacheReadTokens: 500,
    cacheWriteTokens: 0,
    costUsd: 0.0213,
  };
  await agent.appendEvents(id, [
    begins(),
    modelText('Done.'),
    { type: 'turn_ended', turnId: 't1', payload: { reason: 'completed', usage } },
  ]);
  open();
  await expect.element(page.getByText('1.5K tokens in, 312 out · $0.02')).toBeVisible();
  await page.getByRole('button', { name: 'Session settings' }).click();
  const whole = page.getByText('1,500 tokens in (500 from the cache, 0 into it), 312 out · $0.02');
  await expect.element(whole).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
});
