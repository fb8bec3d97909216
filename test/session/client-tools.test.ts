/** Tools of clients, and tools that ask a person themselves. A bug would look like a turn that waits for a result that never comes. */
import { describe, expect, it } from 'vitest';
import { AgentWorld } from '../support/agent-world.ts';
import { agent as program, person } from '../support/callers.ts';
import { calls, textOutcome } from '../support/scripted-model.ts';
import { SEND, SHOOT, world, result } from './outside-tools.ts';

describe('a tool that asks a person itself', () => {
  const questions = [
    { header: 'A', question: 'Which?', options: [{ label: 'X' }, { label: 'Y' }] },
  ];

  async function asking(toolCallId: string, detached = false): Promise<AgentWorld> {
    const agent = world('bypassPermissions');
    agent.model.will(calls(SEND), textOutcome('Done.'));
    await agent.sendMessage('Go');
    const turnId = agent.state?.info.turn?.turnId ?? '';
    const common = { kind: 'question', toolCallId, toolName: 'SendMail', turnId, detached };
    agent.must({ type: 'interaction.open', common, request: { questions } }, { caller: program() });
    return agent;
  }

  it('[APR-5] and does not wait: its result ends the question', async () => {
    const agent = await asking('toolu_1');
    agent.tools.answer('Sent');
    await agent.quiet();
    expect(agent.record('toolu_1~1')).toMatchObject({
      outcome: 'cancelled',
      reason: 'Tool call finished',
    });
    expect(agent.lastResults).toMatchObject([{ content: 'Sent', isError: false }]);
  });

  it('[RUN-1, PEND-9] under another name: the end of the turn ends it, unless it is detached', async () => {
    for (const detached of [false, true]) {
      const agent = await asking('sub_1', detached);
      agent.tools.answer('Sent');
      await agent.quiet();
      expect(agent.types().at(-1)).toBe('turn_ended');
      expect(agent.openIds).toEqual(detached ? ['sub_1~1'] : []);
    }
  });

  it('[RUN-4] when the server stops: the result says that it may have run', async () => {
    const agent = await asking('toolu_1');
    agent.restart();
    await agent.quiet();
    expect(agent.tools.calls).toHaveLength(1);
    expect(agent.openIds).toEqual([]);
    expect(agent.lastResults).toMatchObject([
      { isError: true, content: expect.stringContaining('it may have had its effect') },
    ]);
  });
});

describe('a client tool', () => {
  it('[RUN-8] waits for its result without keeping anything awake', async () => {
    const agent = world('acceptEdits');
    agent.model.will(calls(SHOOT));
    await agent.sendMessage('Go');
    expect(agent.ofType('tool_call').at(-1)?.payload).toMatchObject({ runBy: 'client' });
    await agent.pass(50_000);
    agent.evict();
    agent.model.will(textOutcome('Nice.'));
    expect(agent.handle(result('toolu_3'), { caller: program() })).toMatchObject({ ok: true });
    await agent.quiet();
    expect(agent.lastResults).toMatchObject([{ id: 'toolu_3', content: 'A picture' }]);
  });

  it('[RUN-8] is over when its time is up, and a late result is refused', async () => {
    const agent = world('acceptEdits');
    agent.model.will(calls(SHOOT), textOutcome('A pity.'));
    await agent.sendMessage('Go');
    await agent.pass(60_000);
    expect(agent.lastResults).toMatchObject([
      { content: 'No result came in time.', isError: true },
    ]);
    expect(agent.handle(result('toolu_3'), { caller: program() })).toMatchObject({
      code: 'not_found',
    });
  });

  it('[RUN-8, AUTH-6] takes no result before it is allowed, twice, or from a caller without the right', async () => {
    const agent = world();
    agent.model.will(calls(SHOOT, { ...SHOOT, id: 'toolu_4' }));
    await agent.sendMessage('Go');
    expect(agent.handle(result('toolu_3'), { caller: program() })).toMatchObject({
      code: 'not_waiting',
      details: { status: 'asking' },
    });
    await agent.answers('toolu_3~1', { decision: 'approve' });
    expect(agent.handle(result('toolu_3'), { caller: person() })).toMatchObject({
      code: 'forbidden',
    });
    agent.must(result('toolu_3'), { caller: program() });
    expect(agent.handle(result('toolu_3'), { caller: program() })).toMatchObject({
      code: 'not_waiting',
      details: { status: 'done' },
    });
  });
});
