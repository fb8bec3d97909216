/**
 * `holdpoint/openai-agents`: interruptions of the OpenAI Agents SDK are decided by people.
 *
 * ```ts
 * let result = await run(agent, input);
 * while (await answerInterruptions(holdpoint, result)) result = await run(agent, result.state);
 * ```
 *
 * An approval of the SDK cannot change the arguments, so the person is not offered an edit. Over 60 lines, because the parts of
 * the SDK that it uses are written out: it is no dependency.
 */
import type { Holdpoint } from '../../client/agent/holdpoint.ts';
import {
  ASK_HUMAN,
  ASK_HUMAN_DESCRIPTION,
  askHuman,
  askHumanParameters,
  parsedInput,
  shownInput,
} from '../ask-human.ts';
import type { ToolCall } from '../../client/agent/requests.ts';
import { approveAll, type BridgeOptions, optionsOfCall } from '../fail-closed.ts';

export type { BridgeOptions } from '../fail-closed.ts';

/** The part of a `RunToolApprovalItem` that the bridge reads. */
export interface Interruption {
  readonly name?: string | undefined;
  readonly arguments?: string | undefined;
  /** Of a function, a shell, a patch, a computer or a hosted tool. */
  readonly rawItem: object;
}

/** The part of a result of `run` that the bridge uses. */
export interface InterruptedResult<Item extends Interruption> {
  readonly interruptions?: readonly Item[] | undefined;
  readonly state: {
    approve(item: Item): void;
    reject(item: Item, options: { message: string }): void;
  };
}

/** Decides every interruption in the state of the result. False if there was none: the run is over. */
export async function answerInterruptions<Item extends Interruption>(
  holdpoint: Holdpoint,
  { interruptions = [], state }: InterruptedResult<Item>,
  options: BridgeOptions = {},
): Promise<boolean> {
  const asks = interruptions.map((item) => ({ item, call: callOf(item) }));
  const asked = asks.flatMap(({ item, call }) =>
    call === undefined ? [] : [{ call, how: optionsOfCall(callIdOf(item.rawItem), options) }],
  );
  const outcomes = (await approveAll(holdpoint, asked)).values();
  for (const { item, call } of asks) {
    const outcome = call === undefined ? UNREADABLE_CALL : outcomes.next().value;
    if (outcome?.outcome === 'approved') state.approve(item);
    else state.reject(item, { message: (outcome ?? UNREADABLE_CALL).message });
  }
  return interruptions.length > 0;
}

/** The options of a `tool` with which the model asks people. */
export function askHumanOptions(holdpoint: Holdpoint, options: BridgeOptions = {}) {
  return {
    name: ASK_HUMAN,
    description: ASK_HUMAN_DESCRIPTION,
    parameters: askHumanParameters(),
    strict: true as const,
    execute: (
      input: unknown,
      _context?: unknown,
      details?: { readonly toolCall?: object | undefined },
    ): Promise<string> =>
      askHuman(holdpoint, input, optionsOfCall(callIdOf(details?.toolCall ?? {}), options)),
  };
}

const UNREADABLE_CALL = {
  outcome: 'not_asked',
  message: 'The arguments are not JSON, so nobody was asked and nothing ran.',
} as const;

/** Undefined if its arguments cannot be read. */
function callOf({ name, arguments: text, rawItem }: Interruption): ToolCall | undefined {
  const input = text === undefined ? shownInput(rawItem) : parsedInput(text);
  return input && { toolName: name ?? String(Reflect.get(rawItem, 'type')), input };
}

function callIdOf(rawItem: object): string {
  return String(Reflect.get(rawItem, 'callId') ?? Reflect.get(rawItem, 'id') ?? '');
}
