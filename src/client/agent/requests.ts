/** What an agent asks, and how it wants to be told. */
import type { AnswersByIndex } from '../transport.ts';
import type { Interaction } from '../../protocol/types.ts';
import type { RetryLimits } from './retry-until.ts';

export interface Question {
  /** A chip of 1 to 12 characters. */
  readonly header: string;
  readonly question: string;
  /** 2 to 4; a person can always answer in other words. */
  readonly options: readonly {
    readonly label: string;
    readonly description?: string | undefined;
    readonly preview?: string | undefined;
  }[];
  readonly multiSelect?: boolean | undefined;
}

export interface ToolCall {
  readonly toolName: string;
  /** All of it is shown; what is allowed to run is the `updatedInput` of the outcome. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly description?: string | undefined;
  /** The person may change the input and allow that instead. */
  readonly allowEdit?: boolean | undefined;
  /** What an edited input must fit, as JSON Schema. */
  readonly inputSchema?: Readonly<Record<string, unknown>> | undefined;
  /** With `session` the person may allow the tool for the rest of the session. */
  readonly offers?: readonly ('once' | 'session')[] | undefined;
}

export interface Form {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** The flat JSON Schema of MCP elicitation. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** At the deadline: a denial, nothing but a mark, or (questions and forms alone) this answer. */
export type OnExpire =
  | 'deny'
  | 'keep'
  | { readonly answer: { readonly answers: AnswersByIndex } }
  | { readonly answer: { readonly values: Readonly<Record<string, unknown>> } };

export interface AskOptions extends RetryLimits {
  /**
   * The agent's own id of the call. With it, asking again after a crash of the agent finds the same
   * question and its answer; without it every call asks anew.
   */
  readonly toolCallId?: string | undefined;
  readonly toolName?: string | undefined;
  readonly turnId?: string | undefined;
  readonly responseId?: string | undefined;
  /** How long the person has; null waits for ever. Left out: what the session or the deployment says, else null. */
  readonly timeoutSeconds?: number | null | undefined;
  /** The same where neither the session nor the deployment says. */
  readonly defaultTimeoutSeconds?: number | null | undefined;
  readonly onExpire?: OnExpire | undefined;
  readonly remindAfter?: number | undefined;
  readonly escalateAfter?: number | undefined;
  /** Survives the end of its turn. */
  readonly detached?: boolean | undefined;
  /** Asks again what was cancelled or has expired, instead of returning that. */
  readonly reopen?: boolean | undefined;
  /** What was wrong with the last try, for the person to see. */
  readonly errorSummary?: string | undefined;
  readonly fieldErrors?: Readonly<Record<string, string>> | undefined;
  /** Aborting it cancels the question, and then rejects with `aborted` (CAN-4). */
  readonly signal?: AbortSignal | undefined;
  /** Told once the question is where a person can see it. Not told of what nobody was asked. */
  readonly onOpened?: ((interaction: Interaction) => void) | undefined;
}
