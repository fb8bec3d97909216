/** A person's side: every way to answer, and every way to be refused. */
import { describe, expect, it } from 'vitest';
import type { World } from '../transport.contract.ts';
import {
  approval,
  begin,
  expectRefused,
  form,
  opened,
  plan,
  question,
  twoQuestions,
} from './questions.ts';

export function answeringContract(world: World): void {
  describe('answering', () => {
    it('[TRN-1, TRN-2] answers, and reports that this answer counted', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, approval());
      const settled = await transport.answer(id, 'call-1~1', { decision: 'deny', reason: 'no' });
      expect(settled).toMatchObject({
        ok: true,
        isMine: true,
        interaction: { outcome: 'denied', reason: 'no', reply: { behavior: 'deny' } },
      });
    });

    it('[TRN-2, TRN-3] shows the faster caller instead of failing', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, approval());
      await transport.answer(id, 'call-1~1', { decision: 'deny', reason: 'no' });
      const late = await transport.answer(id, 'call-1~1', { decision: 'approve' });
      expect(late).toMatchObject({
        ok: true,
        isMine: false,
        interaction: { interactionId: 'call-1~1', outcome: 'denied', reason: 'no' },
      });
      const cancelled = await transport.cancel(id, 'call-1~1');
      expect(cancelled).toMatchObject({ isMine: false, interaction: { outcome: 'denied' } });
    });

    it('[TRN-2, TRN-5] treats a repeated answer as the same answer', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, approval());
      const how = { idempotencyKey: 'the-same-answer' };
      const first = await transport.answer(id, 'call-1~1', { decision: 'approve' }, how);
      const again = await transport.answer(id, 'call-1~1', { decision: 'approve' }, how);
      expect(first.isMine).toBe(true);
      expect(again).toMatchObject({ isMine: true, interaction: { outcome: 'approved' } });
    });

    it('[TRN-2] answers a question step by step', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, twoQuestions());
      const step = await transport.answer(id, 'call-1~1', { question: 0, option: 1 });
      expect(step).toMatchObject({ isMine: true, interaction: { status: 'open', current: 1 } });
      const error = await expectRefused(
        transport.answer(id, 'call-1~1', { question: 0, option: 1 }),
        'step_moved',
      );
      expect(error.details).toEqual({ current: 1 });
      const whole = await transport.answer(id, 'call-1~1', { question: 1, options: [0, 2] });
      expect(whole.interaction).toMatchObject({
        outcome: 'answered',
        answers: { '0': 'Green', '1': ['S', 'L'] },
      });
    });

    it('[TRN-2, TRN-6] submits answers by tool call', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, question());
      expect(await transport.submitAnswers(id, 'call-1', { '0': 'Red' })).toEqual({ ok: true });
      expect(await agent.interaction(id, 'call-1~1')).toMatchObject({ answers: { '0': 'Red' } });
    });

    it('[TRN-2, TRN-6] approves and denies by tool call', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, approval('call-1'));
      await opened(agent, id, approval('call-2'));
      expect(await transport.approveTool(id, 'call-1')).toEqual({ ok: true });
      expect(await transport.denyTool(id, 'call-2', 'not now')).toEqual({ ok: true });
      expect(await agent.interaction(id, 'call-1~1')).toMatchObject({ outcome: 'approved' });
      expect(await agent.interaction(id, 'call-2~1')).toMatchObject({ reason: 'not now' });
    });

    it('[TRN-2, TRN-6] reports the problem when a submission is refused', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, question('call-1'));
      await opened(agent, id, approval('call-2'));
      const empty = await expectRefused(
        transport.submitAnswers(id, 'call-1', {}),
        'invalid_answer',
      );
      expect(empty.message).toMatch(/^Submit answers failed: /);
      const nobody = await expectRefused(
        transport.submitAnswers(id, 'call-9', { '0': 'Red' }),
        'not_found',
      );
      expect(nobody.message).toBe('Submit answers failed: No pending question');
      const approved = await expectRefused(transport.approveTool(id, 'call-1'), 'not_found');
      expect(approved.message).toBe('Approve failed: No pending approval');
      await transport.approveTool(id, 'call-2');
      const denied = await expectRefused(transport.denyTool(id, 'call-2'), 'already_settled');
      expect(denied.message).toMatch(/^Deny failed: /);
      expect(denied.details).toMatchObject({ outcome: 'approved' });
    });

    it('[TRN-1, TRN-2] reviews plans', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, plan('call-1'));
      await opened(agent, id, plan('call-2'));
      const approved = await transport.reviewPlan(id, 'call-1~1', 'clean_edit');
      expect(approved.interaction.decision).toEqual({
        permission: 'allow',
        clearContext: true,
        targetMode: 'edit',
      });
      const waits = await transport.reviewPlan(id, 'call-2~1', 'adjust');
      expect(waits.interaction).toMatchObject({ status: 'open', awaitingFeedback: true });
      const sentBack = await transport.reviewPlan(id, 'call-2~1', 'adjust', 'Shorter.');
      expect(sentBack.interaction).toMatchObject({ outcome: 'denied', reason: 'Shorter.' });
    });

    it('[TRN-1, TRN-2] submits a form, and keeps it open when the values do not fit', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, form());
      const error = await expectRefused(
        transport.submitForm(id, 'call-1~1', { port: 70_000 }),
        'invalid_values',
      );
      expect(Object.keys((error.details?.fieldErrors ?? {}) as object).toSorted()).toEqual([
        'host',
        'port',
      ]);
      const values = { host: 'example.com', port: 443 };
      const settled = await transport.submitForm(id, 'call-1~1', values);
      expect(settled.interaction).toMatchObject({ outcome: 'answered', values });
    });

    it('[TRN-1, TRN-2, FORM-1] accepts or declines a form without fields, which is plain consent', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      const consent = { schema: { type: 'object', properties: {} } };
      await opened(agent, id, { ...form(), ...consent });
      await opened(agent, id, { ...form('call-2'), ...consent });
      await expectRefused(transport.submitForm(id, 'call-1~1', { yes: true }), 'invalid_values');
      const accepted = await transport.submitForm(id, 'call-1~1', {});
      expect(accepted.interaction).toMatchObject({ outcome: 'answered', values: {} });
      const declined = await transport.decide(id, [
        { interactionId: 'call-2~1', answer: { decline: true } },
      ]);
      expect(declined).toMatchObject([{ ok: true, interaction: { outcome: 'denied' } }]);
    });

    it('[TRN-1, TRN-2] answers with text the interaction it names', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, question('call-1'));
      await opened(agent, id, approval('call-2'));
      expect(await transport.answerText(id, 'call-1~1', 'green')).toMatchObject({
        routed: 'interaction',
        interactionId: 'call-1~1',
        message: 'Response received.',
      });
      await expectRefused(transport.answerText(id, 'call-2~1', 'maybe'), 'text_not_an_answer');
      await transport.answerText(id, 'call-2~1', 'Yes');
      expect(await agent.interaction(id, 'call-2~1')).toMatchObject({ outcome: 'approved' });
      await expectRefused(transport.answerText(id, 'call-2~1', 'No'), 'already_settled');
    });

    it('[TRN-1, TRN-2] decides several, each by itself', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, approval('call-1'));
      await opened(agent, id, approval('call-2'));
      const results = await transport.decide(id, [
        { toolCallId: 'call-1', answer: { decision: 'approve' } },
        { interactionId: 'call-9~1', answer: { decision: 'approve' } },
        { interactionId: 'call-2~1', answer: { decision: 'deny' } },
      ]);
      expect(results).toMatchObject([
        { ok: true, interaction: { outcome: 'approved' } },
        { ok: false, code: 'not_found' },
        { ok: true, interaction: { outcome: 'denied' } },
      ]);
      expect(results[1]).toHaveProperty('message');
    });

    it('[TRN-1, TRN-2] extends the deadline, once', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      const asked = await opened(agent, id, { ...approval(), timeoutSeconds: 600 });
      const extended = await transport.extend(id, 'call-1~1');
      expect(extended.expiresAt ?? 0).toBeGreaterThan(asked.expiresAt ?? 0);
      await expectRefused(transport.extend(id, 'call-1~1'), 'already_extended');
    });

    it('[TRN-1, TRN-2] cancels one interaction, and then all others', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      for (const call of ['call-1', 'call-2', 'call-3']) await opened(agent, id, approval(call));
      const one = await transport.cancel(id, 'call-1~1', { reason: 'changed my mind' });
      expect(one).toMatchObject({
        isMine: true,
        interaction: { outcome: 'cancelled', reason: 'changed my mind' },
      });
      expect(await transport.cancelAll(id, { reason: 'enough' })).toEqual({ cancelled: 2 });
      expect(await agent.interaction(id, 'call-3~1')).toMatchObject({ reason: 'enough' });
      await expectRefused(transport.cancel(id, 'call-9~1'), 'not_found');
      const unnamed = await expectRefused(transport.cancel(id, 'call-9'), 'not_found');
      expect(unnamed.message).toContain('Interaction ids end in ~1');
    });

    it('[TRN-2] refuses an answer of another kind, and an answer to another request than the shown one', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, approval());
      await expectRefused(
        transport.answer(id, 'call-1~1', { answers: { '0': 'Red' } }),
        'wrong_kind',
      );
      const error = await expectRefused(
        transport.answer(id, 'call-1~1', { decision: 'approve', inputDigest: 'f'.repeat(64) }),
        'input_changed',
      );
      expect(error.details).toHaveProperty('inputDigest');
      await expectRefused(
        transport.answer(id, 'call-1~1', {
          decision: 'approve',
          offer: 'session',
          everyCommand: true,
        }),
        'not_offered',
      );
      expect((await transport.snapshot(id)).open).toHaveLength(1);
    });

    it('[TRN-2, TRN-6, INT-12] approves by tool call the shown request, and no replacement', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      const shown = await opened(agent, id, approval());
      const now = await opened(agent, id, { ...approval(), input: { command: 'rm -rf /' } });
      expect(now.replaces).toBe(shown.interactionId);
      const attempts = [
        () => transport.approveTool(id, 'call-1'),
        () => transport.approveTool(id, 'call-1', { inputDigest: shown.inputDigest }),
        () => transport.denyTool(id, 'call-1', 'no', { inputDigest: shown.inputDigest }),
        () => transport.denyTool(id, 'call-1'),
      ];
      for (const attempt of attempts) {
        const { details } = await expectRefused(attempt(), 'input_changed');
        expect(details).toEqual({ interactionId: 'call-1~2', inputDigest: now.inputDigest });
      }
      const plain = { toolCallId: 'call-1', answer: { decision: 'approve' } };
      const results = await transport.decide(id, [plain]);
      expect(results).toMatchObject([{ ok: false, code: 'input_changed' }]);
      expect((await transport.snapshot(id)).open).toHaveLength(1);
      const approved = transport.approveTool(id, 'call-1', { inputDigest: now.inputDigest });
      expect(await approved).toEqual({ ok: true });
    });

    it('[TRN-2, TRN-6, INT-12] takes the digest with a denial, answers and a batch', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, question('call-1'));
      for (const call of ['call-2', 'call-3']) await opened(agent, id, approval(call));
      const again = [
        await opened(agent, id, twoQuestions('call-1')),
        await opened(agent, id, { ...approval('call-2'), input: { command: 'ls' } }),
        await opened(agent, id, { ...approval('call-3'), input: { command: 'ls' } }),
      ];
      const [asked, denied, decided] = again.map(({ inputDigest }) => ({ inputDigest }));
      const answers = { '0': 'Green', '1': ['S'] };
      await transport.submitAnswers(id, 'call-1', answers, asked);
      await transport.denyTool(id, 'call-2', 'no', denied);
      const answer = { decision: 'approve' };
      await transport.decide(id, [{ toolCallId: 'call-3', answer, ...decided }]);
      const outcomes = again.map(async ({ interactionId }) => {
        return (await agent.interaction(id, interactionId)).outcome;
      });
      expect(await Promise.all(outcomes)).toEqual(['answered', 'denied', 'approved']);
    });

    it('[TRN-2, TRN-3] succeeds when the first answer was its own, in every method', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, question('answers'));
      for (const call of ['approve', 'deny', 'decide', 'cancel', 'text', 'answer']) {
        await opened(agent, id, approval(call));
      }
      await opened(agent, id, plan('plan'));
      await opened(agent, id, form('form'));
      const values = { host: 'example.com', port: 443 };
      const yes = { decision: 'approve' };
      const shortly: readonly (() => Promise<unknown>)[] = [
        () => transport.submitAnswers(id, 'answers', { '0': 'Red' }),
        () => transport.approveTool(id, 'approve'),
        () => transport.denyTool(id, 'deny', 'no'),
      ];
      const fully: readonly (() => Promise<unknown>)[] = [
        () => transport.answer(id, 'answer~1', yes),
        () => transport.reviewPlan(id, 'plan~1', 'edit'),
        () => transport.submitForm(id, 'form~1', values),
        () => transport.cancel(id, 'cancel~1'),
      ];
      // Each is asked anew, with a key of its own, as after a reply that never came.
      for (const ask of shortly) {
        expect(await ask()).toEqual({ ok: true });
        expect(await ask()).toEqual({ ok: true });
      }
      for (const ask of fully) {
        await ask();
        expect(await ask()).toMatchObject({ isMine: true, interaction: { status: 'settled' } });
      }
      for (const _ of [1, 2]) {
        expect(await transport.answerText(id, 'text~1', 'yes')).toMatchObject({
          routed: 'interaction',
          interactionId: 'text~1',
        });
        const results = await transport.decide(id, [{ toolCallId: 'decide', answer: yes }]);
        expect(results).toMatchObject([{ ok: true, interaction: { outcome: 'approved' } }]);
      }
      // The other decision of the same person came too late, as from any person.
      await expectRefused(transport.denyTool(id, 'approve'), 'already_settled');
      await expectRefused(transport.answerText(id, 'text~1', 'no'), 'already_settled');
      const late = await transport.decide(id, [{ toolCallId: 'deny', answer: yes }]);
      expect(late).toMatchObject([{ ok: false, code: 'already_settled' }]);
    });

    it('[TRN-2] sends no answer when it was aborted before it started', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, approval());
      const signal = AbortSignal.abort();
      await expectRefused(
        transport.answer(id, 'call-1~1', { decision: 'approve' }, { signal }),
        'aborted',
      );
      expect((await transport.snapshot(id)).open).toHaveLength(1);
    });
  });
}
