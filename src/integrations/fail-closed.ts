/**
 * What the bridges to other conventions share: the options of their questions, and the rule that a question which could
 * not be asked allows nothing (GATE-4).
 */
import type { Holdpoint } from '../client/agent/holdpoint.ts';
import type { ApprovalOutcome, NotAllowed } from '../client/agent/outcomes.ts';
import type { AskOptions, ToolCall } from '../client/agent/requests.ts';
import { describeNotAsked } from '../client/agent/not-asked.ts';

export type BridgeOptions = Pick<
  AskOptions,
  | 'timeoutSeconds'
  | 'defaultTimeoutSeconds'
  | 'giveUpAfterSeconds'
  | 'giveUpOpenAfterSeconds'
  | 'audience'
  | 'remindAfter'
  | 'escalateAfter'
  | 'escalateTo'
  | 'quorum'
  | 'notRequester'
  | 'signal'
  | 'onOpened'
>;

/** No person could be asked, or the reply was not about this question. */
export interface NotAsked {
  readonly outcome: 'not_asked';
  /** For the model. */
  readonly message: string;
  readonly cause: unknown;
}

/** The options of one question. A cancelled or expired question is opened again: the agent asks anew. */
export function optionsOfCall(id: string, options: BridgeOptions): AskOptions {
  return {
    reopen: true,
    ...options,
    // An empty text names no call.
    toolCallId: id === '' ? undefined : id,
  };
}

/** Every failure becomes a value that allows nothing: an exception in a callback of a framework may run the tool. */
export async function orNotAsked<Outcome>(
  asking: () => Promise<Outcome>,
): Promise<Outcome | NotAsked> {
  try {
    return await asking();
  } catch (cause) {
    return notAsked(cause);
  }
}

/** Parallel calls of one agent, opened in one request. */
export async function approveAll(
  holdpoint: Holdpoint,
  calls: readonly { readonly call: ToolCall; readonly how: AskOptions }[],
): Promise<readonly (ApprovalOutcome | NotAsked)[]> {
  const asks = calls.map(({ call, how }) => ({
    request: { kind: 'approval' as const, ...call },
    how,
  }));
  const results = await holdpoint.askAll(asks);
  return results.map((one) => (one.status === 'fulfilled' ? one.value : notAsked(one.reason)));
}

function notAsked(cause: unknown): NotAsked {
  return { outcome: 'not_asked', message: describeNotAsked(cause), cause };
}

/** Of an elicitation. To accept a link means that a person opened it; the agent follows the rest. */
export function actionOf({
  outcome,
}: {
  readonly outcome: string;
}): 'accept' | 'decline' | 'cancel' {
  if (outcome === 'answered') return 'accept';
  return outcome === 'denied' ? 'decline' : 'cancel';
}

export type Refused = NotAllowed | NotAsked;
