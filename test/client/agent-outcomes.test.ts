/**
 * The reply of the agent client, for every way a question can end.
 *
 * A bug here looks like a tool that runs without approval, or a tool that runs with another input than the
 * approved one.
 */
import { describe, expect, it } from 'vitest';
import { answersByText, fitToolCallId } from '../../src/client/index.ts';
import { ClientError } from '../../src/client/errors.ts';
import { describeChanges } from '../../src/protocol/describe-changes.ts';
import type { Interaction } from '../../src/protocol/types.ts';
import { COLOR, PORT, SIZES } from '../support/asks.ts';
import { altered, HURRY, pair, SESSION } from '../support/agent.ts';
import { connect } from '../../src/client/agent/connect.ts';

const CALL = { toolName: 'Bash', input: { command: 'rm -rf build' } };
const call = (id = 'call-1') => ({ toolCallId: id });

describe('an approval', () => {
  it('[TRN-1, APR-1] has the input that may run, and the person who allowed it', async () => {
    const { agent, person, onlyOpen: one } = pair();
    const asked = agent.approve(CALL, call());
    const { interactionId } = await one();
    await person.answer(SESSION, interactionId, { decision: 'approve', reason: 'fine' });
    expect(await asked).toMatchObject({
      outcome: 'approved',
      updatedInput: CALL.input,
      offer: 'once',
      reason: 'fine',
      by: { subject: 'local', via: 'api' },
      interaction: { interactionId: 'call-1~1' },
    });
  });

  it('[APR-1] is denied with the reason and the text for the model', async () => {
    const { agent, person, onlyOpen: one } = pair();
    const asked = agent.approve(CALL, call());
    await one();
    await person.denyTool(SESSION, 'call-1', 'too early');
    expect(await asked).toMatchObject({
      outcome: 'denied',
      reason: 'too early',
      message: 'User denied tool execution. Reason: too early',
    });
  });

  const CHOICES = [
    { id: 'go', label: 'Go', decision: 'approve' },
    { id: 'never', label: 'Never', decision: 'deny' },
    { id: 'halt', label: 'Stop', decision: 'deny', stop: true },
  ] as const;

  it.each([
    [{ choice: 'go' }, { outcome: 'approved', choice: 'go', updatedInput: CALL.input }],
    [{ choice: 'never' }, { outcome: 'denied', choice: 'never' }],
    [{ choice: 'halt' }, { outcome: 'denied', choice: 'halt', stop: true }],
    [
      { decision: 'deny', stop: true },
      { outcome: 'denied', stop: true },
    ],
    [{ decision: 'deny' }, { outcome: 'denied' }],
  ])(
    '[APR-6, APR-7] has the choice of the person, and whether the turn ends: %j',
    async (...row) => {
      const [given, expected] = row;
      const { agent, person, onlyOpen: one } = pair();
      const asked = agent.approve({ ...CALL, choices: CHOICES }, call());
      await person.answer(SESSION, (await one()).interactionId, given);
      const outcome = await asked;
      expect(outcome).toMatchObject(expected);
      expect('choice' in outcome).toBe('choice' in expected);
      expect('stop' in outcome).toBe('stop' in expected);
    },
  );

  it('[APR-2] has the edit of the person, if the request offered an edit', async () => {
    const { agent, person, onlyOpen: one } = pair();
    const asked = agent.approve({ ...CALL, allowEdit: true }, call());
    const { interactionId } = await one();
    const updatedInput = { command: 'rm -rf build/tmp' };
    await person.answer(SESSION, interactionId, { decision: 'approve', updatedInput });
    expect(await asked).toMatchObject({
      outcome: 'approved',
      updatedInput,
      isEdited: true,
      changes: describeChanges(CALL.input, updatedInput),
      interaction: { reply: { message: describeChanges(CALL.input, updatedInput) } },
    });
  });

  it('[INT-5] is found again under any text as the id of the call', async () => {
    const { agent, person, onlyOpen: one } = pair();
    const id = 'tasks/42, step 1';
    const asked = [agent.approve(CALL, call(id)), agent.approve(CALL, call(id))];
    const { toolCallId } = await one();
    expect(toolCallId).toBe(await fitToolCallId(id));
    await person.approveTool(SESSION, toolCallId);
    for (const outcome of await Promise.all(asked)) expect(outcome.outcome).toBe('approved');
    await expect(agent.approve(CALL, call(''))).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('[APR-2] says that nothing was edited, also where the person sent the same input', async () => {
    const { agent, person, onlyOpen: one } = pair();
    const asked = agent.approve({ ...CALL, allowEdit: true }, call());
    const { interactionId } = await one();
    const updatedInput = { ...CALL.input };
    await person.answer(SESSION, interactionId, { decision: 'approve', updatedInput });
    const outcome = await asked;
    expect(outcome).toMatchObject({ outcome: 'approved', isEdited: false });
    expect(outcome).not.toHaveProperty('changes');
    expect(outcome.interaction?.reply).toEqual({ behavior: 'allow', updatedInput });
  });

  it('[GATE-4] is decided by a rule or the mode, and names the rule or mode', async () => {
    const { agent, person, onlyOpen: one } = pair();
    const offers = ['once', 'session'] as const;
    const asked = agent.approve({ ...CALL, offers }, call());
    const { interactionId } = await one();
    await person.answer(SESSION, interactionId, {
      decision: 'approve',
      offer: 'session',
      everyCommand: true,
    });
    expect(await asked).toMatchObject({ outcome: 'approved', offer: 'session' });
    const [rule] = await person.rules(SESSION);
    const next = await agent.approve({ toolName: 'Bash', input: { command: 'ls' } });
    expect(next).toEqual({
      outcome: 'approved',
      updatedInput: { command: 'ls' },
      isEdited: false,
      by: {
        rule: rule?.id,
        scope: 'session',
        createdBy: expect.any(String),
        pattern: 'Bash: any input',
      },
    });
    await person.setMode(SESSION, 'plan');
    expect(await agent.approve({ toolName: 'Write', input: { file_path: 'a' } })).toEqual({
      outcome: 'denied',
      message: 'Write is not allowed in plan mode',
      by: { mode: 'plan' },
    });
  });

  it('[INT-2] distinguishes cancelled, expired and superseded', async () => {
    const { agent, person, onlyOpen: one, open } = pair();
    const cancelled = agent.approve(CALL, call('call-1'));
    await person.cancel(SESSION, (await one()).interactionId, { reason: 'not today' });
    expect(await cancelled).toMatchObject({
      outcome: 'cancelled',
      reason: 'not today',
      message: 'Interaction cancelled',
    });
    expect(await agent.approve(CALL, { ...call('call-2'), timeoutSeconds: 1 })).toMatchObject({
      outcome: 'expired',
      message: 'Tool approval timed out after 1 second',
      by: { via: 'timeout' },
    });
    const first = agent.approve(CALL, call('call-3'));
    await open();
    const second = agent.approve({ ...CALL, input: { command: 'ls' } }, call('call-3'));
    expect(await first).toMatchObject({ outcome: 'superseded', replacedBy: 'call-3~2' });
    const { inputDigest } = await person.interaction(SESSION, 'call-3~2');
    await person.approveTool(SESSION, 'call-3', { inputDigest });
    expect(await second).toMatchObject({ outcome: 'approved', updatedInput: { command: 'ls' } });
  });
});

describe('an approval of something else', () => {
  const forgeries: readonly [string, (record: Interaction) => Interaction][] = [
    ['other input was shown', (one) => ({ ...one, request: { input: { command: 'ls' } } })],
    ['another tool was shown', (one) => ({ ...one, toolName: 'Read' })],
    ['an edit nobody offered came back', (one) => ({ ...one, updatedInput: { command: 'ls' } })],
    ['the digest is of something else', (one) => ({ ...one, authorizedDigest: 'f'.repeat(64) })],
    ['the authorized input is missing', (one) => ({ ...one, updatedInput: undefined })],
  ];

  it.each(forgeries)('[INT-12, GATE-4] runs nothing: %s', async (_name, forge) => {
    const { agentTransport, person, onlyOpen: one } = pair();
    const transport = altered(agentTransport, {
      interaction: async (...args) => forge(await agentTransport.interaction(...args)),
    });
    const agent = connect({ transport, session: SESSION, timing: HURRY });
    const asked = agent.approve(CALL, call()).catch((cause: unknown) => cause);
    await one();
    await person.approveTool(SESSION, 'call-1');
    const error = await asked;
    expect(error).toBeInstanceOf(ClientError);
    expect(error).toMatchObject({ code: 'input_changed', retry: 'never' });
  });

  it('[INT-12] counts with its members in another order', async () => {
    const { agent, person, onlyOpen: one } = pair();
    const input = { b: 1, a: [1, { d: null, c: 'x' }], gone: undefined };
    const asked = agent.approve({ toolName: 'T', input }, call());
    await one();
    // A later change of the caller’s own object changes neither the request nor the check.
    input.a = [];
    await person.approveTool(SESSION, 'call-1');
    expect(await asked).toMatchObject({ updatedInput: { b: 1, a: [1, { d: null, c: 'x' }] } });
  });
});

describe('questions', () => {
  it('[QST-6, QST-10] are answered by index and by their text, also with equal texts', async () => {
    const { agent, person, onlyOpen: one } = pair();
    const asked = agent.ask([COLOR, SIZES, COLOR], call());
    const { interactionId } = await one();
    const [label = ''] = COLOR.options.map((option) => option.label);
    const sizes = SIZES.options.slice(0, 2).map((option) => option.label);
    const answers = { '0': label, '1': sizes, '2': 'Something else' };
    await person.answer(SESSION, interactionId, { answers });
    expect(await asked).toMatchObject({
      outcome: 'answered',
      answers,
      answersByText: {
        [COLOR.question]: label,
        [SIZES.question]: sizes,
        [`${COLOR.question} (2)`]: 'Something else',
      },
      message: expect.stringContaining(`${COLOR.question}: ["${label}"]`) as string,
      isDefault: false,
    });
  });

  it('[INT-15, TIME-6] can be declined, or answered by the declared answer', async () => {
    const { agent, person, onlyOpen: one } = pair();
    const declined = agent.ask([COLOR], call());
    const { interactionId } = await one();
    await person.answer(SESSION, interactionId, { decline: true, reason: 'no idea' });
    expect(await declined).toMatchObject({ outcome: 'denied', reason: 'no idea' });
    const onExpire = { answer: { answers: { '0': 'Own words' } } };
    const how = { ...call('call-2'), timeoutSeconds: 1, onExpire };
    expect(await agent.ask([COLOR], how)).toMatchObject({
      outcome: 'answered',
      answers: { '0': 'Own words' },
      isDefault: true,
      by: { via: 'timeout' },
    });
  });

  it('[QST-10] by text leave out questions without an answer', () => {
    expect(answersByText([{ question: '__proto__' }, { question: 'b' }], { '0': 'x' })).toEqual(
      Object.fromEntries([['__proto__', 'x']]),
    );
  });
});

describe('plans and forms', () => {
  it.each([
    ['edit', 'acceptEdits', false],
    ['clean_edit', 'acceptEdits', true],
    ['default', 'default', true],
  ] as const)('[PLN-2] %s is an approval', async (decision, permissionMode, clearContext) => {
    const { agent, person, onlyOpen: one } = pair();
    const asked = agent.reviewPlan('1. Look', call());
    await person.reviewPlan(SESSION, (await one()).interactionId, decision);
    expect(await asked).toMatchObject({ outcome: 'approved', permissionMode, clearContext });
  });

  it.each([undefined, '', ' '])(
    '[PLN-1] without a text is approved as the sentence: %j',
    async (plan) => {
      const { agent, person, onlyOpen: one } = pair();
      const asked = agent.reviewPlan(plan, call());
      const { interactionId, request } = await one();
      expect(request).toEqual({ plan: 'The agent sent no plan text.' });
      await person.reviewPlan(SESSION, interactionId, 'edit');
      expect(await asked).toMatchObject({ outcome: 'approved' });
    },
  );

  it('[PLN-3] adjust is a denial with the feedback', async () => {
    const { agent, person, onlyOpen: one } = pair();
    const asked = agent.reviewPlan(undefined, call());
    await person.reviewPlan(SESSION, (await one()).interactionId, 'adjust', 'Shorter');
    expect(await asked).toMatchObject({ outcome: 'denied', message: 'Shorter' });
  });

  it('[FORM-1, FORM-2] a form has its values, and keeps the typed values when it is asked again', async () => {
    const { agent, person, onlyOpen: one } = pair();
    const asked = agent.form({ title: 'Where', schema: PORT }, call());
    const { interactionId } = await one();
    await person.submitForm(SESSION, interactionId, { host: 'a', port: 8080 });
    expect(await asked).toMatchObject({ outcome: 'answered', values: { host: 'a', port: 8080 } });
    const again = agent.form(
      { title: 'Where', schema: PORT },
      { ...call(), fieldErrors: { port: 'That one is taken' } },
    );
    const next = await one();
    expect(next).toMatchObject({
      interactionId: 'call-1~2',
      typedValues: { host: 'a', port: 8080 },
    });
    await person.submitForm(SESSION, next.interactionId, { host: 'a', port: 8081 });
    expect(await again).toMatchObject({ values: { host: 'a', port: 8081 } });
  });
});
