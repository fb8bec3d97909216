/**
 * Which model the built-in agent of a deployment has: one over the network, a rehearsal, or none.
 *
 * The rehearsal is no second way of running: the same adapter and the same SDK are given another `fetch`.
 */
import type { AgentPorts } from '../session/ports.ts';
import { anthropicModel } from './anthropic/anthropic-model.ts';
import { rehearsalFetch } from './rehearsal/rehearsal-fetch.ts';

export interface ModelSettings {
  readonly apiKey?: string | undefined;
  readonly baseURL?: string | undefined;
  readonly name?: string | undefined;
  readonly isRehearsal: boolean;
}

const REHEARSAL = 'rehearsal';
const DEFAULT_MODEL = 'claude-sonnet-5-5';

/** What `GET /health` says of it; nothing secret. */
export function modelName({ apiKey, name, isRehearsal }: ModelSettings): string | undefined {
  if (apiKey !== undefined) return name ?? DEFAULT_MODEL;
  return isRehearsal ? REHEARSAL : undefined;
}

export function agentModel(settings: ModelSettings): AgentPorts['model'] {
  const { apiKey, baseURL } = settings;
  const name = modelName(settings);
  if (name === undefined) return undefined;
  const port =
    apiKey === undefined
      ? anthropicModel({ apiKey: REHEARSAL, fetch: rehearsalFetch })
      : anthropicModel({ apiKey, ...(baseURL !== undefined && { baseURL }) });
  return { port, name };
}
