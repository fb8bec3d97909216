/**
 * Tools that act outside the session. A bug would look like an effect that happens twice or without permission, or a
 * turn that waits for a result that never comes.
 */
import { describe, expect, it } from 'vitest';
import { agent as program } from '../support/callers.ts';
import { calls, textOutcome } from '../support/scripted-model.ts';
import { inputSchema, MAIL, SEND, SHOOT, world, result } from './outside-tools.ts';

const FIND = { id: 'toolu_2', name: 'Lookup', input: { name: 'ada' } };

describe('an HTTP tool', () => {
  it('[RUN-8, GATE-1] is asked about by its class, and sent what was approved', async () => {
    const agent = world('acceptEdits');
    agent.model.will(calls(SEND, FIND), textOutcome('Done.'));
    await agent.sendMessage('Go');
    expect(agent.tools.calls.map(({ toolName }) => toolName)).toEqual(['Lookup']);
    await agent.answers('toolu_1~1', { decision: 'approve', updatedInput: { to: 'bob' } });
    expect(agent.tools.calls.at(-1)).toMatchObject({
      workspace: 'acme',
      sessionId: 'session-1',
      toolCallId: 'toolu_1',
      input: { to: 'bob' },
      timeoutMs: 30_000,
      isRepeat: false,
    });
    agent.tools.answer('Ada, 36');
    agent.tools.answer('Sent');
    await agent.quiet();
    expect(agent.lastResults).toMatchObject([
      { id: 'toolu_1', content: expect.stringContaining('Sent') },
      { id: 'toolu_2', content: 'Ada, 36' },
    ]);
  });

  it('[AUTH-9] is asked about with its schema, and with nothing else of its settings', async () => {
    const agent = world();
    agent.model.will(calls(SEND));
    await agent.sendMessage('Go');
    const [id = ''] = agent.openIds;
    expect(agent.record(id).request).toEqual({
      input: SEND.input,
      allowEdit: true,
      inputSchema,
      offers: ['once', 'session'],
    });
    const seen = JSON.stringify(agent.log());
    expect(seen).not.toContain(MAIL.description);
    expect(seen).not.toContain('/mail');
  });

  it('[RUN-4] is noted as started before it is sent', async () => {
    const agent = world('bypassPermissions');
    const commits: number[] = [];
    agent.beforeCommit = () => commits.push(agent.tools.calls.length);
    agent.model.will(calls(SEND));
    await agent.sendMessage('Go');
    expect(agent.tools.calls).toHaveLength(1);
    expect(commits.at(-1)).toBe(0);
  });

  it('[RUN-4, LOG-8] is not sent while that cannot be written, nor tried without a pause', async () => {
    const agent = world('bypassPermissions');
    agent.model.will(calls(SEND), textOutcome('Done.'));
    let tries = 0;
    let isBroken = true;
    agent.beforeCommit = ({ agent: change }) => {
      const begins = change?.run?.calls.some(({ status }) => status === 'started') === true;
      if (!begins || !isBroken) return;
      tries += 1;
      throw new Error('disk');
    };
    await agent.sendMessage('Go');
    expect(tries).toBe(1);
    expect(agent.tools.calls).toEqual([]);
    isBroken = false;
    await agent.pass(5_000);
    expect(agent.tools.calls).toHaveLength(1);
  });

  it('[RUN-4] that may have run is not run again without asking, in any mode', async () => {
    const agent = world('bypassPermissions');
    agent.model.will(calls(SEND), textOutcome('Done.'));
    await agent.sendMessage('Go');
    agent.restart();
    await agent.quiet();
    expect(agent.tools.calls).toHaveLength(1);
    const [id = ''] = agent.openIds;
    expect(agent.record(id).request).toMatchObject({
      input: { to: 'ada' },
      description: 'It may already have run. Run again?',
    });
    await agent.answers(id, { decision: 'approve' });
    expect(agent.tools.calls).toHaveLength(2);
    expect(agent.tools.calls[1]).toMatchObject({ isRepeat: true });
    agent.tools.answer('lost');
    agent.tools.answer('Sent');
    await agent.quiet();
    expect(agent.lastResults).toMatchObject([{ content: expect.stringContaining('second time') }]);
  });

  it('[RUN-4] and if the person denies it, the result says that it may have run', async () => {
    const agent = world();
    agent.model.will(calls(SEND), textOutcome('Done.'));
    await agent.sendMessage('Go');
    await agent.answers('toolu_1~1', { decision: 'approve' });
    agent.restart();
    await agent.quiet();
    await agent.answers('toolu_1~2', { decision: 'deny' });
    expect(agent.tools.calls).toHaveLength(1);
    expect(agent.lastResults).toMatchObject([
      { isError: true, content: expect.stringContaining('may have had its effect') },
    ]);
  });

  it('[RUN-4] is asked about each time it may have run', async () => {
    const agent = world('bypassPermissions');
    agent.model.will(calls(SEND));
    await agent.sendMessage('Go');
    for (let times = 1; times <= 3; times += 1) {
      agent.restart();
      await agent.quiet();
      expect(agent.openIds).toEqual([`toolu_1~${times}`]);
      await agent.answers(`toolu_1~${times}`, { decision: 'approve' });
      expect(agent.tools.calls).toHaveLength(times + 1);
    }
  });

  it('[RUN-4] that is idempotent is sent again, and the result says so', async () => {
    const agent = world('bypassPermissions');
    agent.model.will(calls(FIND), textOutcome('Done.'));
    await agent.sendMessage('Go');
    agent.restart();
    await agent.quiet();
    expect(agent.tools.calls.map(({ isRepeat }) => isRepeat)).toEqual([false, true]);
    agent.tools.answer('lost');
    agent.tools.answer('Ada, 36');
    await agent.quiet();
    expect(agent.lastResults).toMatchObject([
      { content: expect.stringMatching(/second time[^]*Ada/) },
    ]);
  });

  it('[RUN-6] is stopped by an interrupt; its answer is dropped', async () => {
    const agent = world('bypassPermissions');
    agent.model.will(calls(SEND));
    await agent.sendMessage('Go');
    agent.must({ type: 'turn.interrupt' });
    await agent.quiet();
    agent.tools.answer('Sent all the same');
    await agent.quiet();
    expect(agent.ofType('tool_result').map(({ payload }) => payload)).toEqual([
      { output: 'Interrupted while it ran; it may have had its effect.', isError: true },
    ]);
    agent.model.will(textOutcome('Hm.'));
    await agent.sendMessage('What now?');
    expect(agent.lastResults[0]).toMatchObject({
      content: 'Interrupted while it ran; it may have had its effect.',
    });
  });

  it('[RUN-4, LOG-8] a result that cannot be written is kept and written later, not run again', async () => {
    const agent = world('bypassPermissions');
    agent.model.will(calls(SEND), textOutcome('Done.'));
    await agent.sendMessage('Go');
    let fails = 2;
    agent.beforeCommit = (commit) => {
      const isResult = commit.events.some(({ type }) => type === 'tool_result');
      if (isResult && (fails -= 1) >= 0) throw new Error('disk');
    };
    agent.tools.answer('Sent');
    await agent.quiet();
    expect(agent.tools.calls).toHaveLength(1);
    expect(agent.lastResults).toMatchObject([{ content: 'Sent', isError: false }]);
  });

  it('[RUN-7, LOG-8] a result that can never be written is given up, and said to be', async () => {
    const agent = world('bypassPermissions');
    agent.model.will(calls(SEND), textOutcome('Done.'));
    await agent.sendMessage('Go');
    agent.beforeCommit = ({ events }) => {
      if (JSON.stringify(events).includes('Too much')) throw new Error('too large for a row');
    };
    agent.tools.answer('Too much');
    await agent.quiet();
    expect(agent.tools.calls).toHaveLength(1);
    expect(agent.lastResults).toMatchObject([
      { content: expect.stringContaining('could not be stored'), isError: true },
    ]);
  });

  it('[RUN-7, LOG-8] so is an answer: the turn ends with a clear error', async () => {
    const agent = world();
    agent.beforeCommit = ({ events }) => {
      if (JSON.stringify(events).includes('Too much')) throw new Error('too large for a row');
    };
    agent.model.will(textOutcome('Too much'));
    await agent.sendMessage('Go');
    expect(agent.ofType('error').at(-1)?.payload.code).toBe('model_too_large');
  });

  it('[RUN-7] gives at most so much back, and says how much was cut', async () => {
    const agent = world('bypassPermissions');
    agent.model.will(calls(FIND), textOutcome('Done.'));
    await agent.sendMessage('Go');
    agent.tools.answer('x'.repeat(70_000));
    await agent.quiet();
    expect(agent.lastResults).toMatchObject([
      { content: expect.stringContaining('[Cut here: 4464 more characters.]') },
    ]);
  });
});

describe('an error without a word', () => {
  it.each(['', ' \n'])(
    '[RUN-5] is given one, because the API refuses it otherwise: %j',
    async (output) => {
      const agent = world('acceptEdits');
      agent.model.will(calls(SHOOT), textOutcome('I see.'));
      await agent.sendMessage('Go');
      agent.must({ ...result('toolu_3', output), isError: true }, { caller: program() });
      await agent.quiet();
      expect(agent.lastResults).toMatchObject([{ content: 'The tool failed without a message.' }]);
      expect(agent.model.problems).toEqual([]);
    },
  );
});

describe('a process that dies', () => {
  it('[RUN-3] while the model answers: it is asked again, and its preview was never stored', async () => {
    const agent = world();
    await agent.sendMessage('Go');
    agent.restart();
    agent.model.will(textOutcome('Here I am.'));
    await agent.quiet();
    expect(agent.ofType('assistant_text')).toHaveLength(1);
    expect(agent.types().at(-1)).toBe('turn_ended');
  });

  it('[RUN-3] without a request the alarm resumes the turn', async () => {
    const agent = world();
    await agent.sendMessage('Go');
    expect(agent.alarm.armedAt).toBeLessThanOrEqual(agent.now + 5_000);
    agent.restart();
    agent.model.will(textOutcome('Here I am.'));
    await agent.pass(5_000);
    expect(agent.types().at(-1)).toBe('turn_ended');
  });

  it('[RUN-3] again and again in the same answer: the turn ends with a clear error', async () => {
    const agent = world();
    await agent.sendMessage('Go');
    for (let times = 0; times < 12; times += 1) {
      agent.restart();
      await agent.quiet();
    }
    expect(agent.ofType('error').at(-1)?.payload.code).toBe('model_lost');
    expect(agent.state?.info.turn).toBeNull();
  });

  it('[RUN-3] right after an answer of a person: the answer counts, and no person is asked twice', async () => {
    const agent = world();
    agent.model.will(calls(SEND));
    await agent.sendMessage('Go');
    agent.must({
      type: 'interaction.answer',
      target: { interactionId: 'toolu_1~1' },
      answer: { decision: 'approve' },
    });
    agent.restart();
    await agent.quiet();
    expect(agent.tools.calls).toHaveLength(1);
    expect(agent.openIds).toEqual([]);
    expect(agent.ofType('interaction_request')).toHaveLength(1);
  });
});
