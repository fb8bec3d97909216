/** A server that does not respond, and a lost network. A bug here shows nothing, or the opposite of the truth. */
import { describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { ClientError } from '../../../src/client/errors.ts';
import type { Settled } from '../../../src/client/transport.ts';
import { axeProblems } from '../../support/web/axe.ts';
import { askCard, type ShownCard } from './ask-card.tsx';
import { inLongRun } from '../../support/run-length.ts';

const APPROVAL = { kind: 'approval', input: { command: 'make deploy' } };
const LOST = new ClientError({ code: 'unreachable', message: 'no', retry: 'now' });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const text = (words: string | RegExp) => page.getByText(words);
const moment = () => new Promise((done) => setTimeout(done, 50));

/** An answer that hangs until the test releases it. */
function hanging(card: ShownCard) {
  const answer = card.server.person.answer.bind(card.server.person);
  const { promise, resolve } = Promise.withResolvers<void>();
  const calls = vi
    .spyOn(card.server.person, 'answer')
    .mockImplementation((...ask) => promise.then((): Promise<Settled> => answer(...ask)));
  return { calls, letThrough: resolve };
}

async function approves(card: ShownCard): Promise<void> {
  await card.arm();
  await button('Approve').click();
}

async function pass(card: ShownCard, ms: number): Promise<void> {
  await moment();
  card.clock.advance(ms);
  await moment();
}

describe('[UI-8] an answer that takes long', () => {
  it('says so after three seconds, even without a connection, and then shows the outcome', async () => {
    const onSlow = vi.fn<() => () => void>(() => () => undefined);
    const card = await askCard(APPROVAL, { onSlow });
    const silent = { ...card.opened, agentWaiting: false };
    await card.show(silent);
    await expect.element(text(/The agent is offline/)).toBeVisible();
    const { letThrough } = hanging(card);
    await approves(card);
    await pass(card, 2_900);
    expect(text('Still sending').query()).toBeNull();
    expect(text(/The agent is offline/).query()).toBeNull();
    await pass(card, 200);
    await expect.element(text(/Still sending/)).toBeVisible();
    expect(onSlow).toHaveBeenCalledTimes(1);
    expect(await axeProblems(card.element)).toEqual([]);
    await card.show(silent, { isAnswerable: false });
    await expect.element(text(/Still sending/)).toBeVisible();
    await expect.element(button('Approve')).toHaveAttribute('aria-busy', 'true');
    expect(text(/You can answer when/).query()).toBeNull();
    await card.show(silent, { isAnswerable: true });
    letThrough();
    await expect.element(text('by you')).toBeVisible();
    expect(text(/Still sending/).query()).toBeNull();
  });

  it('does not wait for the reply once the session reports the outcome', async () => {
    const card = await askCard(APPROVAL);
    hanging(card);
    await approves(card);
    await pass(card, 3_100);
    await card.server.person.approveTool(card.sessionId, 'call-1');
    await card.show();
    await expect.element(text('by you')).toBeVisible();
  });
});

describe('[UI-8, TRN-5] an answer that did not arrive', () => {
  it('is sent again with its key when the network returns', async () => {
    const card = await askCard(APPROVAL);
    const calls = vi.spyOn(card.server.person, 'answer').mockRejectedValueOnce(LOST);
    await approves(card);
    await expect.element(text(/Retrying automatically/)).toBeVisible();
    await expect.element(button('Don’t send')).toBeVisible();
    expect(await axeProblems(card.element)).toEqual([]);
    await moment();
    dispatchEvent(new Event('online'));
    await expect.element(text('by you')).toBeVisible();
    const keys = calls.mock.calls.map(([, , , how]) => how?.idempotencyKey);
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
  });

  it('is sent again when the connection returns, with no other message until then', async () => {
    const card = await askCard(APPROVAL);
    vi.spyOn(card.server.person, 'answer').mockRejectedValueOnce(LOST);
    await approves(card);
    await expect.element(text(/Retrying automatically/)).toBeVisible();
    await card.show(undefined, { isAnswerable: false });
    await expect.element(text(/Retrying automatically/)).toBeVisible();
    expect(text(/You can answer when/).query()).toBeNull();
    await card.show(undefined, { isAnswerable: true });
    await expect.element(text('by you')).toBeVisible();
  });

  it('is not sent again after the person discards it', async () => {
    const card = await askCard(APPROVAL);
    const calls = vi.spyOn(card.server.person, 'answer').mockRejectedValueOnce(LOST);
    await approves(card);
    await button('Don’t send').click();
    await moment();
    dispatchEvent(new Event('online'));
    await moment();
    expect(calls).toHaveBeenCalledTimes(1);
    expect((await card.now()).status).toBe('open');
  });

  inLongRun(() => {
    it('is replaced by another answer', async () => {
      const card = await askCard(APPROVAL);
      vi.spyOn(card.server.person, 'answer').mockRejectedValueOnce(LOST);
      await approves(card);
      await expect.element(text(/Retrying automatically/)).toBeVisible();
      await button('Deny…').click();
      await button('Deny').click();
      await expect.element(text('by you')).toBeVisible();
      await moment();
      dispatchEvent(new Event('online'));
      await moment();
      expect((await card.now()).outcome).toBe('denied');
    });
  });

  inLongRun(() => {
    it('is not sent again after a refusal', async () => {
      const card = await askCard(APPROVAL);
      const refused = new ClientError({ code: 'forbidden', message: 'no', retry: 'never' });
      const calls = vi.spyOn(card.server.person, 'answer').mockRejectedValue(refused);
      await approves(card);
      await expect.element(button('Dismiss')).toBeVisible();
      await moment();
      dispatchEvent(new Event('online'));
      await moment();
      expect(calls).toHaveBeenCalledTimes(1);
    });
  });
});
