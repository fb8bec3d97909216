/** The plan of a built-in agent: from plan mode into the work, with or without the earlier conversation. */
import { describe, expect, it } from 'vitest';
import { AgentWorld } from '../support/agent-world.ts';
import { calls, textOutcome } from '../support/scripted-model.ts';
import { SqliteStorage } from '../support/session-storage.ts';

const PLAN = '1. Look.\n2. Leap.';
const EXIT = { id: 'toolu_1', name: 'ExitPlanMode', input: { plan: PLAN } };
const ASK = {
  id: 'toolu_2',
  name: 'AskUserQuestion',
  input: {
    questions: [{ header: 'A', question: 'Which?', options: [{ label: 'X' }, { label: 'Y' }] }],
  },
};

function world(mode: 'plan' | 'default' = 'plan'): AgentWorld {
  return new AgentWorld(new SqliteStorage(), { mode });
}

describe('a plan', () => {
  it('[PLN-7] outside plan mode is refused without asking anybody', async () => {
    const agent = world('default');
    agent.model.will(calls(EXIT), textOutcome('Right.'));
    await agent.sendMessage('Go');
    expect(agent.openIds).toEqual([]);
    expect(agent.lastResults).toMatchObject([{ isError: true }]);
  });

  it('[PLN-2] approved with its context goes on in the same turn, and edits are let through', async () => {
    const agent = world();
    agent.model.will(calls(EXIT), textOutcome('Off we go.'));
    await agent.sendMessage('Plan it');
    await agent.answers('toolu_1~1', { decision: 'edit' });
    expect(agent.state?.info.permissionMode).toBe('acceptEdits');
    expect(agent.ofType('turn_started')).toHaveLength(1);
    expect(agent.lastResults).toMatchObject([{ id: 'toolu_1', isError: false }]);
  });

  it.each([
    ['clean_edit', 'acceptEdits'],
    ['default', 'default'],
  ])(
    '[PLN-6] %s: a new turn knows the plan alone, in the commit of the decision',
    async (decision, mode) => {
      const agent = world();
      agent.model.will(calls(EXIT, ASK));
      await agent.sendMessage('Plan it');
      const head = agent.state?.head ?? 0;
      const before = agent.trace.filter((what) => what === 'commit').length;
      agent.must({
        type: 'interaction.answer',
        target: { interactionId: 'toolu_1~1' },
        answer: { decision },
      });
      expect(agent.trace.filter((what) => what === 'commit')).toHaveLength(before + 1);
      expect(agent.types(head)).toEqual([
        'interaction_response',
        'session_updated',
        'tool_result',
        'interaction_response',
        'tool_result',
        'turn_ended',
        'context_cleared',
        'turn_started',
        'user_message',
      ]);
      expect(agent.openIds).toEqual([]);
      agent.model.will(textOutcome('Looking.'));
      await agent.quiet();
      expect(agent.model.requests).toHaveLength(2);
      expect(agent.model.requests[1]?.messages).toEqual([
        { role: 'user', content: [{ type: 'text', text: expect.stringContaining(PLAN) }] },
      ]);
      expect(agent.state?.info.permissionMode).toBe(mode);
      expect(agent.model.problems).toEqual([]);
    },
  );

  it('[PLN-6] queued messages are kept for the new turn', async () => {
    const agent = world();
    agent.model.will(calls(EXIT, ASK));
    await agent.sendMessage('Plan it');
    agent.must({
      type: 'interaction.answer',
      target: { interactionId: 'toolu_2~1' },
      answer: { answers: { '0': 'X' } },
    });
    // A plan review takes text as its answer, so only a caller without that right can queue a message.
    agent.handle(
      { type: 'message.send', text: 'And sing' },
      { caller: { credential: 'c', subject: 'sam', via: 'api', scopes: ['send'] } },
    );
    agent.model.will(textOutcome('Done.'), textOutcome('La la.'));
    await agent.answers('toolu_1~1', { decision: 'clean_edit' });
    expect(agent.ofType('user_message').at(-1)?.payload.text).toBe('And sing');
    expect(agent.state?.info.queued).toEqual([]);
  });

  it('[PLN-3, PLN-4, PLN-7] feedback reaches this review alone, and the mode stays', async () => {
    const agent = world();
    agent.model.will(calls(EXIT), calls({ ...EXIT, id: 'toolu_9' }), textOutcome('Thanks.'));
    await agent.sendMessage('Plan it');
    await agent.sendMessage('Shorter, please');
    expect(agent.lastResults).toEqual([
      { id: 'toolu_1', content: 'Shorter, please', isError: true },
    ]);
    expect(agent.state?.info.permissionMode).toBe('plan');
    await agent.answers('toolu_9~1', { decision: 'edit' });
    expect(JSON.stringify(agent.lastResults)).not.toContain('Shorter');
  });

  it('[PLN-1] without a text is the newest file under plans/', async () => {
    const agent = world();
    const write = (id: string, path: string, content: string) =>
      calls({ id, name: 'Write', input: { path, content } });
    agent.model.will(write('toolu_3', 'plans/b.md', 'Old'));
    await agent.sendMessage('Plan it');
    agent.now += 1;
    agent.model.will(write('toolu_4', 'plans/a.md', PLAN));
    await agent.quiet();
    agent.model.will(calls({ ...EXIT, input: { plan: ' ' } }));
    await agent.quiet();
    expect(agent.record('toolu_1~1').request).toEqual({ plan: PLAN });
  });
});
