/**
 * What a turn reads and checks of the conversation before it. A bug here looks like a session that slows down with each
 * turn, or like a model that reads another conversation than the stored one.
 */
import { describe, expect, it } from 'vitest';
import type { AssistantContent } from '../../src/agent/message.ts';
import { AgentWorld } from '../support/agent-world.ts';
import { overrideStore } from '../support/override-store.ts';
import { answered, calls, textOutcome } from '../support/scripted-model.ts';
import { SqliteStorage } from '../support/session-storage.ts';

/** A session that counts how often its conversation is read from rows, and which blocks of answers are looked at. */
function countedWorld() {
  const storage = new SqliteStorage();
  let reads = 0;
  const agent = new AgentWorld(
    {
      open: () => {
        const store = storage.open();
        const conversation = () => {
          reads += 1;
          return store.conversation();
        };
        return overrideStore(store, { conversation });
      },
    },
    { mode: 'bypassPermissions' },
  );
  return { agent, reads: () => reads };
}

/** A text that counts each time that its letters are read. */
function countedText(onRead: () => void): AssistantContent {
  const block = { type: 'text', text: '' } as const;
  return Object.defineProperty({ ...block }, 'text', {
    enumerable: true,
    get() {
      onRead();
      return 'Well.';
    },
  });
}

describe('[RUN-11] a conversation', () => {
  it('is read from rows once, whatever its length', async () => {
    const { agent, reads } = countedWorld();
    for (let turn = 0; turn < 30; turn += 1) {
      agent.model.will(
        calls({ id: `toolu_${turn}`, name: 'List', input: {} }),
        textOutcome('Well.'),
      );
      await agent.sendMessage('Go on');
    }
    expect(agent.model.requests).toHaveLength(60);
    expect(agent.model.requests.at(-1)?.messages).toHaveLength(30 * 4 - 1);
    expect(agent.model.problems).toEqual([]);
    expect(reads()).toBe(1);
  });

  it('has each of its messages checked as often in the 5th turn as in the 50th', async () => {
    const { agent } = countedWorld();
    const looks: number[] = [];
    for (let turn = 0; turn < 50; turn += 1) {
      agent.model.will(
        answered([countedText(() => (looks[turn] = (looks[turn] ?? 0) + 1))], 'end_turn'),
      );
      await agent.sendMessage('Go on');
    }
    // The scripted model checks each request whole by itself: a look at each answer in each later turn.
    const own = looks.map((count, turn) => count - 2 * (49 - turn));
    expect(own[48]).toBe(own[4]);
  });

  it('is read once more after an eviction, and is the same', async () => {
    const { agent, reads } = countedWorld();
    agent.model.will(textOutcome('One.'), textOutcome('Two.'), textOutcome('Three.'));
    await agent.sendMessage('First');
    agent.evict();
    await agent.sendMessage('Second');
    await agent.sendMessage('Third');
    expect(reads()).toBe(2);
    const [, second, third] = agent.model.requests.map(({ messages }) => messages);
    expect(third?.slice(0, 3)).toEqual(second);
    expect(third).toEqual(agent.store.conversation().messages.slice(0, -1));
  });

  it('is what is stored after a commit that failed', async () => {
    const { agent, reads } = countedWorld();
    agent.model.will(textOutcome('One.'));
    await agent.sendMessage('First');
    agent.beforeCommit = () => {
      agent.beforeCommit = () => undefined;
      throw new Error('disk');
    };
    agent.handle({ type: 'message.send', text: 'Lost' });
    agent.model.will(textOutcome('Two.'));
    await agent.sendMessage('Second');
    expect(reads()).toBe(2);
    expect(JSON.stringify(agent.model.requests.at(-1))).not.toContain('Lost');
    expect(agent.model.problems).toEqual([]);
  });

  it('[COMPACT-2] has no gap in its numbers, by which a summary cuts it, after a commit that failed halfway', async () => {
    const storage = new SqliteStorage();
    const agent = new AgentWorld(storage);
    agent.model.will(textOutcome('One.'));
    await agent.sendMessage('First');
    // The message is written by then, and the settings are not.
    storage.damage('meta', 'UPDATE');
    expect(agent.handle({ type: 'message.send', text: 'Lost' }).ok).toBe(false);
    storage.repair();
    agent.model.will(textOutcome('Two.'));
    await agent.sendMessage('Second');
    const rows = storage.sqlite.prepare("SELECT key FROM meta WHERE key LIKE 'message/%'").all();
    expect(rows.map(({ key }) => key)).toEqual([1, 2, 3, 4].map((n) => `message/00000000${n}`));
  });

  it('begins anew after it was cleared', async () => {
    const { agent } = countedWorld();
    agent.model.will(textOutcome('One.'), textOutcome('Two.'));
    await agent.sendMessage('First');
    agent.must({ type: 'session.clear' });
    await agent.sendMessage('Second');
    expect(agent.model.requests.at(-1)?.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Second' }] },
    ]);
  });
});

describe('[RUN-12] the setting of the cache', () => {
  it.each([
    [undefined, true],
    [true, true],
    [false, false],
  ])('%s marks a request: %s', async (promptCaching, isCached) => {
    const settings = promptCaching === undefined ? {} : { promptCaching };
    const agent = new AgentWorld(new SqliteStorage(), { settings });
    agent.model.will(textOutcome('One.'));
    await agent.sendMessage('First');
    expect(agent.model.requests[0]).toMatchObject({ isCached });
  });
});
