/** A bug here looks like a turn whose cost changes with a later price, or a session that forgets what its turns cost. */
import { describe, expect, it } from 'vitest';
import { textOutcome, USAGE } from '../support/scripted-model.ts';
import { world } from './agent-turn-calls.ts';

const NOTHING = { rules: [], groups: [], targetNames: {}, gateRules: [] };

describe('[DAILY-6] the cost of a turn', () => {
  it('follows the prices of the moment of its answer, and is added up in the session', async () => {
    let input = 100;
    const agent = world({
      readAudiences: () => ({ ...NOTHING, prices: [{ model: 'script', input, output: 1_000 }] }),
    });
    agent.model.will(textOutcome('One.'), textOutcome('Two.'));
    await agent.sendMessage('Go');
    input = 1_000;
    await agent.sendMessage('And on');
    const costs = agent.ofType('turn_ended').map(({ payload }) => payload.usage);
    expect(costs).toEqual([
      { ...USAGE, costUsd: 0.006 },
      { ...USAGE, costUsd: 0.015 },
    ]);
    const total = agent.session.current()?.info.usage;
    expect(total).toMatchObject({ inputTokens: 20, outputTokens: 10 });
    expect(total?.costUsd).toBeCloseTo(0.021, 9);
  });

  it('is absent without a price of its model', async () => {
    const prices = [{ model: 'another', input: 1, output: 1 }];
    const agent = world({ readAudiences: () => ({ ...NOTHING, prices }) });
    agent.model.will(textOutcome('One.'));
    await agent.sendMessage('Go');
    expect(agent.ofType('turn_ended')[0]?.payload.usage).toEqual(USAGE);
  });
});
