/** `holdpoint/ai-sdk`, called as the AI SDK calls it, over the session core in this process. */
import { describe, expect, it } from 'vitest';
import {
  answerApprovals,
  askHumanTool,
  toolApproval,
} from '../../src/integrations/ai-sdk/index.ts';
import { ClientError } from '../../src/client/errors.ts';
import { connect } from '../../src/client/agent/connect.ts';
import { altered, HURRY, pair, SESSION } from '../support/agent.ts';
import { QUESTIONS } from '../support/sdk-questions.ts';
import { inLongRun } from '../support/run-length.ts';

const CALL = { toolCallId: 'call_1', toolName: 'run', input: { command: 'ls' } };
const requested = (more: object = {}) => ({
  type: 'tool-approval-request',
  approvalId: 'aitxt-1',
  toolCall: CALL,
  ...more,
});

describe('toolApproval', () => {
  it('[ADP-1] approves what a person approved, under the id of the call, without offering an edit', async () => {
    const { agent, person, onlyOpen } = pair();
    const status = toolApproval(agent)({ toolCall: CALL });
    const { interactionId, toolCallId, request } = await onlyOpen();
    expect(toolCallId).toBe('call_1');
    expect(request.allowEdit).toBeUndefined();
    const updatedInput = { command: 'rm' };
    await expect(
      person.answer(SESSION, interactionId, { decision: 'approve', updatedInput }),
    ).rejects.toMatchObject({ code: 'not_offered' });
    await person.answer(SESSION, interactionId, { decision: 'approve', reason: 'fine' });
    expect(await status).toEqual({ type: 'approved', reason: 'fine' });
  });

  it('[ADP-1] denies with the reason, and says when the time was over', async () => {
    const { agent, person, onlyOpen } = pair();
    const denied = toolApproval(agent)({ toolCall: CALL });
    const { interactionId } = await onlyOpen();
    await person.answer(SESSION, interactionId, { decision: 'deny', reason: 'not today' });
    expect(await denied).toMatchObject({
      type: 'denied',
      reason: expect.stringContaining('not today') as string,
    });
    const late = toolApproval(agent, { timeoutSeconds: 1 })({
      toolCall: { ...CALL, toolCallId: 'call_2' },
    });
    expect(await late).toMatchObject({ type: 'denied' });
  });

  it('[GATE-4] denies if nobody can be asked', async () => {
    const { agentTransport } = pair();
    const refusal = new ClientError({ code: 'unauthenticated', message: 'No key', retry: 'never' });
    const transport = altered(agentTransport, { open: () => Promise.reject(refusal) });
    const agent = connect({ transport, session: SESSION, timing: HURRY });
    expect(await toolApproval(agent)({ toolCall: CALL })).toEqual({
      type: 'denied',
      reason: 'Nobody could be asked, so this was not run: No key',
    });
  });

  it('[ADP-1] needs no approval for a question', async () => {
    const { agent } = pair();
    const toolCall = { ...CALL, toolName: 'ask_human' };
    expect(await toolApproval(agent)({ toolCall })).toBeUndefined();
  });
});

describe('answerApprovals', () => {
  it('[ADP-1] answers each request in the content, under the id of the approval', async () => {
    const { agent, person, open } = pair();
    const other = { approvalId: 'aitxt-2', toolCall: { ...CALL, toolCallId: 'call_2' } };
    const content = [{ type: 'text' }, requested(), requested(other)];
    const answering = answerApprovals(agent, content);
    const ids = (await open(2)).map(({ toolCallId }) => toolCallId);
    expect(new Set(ids)).toEqual(new Set(['aitxt-1', 'aitxt-2']));
    await person.answer(SESSION, 'aitxt-1~1', { decision: 'approve' });
    await person.answer(SESSION, 'aitxt-2~1', { decision: 'deny' });
    const [message, ...more] = await answering;
    expect(more).toEqual([]);
    expect(message?.role).toBe('tool');
    expect(message?.content).toMatchObject([
      { type: 'tool-approval-response', approvalId: 'aitxt-1', approved: true },
      { type: 'tool-approval-response', approvalId: 'aitxt-2', approved: false },
    ]);
  });

  it('[ADP-1] appends nothing if nothing was asked, or the policy of the program decided', async () => {
    const { agent } = pair();
    expect(await answerApprovals(agent, [{ type: 'text' }])).toEqual([]);
    expect(await answerApprovals(agent, [requested({ isAutomatic: true })])).toEqual([]);
  });

  inLongRun(() => {
    it('[ADP-1] finds the answer that came while the program was dead', async () => {
      const { agent, agentTransport, person, onlyOpen } = pair();
      const lost = answerApprovals(agent, [requested()], { giveUpOpenAfterSeconds: 0.001 });
      const { interactionId } = await onlyOpen();
      await lost;
      await person.answer(SESSION, interactionId, { decision: 'approve' });
      const again = connect({ transport: agentTransport, session: SESSION, timing: HURRY });
      const [message] = await answerApprovals(again, [requested()]);
      expect(message?.content).toMatchObject([{ approved: true }]);
    });
  });
});

describe('ask_human', () => {
  it('[ADP-1] returns the answers to the model', async () => {
    const { agent, person, onlyOpen } = pair();
    const { execute, inputSchema } = askHumanTool(agent);
    expect(inputSchema['~standard'].jsonSchema.input()).toMatchObject({ required: ['questions'] });
    const asking = execute({ questions: QUESTIONS }, { toolCallId: 'call_1' });
    const { interactionId } = await onlyOpen();
    const answers = { '0': 'SQLite', '1': ['Search'] };
    await person.answer(SESSION, interactionId, { answers });
    const text = await asking;
    expect(text).toContain('SQLite');
    expect(text).toContain('Search');
  });

  it('[ADP-1, QST-1] asks for own words, with a long chip, and among up to twelve options', async () => {
    const { agent, person, onlyOpen } = pair();
    const { execute } = askHumanTool(agent);
    const options = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ label: `Region ${at}`, description: '' }));
    const asked = (count: number) => ({
      question: 'Where?',
      header: 'The region of the new database',
      options: options(count),
      multiSelect: count > 0,
    });
    const asking = execute({ questions: [asked(0), asked(12)] }, { toolCallId: 'call_1' });
    const { interactionId, request } = await onlyOpen();
    expect(request.questions).toMatchObject([
      { header: 'The region of the new database', multiSelect: false },
      { options: options(12).map(({ label }) => ({ label })), multiSelect: true },
    ]);
    await person.answer(SESSION, interactionId, { answers: { '0': 'Mars', '1': ['Region 11'] } });
    expect(await asking).toContain('Mars');
    expect(await execute({ questions: [asked(13)] }, { toolCallId: 'call_2' })).toContain(
      'does not hold questions',
    );
  });

  it('[ADP-1] says what is wrong with an input that holds no questions', async () => {
    const { agent } = pair();
    const { execute } = askHumanTool(agent);
    for (const input of [undefined, 'text', {}, { questions: [{ question: 1 }] }])
      expect(await execute(input, { toolCallId: 'call_1' })).toContain('does not hold questions');
  });
});
