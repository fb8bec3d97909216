/**
 * The model of the built-in agents of a deployment: a model over the network, the demo model, or none.
 *
 * The demo model uses the same adapter and the same SDK, with another `fetch`.
 */
import type { AgentPorts } from '../session/ports.ts';
import { anthropicModel } from './anthropic/anthropic-model.ts';
import { demoFetch } from './demo-model/demo-fetch.ts';

export interface ModelSettings {
  readonly apiKey?: string | undefined;
  readonly baseURL?: string | undefined;
  readonly name?: string | undefined;
  readonly isDemo: boolean;
}

const DEMO = 'demo';
const DEFAULT_MODEL = 'claude-sonnet-5-5';

/** Shown by `GET /health`; holds no secret. */
export function modelName({ apiKey, name, isDemo }: ModelSettings): string | undefined {
  if (apiKey !== undefined) return name ?? DEFAULT_MODEL;
  return isDemo ? DEMO : undefined;
}

export function agentModel(settings: ModelSettings): AgentPorts['model'] {
  const { apiKey, baseURL } = settings;
  const name = modelName(settings);
  if (name === undefined) return undefined;
  const port =
    apiKey === undefined
      ? anthropicModel({ apiKey: DEMO, fetch: demoFetch })
      : anthropicModel({ apiKey, ...(baseURL !== undefined && { baseURL }) });
  return { port, name };
}
