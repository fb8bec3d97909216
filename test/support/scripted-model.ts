/**
 * A model that returns the outcomes of a test, one per call, and keeps its requests.
 *
 * Without an outcome the model does not answer until the test gives one. Every request must be valid for the API: a
 * conversation that breaks a rule fails the test, whatever the outcome.
 */
import type { AssistantContent } from '../../src/agent/message.ts';
import type {
  Model,
  ModelCall,
  ModelDelta,
  ModelFailed,
  ModelOutcome,
  ModelRequest,
  StopReason,
} from '../../src/agent/model.ts';
import { findRequestProblem } from '../../src/agent/validate-conversation.ts';
import type { JsonObject } from '../../src/protocol/json.ts';

/** Deltas without an outcome: the model is in the middle of its answer until the test gives an outcome. */
export type Script =
  | ModelOutcome
  | { readonly deltas: readonly ModelDelta[]; readonly ending?: ModelOutcome };

export class ScriptedModel implements Model {
  readonly requests: ModelRequest[] = [];
  readonly problems: string[] = [];
  aborted = 0;
  #script: Script[] = [];
  #waiting: (() => void)[] = [];

  /** The next outcomes, in this order. */
  will(...script: readonly Script[]): this {
    this.#script.push(...script);
    for (const go of this.#waiting.splice(0)) go();
    return this;
  }

  get isWaitedFor(): boolean {
    return this.#waiting.length > 0;
  }

  /** The waiting process has ended, and receives no outcome. */
  abandon(): void {
    this.#waiting = [];
  }

  async call(request: ModelRequest, { signal, onDelta }: ModelCall): Promise<ModelOutcome> {
    this.requests.push(structuredClone(request));
    const problem = findRequestProblem(request.messages);
    if (problem !== undefined) this.problems.push(problem);
    for (;;) {
      while (this.#script.length === 0 && !signal.aborted) await this.#next(signal);
      if (signal.aborted) {
        this.aborted += 1;
        return { type: 'aborted' };
      }
      const next = this.#script.shift() as Script;
      if ('type' in next) return next;
      for (const delta of next.deltas) onDelta?.(delta);
      if (next.ending !== undefined) return next.ending;
    }
  }

  #next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

export const USAGE = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 };

export function answered(
  content: readonly AssistantContent[],
  stopReason: StopReason = 'end_turn',
): ModelOutcome {
  return {
    type: 'answered',
    message: { role: 'assistant', content },
    stopReason,
    usage: USAGE,
    leftOut: [],
  };
}

export function textOutcome(text: string): ModelOutcome {
  return answered([{ type: 'text', text }]);
}

export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly inputProblem?: string;
}

export function calls(...uses: readonly ScriptedCall[]): ModelOutcome {
  return answered(
    uses.map((use) => ({ type: 'tool_use', ...use })),
    'tool_use',
  );
}

export function fails(changes: Partial<ModelFailed> = {}): ModelOutcome {
  return {
    type: 'failed',
    reason: 'overloaded',
    retry: 'later',
    message: 'The model is overloaded.',
    ...changes,
  };
}
