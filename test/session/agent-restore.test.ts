/**
 * What people do about a summary: they take it back, or stop the agent while the model writes one. A bug here looks like an
 * agent that has forgotten what its person sees, or half a summary that passes for an answer.
 */
import { describe, expect, it } from 'vitest';
import { person } from '../support/callers.ts';
import { textOutcome } from '../support/scripted-model.ts';
import { filling, full, lastRequest, textOf } from './agent-compaction-world.ts';

describe('[COMPACT-6] a person who takes a summary back', () => {
  const compacted = async () => {
    const agent = await full();
    agent.model.will(textOutcome('Summary 1'), filling(1_000));
    await agent.sendMessage('Question 6');
    return { agent, seq: agent.ofType('conversation_compacted')[0]?.seq ?? 0 };
  };

  it('gives the model the whole conversation again, and no new summary at once', async () => {
    const { agent, seq } = await compacted();
    expect(agent.session.current()?.info.compaction?.summaries).toEqual([seq]);
    agent.must({ type: 'conversation.restore', seq });
    expect(agent.ofType('conversation_restored')[0]?.payload).toMatchObject({
      compactedSeq: seq,
      by: { subject: person().subject },
    });
    agent.model.will(filling(6_500));
    await agent.sendMessage('Question 7');
    const texts = textOf(lastRequest(agent)?.messages);
    for (const words of ['Question 1', 'Question 6', 'Question 7']) expect(texts).toContain(words);
    expect(texts).not.toContain('Summary 1');
    expect(agent.ofType('conversation_compacted')).toHaveLength(1);
    expect(agent.model.problems).toEqual([]);
    // At the very end of the window there is no other way.
    agent.model.will(filling(9_800), textOutcome('Summary 2'), filling(1_000));
    await agent.sendMessage('Question 8');
    await agent.sendMessage('Question 9');
    expect(agent.ofType('conversation_compacted')).toHaveLength(2);
    expect(agent.session.current()).toEqual(agent.folded());
  });

  it('takes back the last of several first, and comes to the one before it', async () => {
    const { agent, seq } = await compacted();
    agent.model.will(filling(6_000), textOutcome('Summary 2'), filling(1_000));
    await agent.sendMessage('Question 7');
    await agent.sendMessage('Question 8');
    const last = agent.ofType('conversation_compacted').at(-1)?.seq ?? 0;
    expect(agent.handle({ type: 'conversation.restore', seq })).toMatchObject({
      code: 'not_restorable',
      details: { because: 'not_last', last },
    });
    agent.must({ type: 'conversation.restore', seq: last });
    agent.model.will(filling(1_000));
    await agent.sendMessage('Question 9');
    expect(textOf(lastRequest(agent)?.messages)).toContain('Summary 1');
    agent.must({ type: 'conversation.restore', seq });
    expect(agent.handle({ type: 'conversation.restore', seq })).toMatchObject({
      details: { because: 'no_summary' },
    });
  });

  it('is refused while a turn runs, and after the conversation was cleared', async () => {
    const { agent, seq } = await compacted();
    await agent.sendMessage('Question 7');
    expect(agent.handle({ type: 'conversation.restore', seq })).toMatchObject({
      code: 'not_restorable',
      details: { because: 'turn_runs' },
    });
    agent.must({ type: 'session.clear' });
    expect(agent.handle({ type: 'conversation.restore', seq })).toMatchObject({
      details: { because: 'no_summary' },
    });
    expect(agent.session.current()?.info.compaction).toBeUndefined();
    expect(agent.store.conversation()).toEqual({ messages: [] });
    agent.model.will(textOutcome('New'));
    await agent.sendMessage('Hello again');
    expect(lastRequest(agent)?.messages).toHaveLength(1);
  });

  it('needs the right to write', async () => {
    const { agent, seq } = await compacted();
    const caller = { ...person(), scopes: ['read', 'answer'] as const };
    expect(agent.handle({ type: 'conversation.restore', seq }, { caller })).toMatchObject({
      code: 'forbidden',
    });
  });
});

describe('[COMPACT-7] a stop while the model writes a summary', () => {
  it.each(['turn.interrupt', 'session.clear', 'session.delete'] as const)(
    '%s drops it, and keeps none of it as an answer',
    async (type) => {
      const agent = await full();
      agent.model.will({ deltas: [{ type: 'text', block: 0, text: 'Half a summ' }] });
      await agent.sendMessage('Question 6');
      agent.must({ type });
      await agent.quiet();
      expect(agent.model.aborted).toBe(1);
      agent.model.will(textOutcome('Late summary'));
      await agent.quiet();
      expect(agent.ofType('conversation_compacted')).toEqual([]);
      expect(textOf(agent.log())).not.toContain('Half a summ');
    },
  );
});
