/**
 * A turn of the built-in agent, as its session keeps it from one commit to the next.
 *
 * It is all that is needed to go on, by whatever process: the conversation is stored beside it, and what is to be done
 * next follows from its status and those of its calls. It is never stored as an order.
 */
import type { JsonObject } from '../../protocol/json.ts';
import type { Timeouts } from '../../protocol/schema/session.ts';
import type { ModelUsage } from '../model.ts';
import type { ToolOutput } from '../tools/ports.ts';

/**
 * `asking` a person; `claimed`, so that nobody else runs it; `started`, written before the effect; `done`, with its
 * output. What was started by a process that is gone is `unknown`: a person is asked whether it may run again.
 */
export type CallStatus = 'asking' | 'claimed' | 'started' | 'unknown' | 'done';

export interface RunCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** What is run: as the model gave it, or as a person changed it. */
  readonly input: JsonObject;
  readonly status: CallStatus;
  readonly isEdited?: true;
  /** It was started before, and nobody knows how far it came. */
  readonly isRepeat?: true;
  /** Whoever holds the session runs it, and after this nobody waits for its result. */
  readonly until?: number;
  readonly output?: ToolOutput;
}

export interface Run {
  readonly turnId: string;
  /** `failed`: the turn has ended, and a person may have it tried again. */
  readonly status: 'model' | 'tools' | 'failed';
  /** How many answers of the model this turn has had. */
  readonly step: number;
  /** How often the answer that is due was asked for in vain, and when it is asked for again. */
  readonly attempt: number;
  readonly retryAt: number | null;
  /** Those of the last answer, until all of them are done. */
  readonly calls: readonly RunCall[];
  readonly usage: ModelUsage;
  /** Of the deployment and the workspace, as they were when somebody wrote. */
  readonly timeouts: Timeouts;
}

const NO_USAGE: ModelUsage = {
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

/** The name of an answer in the log; its previews have it too, however often it is asked for. */
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

/** Somebody must be at work on it now; while only people are waited for, nobody is. */
export function needsWork(run: Run | null): boolean {
  if (!isActiveRun(run)) return false;
  if (run.status === 'model') return run.retryAt === null;
  return run.calls.some(needsRunning);
}

export function needsRunning({ status, until }: RunCall): boolean {
  return status === 'claimed' || (status === 'started' && until === undefined);
}

/** When nobody waits any longer for the result of a client tool. */
export function nextToolTimeout(run: Run | null): number | null {
  const times = run?.calls.flatMap(({ status, until }) =>
    status === 'started' && until !== undefined ? [until] : [],
  );
  return times === undefined || times.length === 0 ? null : Math.min(...times);
}
