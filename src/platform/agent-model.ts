/**
 * The model of the built-in agents of a deployment: a model over the network, the demo model, or none.
 *
 * The demo model uses the same adapter and the same SDK, with another `fetch`. Both are loaded by the first turn: the
 * turn runner waits for its model anyway, and repeats a step that failed.
 */
import type { Model } from '../agent/model.ts';
import type { AgentPorts } from '../session/ports.ts';
import { loadLater } from './load-later.ts';

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
  const name = modelName(settings);
  if (name === undefined) return undefined;
  const model = loadLater(() => loadModel(settings));
  return { name, port: { call: async (request, call) => (await model()).call(request, call) } };
}

async function loadModel({ apiKey, baseURL }: ModelSettings): Promise<Model> {
  const { anthropicModel } = await import('./anthropic/anthropic-model.ts');
  if (apiKey !== undefined) {
    return anthropicModel({ apiKey, ...(baseURL !== undefined && { baseURL }) });
  }
  const { demoFetch } = await import('./demo-model/demo-fetch.ts');
  return anthropicModel({ apiKey: DEMO, fetch: demoFetch });
}
