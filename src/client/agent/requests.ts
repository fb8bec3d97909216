/** The questions of an agent, and the options of each. */
import type { AnswersByIndex } from '../transport.ts';
import type { Audience, Correlate, Interaction, Quorum } from '../../protocol/types.ts';
import type { RetryLimits } from './retry-until.ts';

export interface Question {
  /** A chip of 1 to 40 characters. */
  readonly header?: string | undefined;
  readonly question: string;
  /** Up to 12, a label alone or with more, beside which a person can always answer with a free text; left out, with that alone. */
  readonly options?:
    | readonly (
        | string
        | {
            readonly label: string;
            readonly description?: string | undefined;
            readonly preview?: string | undefined;
          }
      )[]
    | undefined;
  readonly multiSelect?: boolean | undefined;
}

export interface ToolCall {
  readonly toolName: string;
  /** Shown whole. Run the tool with `updatedInput` of the outcome. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly description?: string | undefined;
  /** The person may change the input and allow that instead. */
  readonly allowEdit?: boolean | undefined;
  /** JSON Schema for an edited input. */
  readonly inputSchema?: Readonly<Record<string, unknown>> | undefined;
  /** With `session` the person may allow the tool for the rest of the session. */
  readonly offers?: readonly ('once' | 'session')[] | undefined;
  /** 1 to 8 answers of the agent's own, in place of `offers`; the outcome has the `choice`. A person can always deny. */
  readonly choices?: readonly ApprovalChoice[] | undefined;
}

export interface ApprovalChoice {
  readonly id: string;
  readonly label: string;
  readonly tone?: 'primary' | 'danger' | 'neutral' | undefined;
  readonly decision: 'approve' | 'deny';
  /** With an approval: later calls of the tool, or with exactly this input, are not asked about in this session. */
  readonly remember?: 'tool' | 'exact' | undefined;
  /** With a denial: the outcome says that the turn should end. */
  readonly stop?: true | undefined;
}

export interface Form {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** The flat JSON Schema of MCP elicitation. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** An address that a person opens for the agent, such as a sign-in. Nothing opens it by itself. */
export interface LinkToOpen {
  /** https, or http on this machine; without a name or password. */
  readonly url: string;
  readonly message: string;
  readonly title?: string | undefined;
  readonly elicitationId?: string | undefined;
  /** Stays open after a person opened it, until `POST …/interactions/:iid/complete` or until a person says that it is done. */
  readonly awaitCompletion?: boolean | undefined;
}

/** At the deadline: a denial, only a mark in the log, or (for questions and forms) this answer. */
export type OnExpire =
  | 'deny'
  | 'keep'
  | { readonly answer: { readonly answers: AnswersByIndex } }
  | { readonly answer: { readonly values: Readonly<Record<string, unknown>> } };

export interface AskOptions extends RetryLimits {
  /**
   * The agent's own id of the call, any text (`fitToolCallId` says what the server receives). After a crash of the agent, the
   * same id finds the same question and its answer; without an id every call opens a new question.
   */
  readonly toolCallId?: string | undefined;
  /**
   * Describes the call instead, for a command that a shell runs or a hook that has no id. The question waits up to a second
   * for that call, and becomes its question. Never together with `toolCallId`.
   */
  readonly correlate?: Correlate | undefined;
  /**
   * Names this life of the agent, so that its next one finds what this one leaves behind (ADP-2). Default: a name of the
   * `Holdpoint`; `open` has none, because a question that no process waits for is no sign of a killed agent.
   */
  readonly agentInstance?: string | undefined;
  readonly toolName?: string | undefined;
  readonly turnId?: string | undefined;
  readonly responseId?: string | undefined;
  /** Time for an answer; null is no deadline. Default: the setting of the session or the deployment, else null. */
  readonly timeoutSeconds?: number | null | undefined;
  /** Used if neither the session nor the deployment has a setting. */
  readonly defaultTimeoutSeconds?: number | null | undefined;
  readonly onExpire?: OnExpire | undefined;
  /** Who may answer; everyone with the scope `answer` if left out. */
  readonly audience?: Audience | undefined;
  readonly remindAfter?: number | undefined;
  readonly escalateAfter?: number | undefined;
  /** Who is asked as well after `escalateAfter`. */
  readonly escalateTo?: Audience | undefined;
  /** How many people must approve an approval or a plan, and who counts; one denial ends it. */
  readonly quorum?: Quorum | undefined;
  /** Who asks may not decide, not even as an administrator. */
  readonly notRequester?: true | undefined;
  /** The question stays open after its turn ends. */
  readonly detached?: boolean | undefined;
  /** Opens a cancelled or expired question again instead of returning that outcome. */
  readonly reopen?: boolean | undefined;
  /** The problem with the last try, for the person. */
  readonly errorSummary?: string | undefined;
  readonly fieldErrors?: Readonly<Record<string, string>> | undefined;
  /** Aborting it cancels the question, and then rejects with `aborted` (CAN-4). */
  readonly signal?: AbortSignal | undefined;
  /** Called once a person can see the question; not called if a rule or the mode decides. */
  readonly onOpened?: ((interaction: Interaction) => void) | undefined;
}
