/** An agent changes its request. A bug here lets a swapped command pass for the one that was read. */
import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { axeProblems } from '../support/web/axe.ts';
import { startStage } from '../support/web/stage.tsx';
import { inLongRun } from '../support/run-length.ts';

const asks = (command: string, more: object = {}) => ({
  kind: 'approval',
  toolName: 'Bash',
  toolCallId: 'c1',
  input: { command, ...more },
});
const LONG = Array.from({ length: 13 }, (_, at) => `line ${at}`).join('\n');
const approve = () => page.getByRole('button', { name: 'Approve', exact: true });
const changed = () => page.getByText('The agent changed its request.');
const settled = () => new Promise((resolve) => setTimeout(resolve, 150));

beforeEach(() => page.viewport(1280, 800));

describe('[UI-6, VIEW-2] a request that the agent changed', () => {
  inLongRun(() => {
    it('shows the difference, also after a reload, and must be read again', async () => {
      const { id, agent, open, show, element, person } = await startStage();
      await agent.open(id, asks('make deploy'));
      open();
      await expect.element(approve()).toBeEnabled();
      await agent.open(id, asks('make deploy --prod'));
      await expect.element(changed()).toBeVisible();
      await expect.element(page.getByText('removed: make deploy')).toBeInTheDocument();
      await expect.element(page.getByText('added: make deploy --prod')).toBeInTheDocument();
      expect(await axeProblems(element, { isPage: true })).toEqual([]);
      show(null);
      open();
      await expect.element(changed()).toBeVisible();
      await expect.element(approve()).toBeEnabled();
      await approve().click();
      await expect.poll(() => changed().query()).toBeNull();
      expect(await person.interaction(id, 'c1~2')).toMatchObject({ outcome: 'approved' });
    });
  });

  inLongRun(() => {
    it('ignores the press that was meant for the first one, and starts at its top', async () => {
      const { id, agent, open, person } = await startStage();
      await agent.open(id, asks('make deploy', { a: LONG, b: LONG, c: LONG }));
      open();
      await expect.element(approve()).toBeInTheDocument();
      await settled();
      document.querySelector('.conversation')?.scrollTo(0, 10_000);
      await expect.element(approve()).toBeEnabled();
      await agent.open(id, asks('make deploy --prod', { a: LONG, b: LONG, c: LONG }));
      await expect.element(changed()).toBeVisible();
      await settled();
      const top = document.querySelector('.card')?.getBoundingClientRect().top ?? -1;
      expect(top).toBeGreaterThan(0);
      expect(top).toBeLessThan(120);
      (approve().element() as HTMLElement).click();
      await new Promise((resolve) => setTimeout(resolve, 900));
      (approve().element() as HTMLElement).click();
      await settled();
      expect((await person.interaction(id, 'c1~2')).status).toBe('open');
    });
  });

  it('says so when the request returned to its first form', async () => {
    const { id, agent, open } = await startStage();
    open();
    for (const command of ['make deploy', 'make test', 'make deploy'])
      await agent.open(id, asks(command));
    await expect.element(page.getByText('It is what was asked at first.')).toBeVisible();
  });

  it('keeps the reason being written, and its focus', async () => {
    const { id, agent, open, person } = await startStage();
    await agent.open(id, asks('make deploy'));
    open();
    await page.getByRole('button', { name: 'Deny…' }).click();
    await userEvent.keyboard('Not on a ');
    await agent.open(id, asks('make deploy --prod'));
    await expect.element(changed()).toBeVisible();
    await userEvent.keyboard('Friday{Enter}');
    await expect
      .poll(async () => (await person.interaction(id, 'c1~2')).reason)
      .toBe('Not on a Friday');
  });

  it('keeps the text written for the first one', async () => {
    const { id, agent, open, person } = await startStage();
    const plan = (text: string) => ({
      kind: 'plan_review',
      toolName: 'ExitPlanMode',
      toolCallId: 'p1',
      plan: text,
    });
    await agent.open(id, plan('Look'));
    open();
    await page.getByLabelText(/Request changes/).click();
    await page.getByLabelText('What should change?').fill('Twice');
    await agent.open(id, plan('Leap'));
    await expect.element(changed()).toBeVisible();
    await expect.element(page.getByLabelText('What you wrote')).toHaveValue('Twice');
    await page.getByRole('button', { name: 'Send it as a message' }).click();
    // The text would send the new plan back, so it goes to the composer first.
    const message = page.getByRole('textbox', { name: 'Message' });
    await expect.element(message).toHaveValue('Twice');
    await expect.element(message).toHaveFocus();
    expect(page.getByLabelText('What you wrote').query()).toBeNull();
    expect((await person.snapshot(id)).open).toHaveLength(1);
  });
});
