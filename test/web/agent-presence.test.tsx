/**
 * What a conversation knows of the agents. A bug would look like a page that reads its open request again and again, or like
 * a decision that nobody has and that cannot be taken back where it was made.
 */
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { axeProblems } from '../support/web/axe.ts';
import { calls } from '../support/web/events.ts';
import { startStage } from '../support/web/stage.tsx';

const ASK = { kind: 'approval', toolName: 'Bash', toolCallId: 'c1', input: { command: 'ls' } };
const offline = () => page.getByText(/The agent is offline/);
const takeBack = () => page.getByRole('button', { name: 'Take back' });
const approve = () => page.getByRole('button', { name: /^Approve/ });

/** The stage, and the reads of records through its page. */
async function countedStage() {
  const stage = await startStage();
  const reads: string[] = [];
  const { interaction } = stage.person;
  stage.person.interaction = (sessionId, interactionId) => {
    reads.push(interactionId);
    return interaction.call(stage.person, sessionId, interactionId);
  };
  return { ...stage, reads };
}

describe('[PRES-6] an open card', () => {
  it('says that its agent is offline until one waits, and reads no record for it', async () => {
    const { id, agent, open, reads } = await countedStage();
    open();
    await agent.open(id, ASK);
    await expect.element(offline()).toBeVisible();
    const waiting = new AbortController();
    const { signal } = waiting;
    const ended = agent.interaction(id, 'c1~1', { waitSeconds: 50, signal }).catch(() => 'ended');
    await expect.poll(() => offline().query()).toBeNull();
    waiting.abort();
    expect(await ended).toBe('ended');
    await expect.element(offline()).toBeVisible();
    expect(reads).toEqual([]);
  });
});

describe('[VIEW-5, INT-19] a decision in the conversation', () => {
  it('is taken back where it was made, as long as no agent has it', async () => {
    const { id, agent, person, open, reads, element } = await countedStage();
    await agent.appendEvents(id, [calls('c1', 'Bash', ASK.input)]);
    await agent.open(id, ASK);
    open();
    await expect.element(approve()).toBeEnabled();
    await approve().click();
    await expect.element(page.getByText('No agent has this decision yet.')).toBeVisible();
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
    await takeBack().click();
    await expect.poll(async () => (await person.snapshot(id)).open.length).toBe(1);
    await expect.poll(() => takeBack().query()).toBeNull();
    expect(reads.filter((one) => one === 'c1~1').length).toBeLessThan(2);
  });

  it('is not offered once the agent has it, and after a reload as long as it has not', async () => {
    const { id, agent, person, open, show } = await countedStage();
    await agent.open(id, ASK);
    await person.answer(id, 'c1~1', { decision: 'deny', reason: 'No' });
    open();
    await expect.element(takeBack()).toBeVisible();
    await agent.interaction(id, 'c1~1');
    await expect.poll(() => takeBack().query()).toBeNull();
    show(null);
    open();
    await expect.element(page.getByText('by you')).toBeVisible();
    expect(takeBack().query()).toBeNull();
  });
});
