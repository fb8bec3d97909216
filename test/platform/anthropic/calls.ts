/** A call of the real adapter to a scripted Messages API, and the events and outcome of the call. */
import { onTestFinished } from 'vitest';
import type { ModelDelta, ModelOutcome, ModelRequest } from '../../../src/agent/model.ts';
import {
  type AnthropicModelOptions,
  anthropicModel,
} from '../../../src/platform/anthropic/anthropic-model.ts';
import { type MessagesApi, startMessagesApi } from '../../support/messages-api/messages-api.ts';
import type { Reply } from '../../support/messages-api/reply.ts';

export const API_KEY = 'sk-test-secret-of-the-model';

export const REQUEST: ModelRequest = {
  model: 'claude-sonnet-5-5',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  maxTokens: 1_000,
  isCached: true,
};

export interface Heard {
  readonly outcome: ModelOutcome;
  readonly deltas: readonly ModelDelta[];
  readonly api: MessagesApi;
}

export interface Overrides extends Partial<AnthropicModelOptions> {
  readonly request?: ModelRequest;
  readonly signal?: AbortSignal;
  readonly onDelta?: (delta: ModelDelta) => void;
}

export async function callWith(reply: Reply, overrides: Overrides = {}): Promise<Heard> {
  const api = await startMessagesApi([reply]);
  onTestFinished(() => api.stop());
  const {
    request = REQUEST,
    signal = new AbortController().signal,
    onDelta,
    ...options
  } = overrides;
  const model = anthropicModel({ apiKey: API_KEY, baseURL: api.url, ...options });
  const deltas: ModelDelta[] = [];
  const outcome = await model.call(request, {
    signal,
    onDelta(delta) {
      deltas.push(delta);
      onDelta?.(delta);
    },
  });
  return { outcome, deltas, api };
}
