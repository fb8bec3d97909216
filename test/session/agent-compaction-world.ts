/** A session of the built-in agent whose conversation has reached its share of a small window. */
import type { ModelOutcome } from '../../src/agent/model.ts';
import type { AgentSettings } from '../../src/protocol/schema/agent-settings.ts';
import { AgentWorld } from '../support/agent-world.ts';
import { textOutcome, USAGE } from '../support/scripted-model.ts';
import { SqliteStorage } from '../support/session-storage.ts';

export const SETTINGS: AgentSettings = { contextTokens: 10_000, compactAtPercent: 50 };

/** An answer after which the conversation has so many tokens. */
export function filling(
  tokens: number,
  outcome: ModelOutcome = textOutcome('Well.'),
): ModelOutcome {
  if (outcome.type !== 'answered') return outcome;
  return { ...outcome, usage: { ...USAGE, inputTokens: tokens - 5 } };
}

export function world(beginning: ConstructorParameters<typeof AgentWorld>[1] = {}): AgentWorld {
  return new AgentWorld(new SqliteStorage(), { settings: SETTINGS, ...beginning });
}

/** A session of five turns whose conversation has reached its share of the window. */
export async function full(beginning: ConstructorParameters<typeof AgentWorld>[1] = {}) {
  const agent = world(beginning);
  for (let turn = 1; turn <= 5; turn += 1) {
    agent.model.will(filling(turn < 5 ? 1_000 : 6_000, textOutcome(`Answer ${turn}`)));
    await agent.sendMessage(`Question ${turn} ${'word '.repeat(500)}`);
  }
  return agent;
}

export const lastRequest = (agent: AgentWorld) => agent.model.requests.at(-1);
export const textOf = (value: unknown) => JSON.stringify(value);
