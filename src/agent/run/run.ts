/**
 * The run: the stored state of a turn of the built-in agent, with the commands that change it.
 *
 * From this state any process can resume the turn: the conversation is stored beside it, and the next work follows from
 * the status of the run and of its calls. The work itself is never stored. Only the session itself sends commands of a
 * run: no request or frame can.
 */
import type { JsonObject } from '../../protocol/json.ts';
import type { AttachedFile } from '../../protocol/schema/attached-file.ts';
import type { Timeouts } from '../../protocol/schema/session.ts';
import type { Usage } from '../../protocol/schema/usage.ts';
import type { ModelAnswered, ModelFailed, ModelUsage } from '../model.ts';
import type { FileChange, ToolOutput } from '../tools/ports.ts';
import type { AssistantMessage, UserMessage } from '../message.ts';

/**
 * `asking` a person; `claimed` by the session, ready to run; `started`, written before the effect; `done`, with its
 * output. A call whose process died after the start is `unknown`: a person decides whether it runs again.
 */
type CallStatus = 'asking' | 'claimed' | 'started' | 'unknown' | 'done';

export interface RunCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** The input that runs: the model's, or a person's edit of it. */
  readonly input: JsonObject;
  readonly status: CallStatus;
  readonly isEdited?: true;
  /** An earlier process started it and died; its effect is unknown. */
  readonly isRepeat?: true;
  /** Set for a client tool: the client runs it, and must send the result before this time. */
  readonly until?: number;
  readonly output?: ToolOutput;
  /** Files that a person attached to the answer; the model gets them after the results. */
  readonly attachments?: readonly AttachedFile[];
}

/** How far the summary is that must come before the next answer. */
export interface RunCompaction {
  /** 0: of the conversation as it stands; then of less and less of it. */
  readonly level: number;
  /** Failed requests for it. */
  readonly attempt: number;
  /** The API refused the conversation for its length: without a summary there is no answer. */
  readonly isForced?: true;
  /** The next request is that for the answer. One that was given up is not tried again in this turn. */
  readonly over?: 'written' | 'given_up';
}

export interface Run {
  readonly turnId: string;
  /** `failed`: the turn has ended, and a person may retry it. */
  readonly status: 'model' | 'tools' | 'failed';
  /** The number of answers so far in this turn. */
  readonly step: number;
  /** Failed requests for the next answer, and the time of the next request. */
  readonly attempt: number;
  readonly retryAt: number | null;
  /** Absent: no summary was asked for before the next answer. */
  readonly compaction?: RunCompaction;
  /** The calls of the last answer, until all are done. */
  readonly calls: readonly RunCall[];
  readonly usage: Usage;
  /** The settings of deployment and workspace at the time of the last message. */
  readonly timeouts: Timeouts;
}

const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

export function newRun(turnId: string, timeouts: Timeouts): Run {
  return {
    turnId,
    status: 'model',
    step: 0,
    attempt: 0,
    retryAt: null,
    calls: [],
    usage: NO_USAGE,
    timeouts,
  };
}

export function isActiveRun(run: Run | null): run is Run {
  return run !== null && run.status !== 'failed';
}

/** The id of an answer in the log and in its previews; a repeated request keeps it. */
export function responseIdOf({ turnId, step }: Run): string {
  return `${turnId}.${step + 1}`;
}

export function findCall(run: Run | null, toolCallId: string): RunCall | undefined {
  return run?.calls.find((call) => call.toolCallId === toolCallId);
}

export function replaceCall(run: Run, changed: RunCall): Run {
  const calls = run.calls.map((call) => (call.toolCallId === changed.toolCallId ? changed : call));
  return { ...run, calls };
}

/** True if a process must work on the run now. False while it waits for people alone. */
export function needsWork(run: Run | null): boolean {
  if (!isActiveRun(run)) return false;
  if (run.status === 'model') return run.retryAt === null;
  return run.calls.some(needsRunning);
}

export function needsRunning({ status, until }: RunCall): boolean {
  return status === 'claimed' || (status === 'started' && until === undefined);
}

/** The earliest time at which a client tool runs out of time. */
export function nextToolTimeout(run: Run | null): number | null {
  const times = run?.calls.flatMap(({ status, until }) =>
    status === 'started' && until !== undefined ? [until] : [],
  );
  return times === undefined || times.length === 0 ? null : Math.min(...times);
}

/** The answer of a command. A command for another answer is late and changes nothing. */
interface AnswerPosition {
  readonly turnId: string;
  readonly step: number;
}

interface CallTarget {
  readonly turnId: string;
  readonly toolCallId: string;
}

interface RunCommands {
  /** `message` is the part of the answer that can be sent again; its content may be empty. */
  'model.answered': AnswerPosition &
    Pick<ModelAnswered, 'stopReason' | 'usage' | 'leftOut'> & {
      readonly message: AssistantMessage;
      /** The model that was asked; absent, its tokens have no price. */
      readonly model?: string;
    };
  'model.failed': AnswerPosition & { readonly failure: Omit<ModelFailed, 'type'> };
  /** `content` is what the model reads in the place of the messages up to `to`. */
  'summary.written': AnswerPosition &
    Pick<ModelAnswered, 'usage'> & {
      readonly summary: string;
      readonly content: UserMessage['content'];
      readonly to: number;
      /** The calls among these messages. */
      readonly toolCallIds: readonly string[];
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly model: string;
    };
  'summary.failed': AnswerPosition & {
    readonly failure: Omit<ModelFailed, 'type'>;
    readonly model: string;
    /** An answer without a summary is paid for too. */
    readonly usage?: ModelUsage;
  };
  /** The pause before another request has ended. */
  'model.due': AnswerPosition;
  /** The process that waited for the answer died. */
  'model.lost': AnswerPosition;
  'tool.began': CallTarget;
  'tool.ended': CallTarget & {
    readonly output: ToolOutput;
    readonly file?: FileChange | undefined;
  };
  /** The process that ran the tool died. */
  'tool.lost': CallTarget;
}

type RunCommandType = keyof RunCommands;
export type RunCommandOf<T extends RunCommandType> = { readonly type: T } & RunCommands[T];
export type RunCommand = { [T in RunCommandType]: RunCommandOf<T> }[RunCommandType];

const RUN_COMMAND_TYPES: Readonly<Record<RunCommandType, true>> = {
  'model.answered': true,
  'model.failed': true,
  'summary.written': true,
  'summary.failed': true,
  'model.due': true,
  'model.lost': true,
  'tool.began': true,
  'tool.ended': true,
  'tool.lost': true,
};

export function isRunCommand(command: { readonly type: string }): command is RunCommand {
  return Object.hasOwn(RUN_COMMAND_TYPES, command.type);
}
