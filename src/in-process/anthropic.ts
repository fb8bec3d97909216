/** `holdpoint/in-process/anthropic`: models for the built-in agent of sessions in this process. */
import { agentModel } from '../platform/agent-model.ts';
import type { AgentModel } from './options.ts';

export interface AnthropicOptions {
  readonly apiKey: string;
  /** The address of a gateway; left out, the API itself. */
  readonly baseURL?: string;
  /** For sessions that name no model themselves. */
  readonly model?: string;
}

/**
 * ```ts
 * const host = new InProcessHost({ model: anthropic({ apiKey }) });
 * ```
 */
export function anthropic({ apiKey, baseURL, model }: AnthropicOptions): AgentModel {
  return requireModel(agentModel({ apiKey, baseURL, name: model, isDemo: false }));
}

/** The scripted model of the demo: it needs no key and no network, and asks for every sort of request. */
export function demoModel(): AgentModel {
  return requireModel(agentModel({ isDemo: true }));
}

function requireModel(model: AgentModel | undefined): AgentModel {
  if (model === undefined) throw new Error('A model needs an API key');
  return model;
}
