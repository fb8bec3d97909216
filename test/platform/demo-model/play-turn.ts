/**
 * A turn with the demo model through the real SDK, as the loop plays it: call, results, call, until it ends.
 *
 * Every request is checked against the rules of the API on its way, apart from what the demo model checks itself.
 */
import { chooseNextStep } from '../../../src/agent/run/model-result.ts';
import type { ToolResultContent, ToolUseContent } from '../../../src/agent/message.ts';
import { BUILT_IN_TOOLS } from '../../../src/agent/tools/registry.ts';
import {
  appendAnswer,
  appendResults,
  appendUserText,
  type ModelConversation,
  openCalls,
} from '../../support/transcript-builders.ts';
import { findRequestProblem } from '../../../src/agent/validate-conversation.ts';
import { anthropicModel } from '../../../src/platform/anthropic/anthropic-model.ts';
import { createDemoFetch } from '../../../src/platform/demo-model/demo-fetch.ts';
import { built } from '../../agent/conversations.ts';

/** The answers of the tools, or of the person before them: a text is a success. */
export type Answerer = (call: ToolUseContent, step: number) => string | { readonly error: string };

export interface Turn {
  readonly messages: ModelConversation;
  /** In the order they were made. */
  readonly calls: readonly ToolUseContent[];
  /** The text of each answer. */
  readonly texts: readonly string[];
  readonly deltas: number;
}

export interface TurnOptions {
  readonly before?: ModelConversation;
  readonly tools?: readonly string[];
  readonly freshId?: () => string;
}

/** More than any scenario takes; a scenario that goes on beyond it would never end. */
const MAX_STEPS = 8;

export function counter(): () => string {
  let made = 0;
  return () => {
    made += 1;
    return `id_${made}`;
  };
}

export async function playTurn(
  said: string,
  answers: Answerer,
  { before = [], tools = [], freshId = counter() }: TurnOptions = {},
): Promise<Turn> {
  const model = anthropicModel({
    apiKey: 'demo',
    fetch: createDemoFetch({ paceMs: 0, freshId }),
  });
  const offered = tools.map((name) => ({
    name,
    description: name,
    inputSchema: { type: 'object' as const },
  }));
  let messages = built(appendUserText(before, said));
  const calls: ToolUseContent[] = [];
  const texts: string[] = [];
  let deltas = 0;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const problem = findRequestProblem(messages);
    if (problem !== undefined) throw new Error(problem);
    const request = {
      model: 'demo',
      messages,
      tools: [...BUILT_IN_TOOLS, ...offered],
      maxTokens: 4_000,
      isCached: true,
    };
    const outcome = await model.call(request, {
      signal: new AbortController().signal,
      onDelta: () => {
        deltas += 1;
      },
    });
    if (outcome.type !== 'answered') throw new Error(JSON.stringify(outcome));
    messages = built(appendAnswer(messages, outcome.message));
    texts.push(
      outcome.message.content.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join(''),
    );
    if (chooseNextStep(outcome.message, outcome.stopReason).next === 'end')
      return { messages, calls, texts, deltas };
    const open = openCalls(messages);
    calls.push(...open);
    const results = open.map((call) => resultOf(call, answers(call, step)));
    // Whichever settles first: the order of results is arbitrary.
    messages = built(appendResults(messages, results.toReversed()));
  }
  throw new Error(`The scenario goes on after ${MAX_STEPS} steps`);
}

function resultOf({ id }: ToolUseContent, answered: ReturnType<Answerer>): ToolResultContent {
  const isError = typeof answered !== 'string';
  const content = isError ? answered.error : answered;
  return { type: 'tool_result', toolUseId: id, content, isError };
}
