/**
 * Files of people in a turn of the built-in agent. A bug here looks like a model that never sees the picture of an answer, or
 * like a conversation that ends with one broken picture.
 */
import { describe, expect, it } from 'vitest';
import { admin, person } from '../support/callers.ts';
import { AgentWorld } from '../support/agent-world.ts';
import { attachPicture, attachSample, pngBytes } from '../support/sample-files.ts';
import { calls, fails, textOutcome } from '../support/scripted-model.ts';
import { SqliteStorage } from '../support/session-storage.ts';

const WRITE = { id: 'toolu_1', name: 'Write', input: { path: 'a.md', content: 'Hello' } };
const PLAN = { id: 'toolu_2', name: 'ExitPlanMode', input: { plan: '1. Look' } };
const ASK = {
  id: 'toolu_3',
  name: 'AskUserQuestion',
  input: {
    questions: [
      { header: 'Color', question: 'Which color?', options: [{ label: 'Red' }, { label: 'Blue' }] },
    ],
  },
};
const IMAGE = {
  type: 'image',
  mediaType: 'image/png',
  data: Buffer.from(pngBytes()).toString('base64'),
};

const begin = (mode?: 'plan') => new AgentWorld(new SqliteStorage(), mode && { mode });
const BESIDE = { ...ASK, id: 'toolu_9' };
const lastContent = (agent: AgentWorld) => agent.model.requests.at(-1)?.messages.at(-1)?.content;

async function say(agent: AgentWorld, text: string, ids: string[]) {
  const command = { type: 'message.send', text, attachments: ids } as const;
  agent.must(command, { caller: person() });
  await agent.quiet();
}

describe('[ATT-6] the built-in agent', () => {
  it('sees a picture and reads a text after the message, and stores neither with it', async () => {
    const agent = begin();
    const [picture, note] = [attachPicture(agent), attachSample(agent)];
    agent.model.will(textOutcome('A picture.'), textOutcome('Yes.'));
    await say(agent, 'What is this?', [picture.attachmentId, note.attachmentId]);
    expect(lastContent(agent)).toMatchObject([
      { type: 'text', text: 'What is this?' },
      { type: 'text', text: expect.stringContaining('screen.png') },
      IMAGE,
      { type: 'text', text: expect.stringContaining('Mind the step.') },
    ]);
    expect(JSON.stringify(agent.store.conversation())).not.toContain(IMAGE.data);
    await agent.sendMessage('Sure?');
    const [first, second] = agent.model.requests.map(({ messages }) => messages[0]);
    expect(second).toEqual(first);
    expect(agent.model.problems).toEqual([]);
  });

  it.each([
    ['answers', ASK, { answers: { '0': 'Blue' } }, 'Which color?: ["Blue"]'],
    ['a denial', WRITE, { decision: 'deny', reason: 'See' }, 'Reason: See'],
    ['an approval', WRITE, { decision: 'approve' }, 'a.md'],
    ['an approved plan', PLAN, { decision: 'edit' }, 'approved the plan'],
  ])('sees the files of %s behind the results', async (_, call, answer, result) => {
    const agent = begin(call === PLAN ? 'plan' : undefined);
    agent.model.will(calls(call, BESIDE), textOutcome('Done.'));
    await agent.sendMessage('Go');
    const picture = attachPicture(agent);
    const ids = [picture.attachmentId];
    await agent.answers(`${call.id}~1`, { ...answer, attachments: ids });
    await agent.answers('toolu_9~1', { answers: { '0': 'Red' } });
    expect(lastContent(agent)).toMatchObject([
      { type: 'tool_result', toolUseId: call.id, content: expect.stringContaining(result) },
      { type: 'tool_result', toolUseId: 'toolu_9' },
      { type: 'text', text: expect.stringContaining('screen.png') },
      IMAGE,
    ]);
    expect(agent.model.problems).toEqual([]);
  });

  it('sees the files of a plan that begins with a clear context', async () => {
    const agent = begin('plan');
    agent.model.will(calls(PLAN), textOutcome('Done.'));
    await agent.sendMessage('Go');
    const { attachmentId } = attachPicture(agent);
    await agent.answers('toolu_2~1', { decision: 'clean_edit', attachments: [attachmentId] });
    expect(agent.model.requests.at(-1)?.messages).toHaveLength(1);
    expect(lastContent(agent)?.at(-1)).toEqual(IMAGE);
    expect(agent.ofType('user_message').at(-1)?.payload).toMatchObject({
      attachments: [{ attachmentId }],
    });
    expect(agent.model.problems).toEqual([]);
  });

  it('gets the files of a queued message with it', async () => {
    const agent = begin();
    agent.model.will(calls(WRITE));
    await agent.sendMessage('Go');
    const { attachmentId } = attachPicture(agent);
    await say(agent, 'And this', [attachmentId]);
    agent.model.will(textOutcome('Done.'));
    await agent.answers('toolu_1~1', { decision: 'approve' });
    expect(lastContent(agent)?.map(({ type }) => type)).toEqual([
      'tool_result',
      'text',
      'text',
      'image',
    ]);
    expect(agent.model.problems).toEqual([]);
  });

  it('goes on without pictures where the service refuses one, and only then', async () => {
    const agent = begin();
    const refused = fails({ reason: 'invalid_request', retry: 'never' });
    agent.model.will(refused, textOutcome('I see no picture.'));
    const { attachmentId } = attachPicture(agent);
    await say(agent, 'Look', [attachmentId]);
    expect(agent.model.requests).toHaveLength(2);
    expect(JSON.stringify(lastContent(agent))).toContain('the model service refused it');
    expect(JSON.stringify(lastContent(agent))).not.toContain(IMAGE.data);
    expect(agent.ofType('turn_ended').at(-1)?.payload.reason).toBe('completed');
    const plain = begin();
    plain.model.will(refused);
    await plain.sendMessage('Hello');
    expect(plain.model.requests).toHaveLength(1);
    expect(plain.ofType('turn_ended').at(-1)?.payload.reason).toBe('error');
  });

  it('has a whole conversation after its process has ended', async () => {
    const agent = begin();
    const { attachmentId } = attachPicture(agent);
    await say(agent, 'Look', [attachmentId]);
    agent.restart();
    agent.model.will(textOutcome('A picture.'));
    await agent.quiet();
    await agent.fire();
    await agent.quiet();
    expect(lastContent(agent)?.at(-1)).toEqual(IMAGE);
    agent.must({ type: 'session.clear' }, { caller: admin() });
  });
});
