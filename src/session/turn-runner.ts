/**
 * Does what the run of a session needs done now, and knows nothing that is not stored.
 *
 * It looks at the run after each commit and when the session wakes. What is to be done and not in hand here is begun;
 * what is in hand and no longer wanted is stopped. So a process that dies leaves nothing behind: whoever wakes next
 * looks at the same run, and takes a call that was started, and is in nobody's hand, for lost.
 */
import { requestAnswer, type AnswerContext } from '../agent/request-answer.ts';
import { needsRunning, responseIdOf, type Run, type RunCall } from '../agent/run/run.ts';
import type { RunCommand } from '../agent/run/run-command.ts';
import { runFileTool, findTool } from '../agent/tools/registry.ts';
import type { SessionState } from '../core/state.ts';
import { LIMITS } from '../protocol/limits.ts';
import { Previews } from './previews.ts';
import type { SessionPorts } from './ports.ts';

export interface TurnRunnerPorts {
  readonly current: () => { readonly state: SessionState; readonly run: Run } | undefined;
  /** False: it could not be written. */
  readonly handle: (command: RunCommand) => boolean;
  readonly publish: (frame: string) => void;
  readonly session: SessionPorts;
}

/** What could not be written is worth keeping: a call was made, or paid for. */
const RESULT_RETRY_MS = 1_000;
/** A disk may be full for a minute; what is too large for a row never fits. */
const MAX_WRITES = 60;
const RESULT_NOT_STORED = 'It ran, and what came of it could not be stored.';
const START_NOT_WRITTEN = 'That a tool begins could not be written, and so it does not begin';

export class TurnRunner {
  readonly #ports: TurnRunnerPorts;
  readonly #active = new Map<string, AbortController>();
  /** The answer that a process before this one was waiting for. */
  #lostAnswer: string | undefined;
  #previews: Previews | undefined;
  #isLooking = false;

  constructor(ports: TurnRunnerPorts, found: Run | null) {
    this.#ports = ports;
    if (found?.status === 'model' && found.retryAt === null) this.#lostAnswer = answerKey(found);
  }

  /** Something is in hand, or about to be: another runner of this session would do it twice. */
  get isAtWork(): boolean {
    return this.#isLooking || this.#active.size > 0;
  }

  lookSoon(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { later, soon = (work: () => void) => later(0, work) } = this.#ports.session;
    soon(() => {
      this.#isLooking = false;
      this.look();
    });
  }

  /** What was under way is nobody's any more; who spoke last should not hear more of it. */
  stop(): void {
    for (const controller of this.#active.values()) controller.abort();
  }

  /** The text so far of the answer that is in hand; undefined where none is. */
  partialAnswer(): string | undefined {
    const run = this.#ports.current()?.run;
    if (run?.status !== 'model' || !this.#active.has(answerKey(run))) return undefined;
    return this.#previews?.whole;
  }

  look(): void {
    const seen = this.#ports.current();
    const wanted = new Set(seen === undefined ? [] : wantedWork(seen.run));
    for (const [name, controller] of this.#active) if (!wanted.has(name)) controller.abort();
    if (seen === undefined) return;
    const { run } = seen;
    if (run.status === 'model') this.#lookAtModel(seen);
    else for (const call of run.calls.filter(needsRunning)) this.#lookAtCall(seen, call);
  }

  #lookAtModel(seen: CurrentRun): void {
    const { turnId, step, retryAt } = seen.run;
    const name = answerKey(seen.run);
    if (this.#active.has(name)) return;
    if (retryAt !== null) {
      // The commit looks again.
      if (retryAt <= this.#ports.session.now())
        this.#ports.handle({ type: 'model.due', turnId, step });
      return;
    }
    if (this.#lostAnswer === name) {
      // Noted first, so that an answer that kills the server is not paid for for ever; the commit looks again.
      if (this.#ports.handle({ type: 'model.lost', turnId, step })) this.#lostAnswer = undefined;
      return;
    }
    this.#begin(name, (signal) => this.#askModel(seen, signal));
  }

  async #askModel(
    { state, run }: CurrentRun,
    signal: AbortSignal,
  ): Promise<RunCommand | undefined> {
    const { session, publish } = this.#ports;
    const { turnId } = run;
    const previews = new Previews(
      { turnId, responseId: responseIdOf(run) },
      session.later,
      (frame) => {
        if (!signal.aborted) publish(frame);
      },
    );
    this.#previews = previews;
    const { agent, permissionMode } = state.info;
    if (agent === null) return undefined;
    const asking: AnswerContext = {
      run,
      settings: agent,
      permissionMode,
      messages: session.store.messages(),
      model: session.agent?.model,
      isKnownToolCall: (toolCallId) => session.store.latestRecord(toolCallId) !== undefined,
    };
    const command = await requestAnswer(asking, {
      signal,
      onDelta: (delta) => previews.add(delta),
    });
    previews.end();
    return command;
  }

  #lookAtCall({ state, run }: CurrentRun, call: RunCall): void {
    const { toolCallId } = call;
    const { turnId } = run;
    if (this.#active.has(toolCallId)) return;
    const { handle, session } = this.#ports;
    if (call.status === 'started') return void handle({ type: 'tool.lost', turnId, toolCallId });
    const tool = state.info.agent === null ? undefined : findTool(state.info.agent, call.toolName);
    if (tool?.runBy === 'session') {
      const { output, change } = runFileTool(
        { name: call.toolName, input: call.input },
        session.store.files,
        LIMITS,
      );
      handle({ type: 'tool.ended', turnId, toolCallId, output, file: change });
      return;
    }
    const httpTools = session.agent?.httpTools;
    if (tool?.runBy !== 'http' || httpTools === undefined) {
      const output = { content: `There is no tool "${call.toolName}" here.`, isError: true };
      return void handle({ type: 'tool.ended', turnId, toolCallId, output });
    }
    this.#begin(toolCallId, async (signal) => {
      if (!handle({ type: 'tool.began', turnId, toolCallId })) throw new Error(START_NOT_WRITTEN);
      const began = this.#ports.current()?.run.calls.find((one) => one.toolCallId === toolCallId);
      if (began?.status !== 'started') return undefined;
      const { workspace, id: sessionId } = state.info;
      const output = await httpTools.call(
        {
          workspace,
          sessionId,
          turnId,
          toolCallId,
          toolName: call.toolName,
          url: tool.url,
          input: call.input,
          timeoutMs: tool.timeoutSeconds * 1_000,
          isRepeat: call.isRepeat === true,
        },
        signal,
      );
      return { type: 'tool.ended', turnId, toolCallId, output };
    });
  }

  #begin(name: string, work: (signal: AbortSignal) => Promise<RunCommand | undefined>): void {
    const controller = new AbortController();
    const { signal } = controller;
    this.#active.set(name, controller);
    const end = () => {
      this.#active.delete(name);
      this.lookSoon();
    };
    work(signal).then(
      (command) => {
        if (command === undefined || signal.aborted) return end();
        this.#write(command, signal, end);
      },
      (cause: unknown) => {
        this.#ports.session.warn('A step of the agent broke off and is done again', cause);
        // Not at once, or what breaks at once would be tried without end; the alarm looks again.
        this.#active.delete(name);
      },
    );
  }

  #write(command: RunCommand, signal: AbortSignal, end: () => void, tries = 1): void {
    if (signal.aborted || this.#ports.handle(command)) return end();
    const next = tries < MAX_WRITES ? command : withoutContent(command);
    this.#ports.session.later(RESULT_RETRY_MS, () => this.#write(next, signal, end, tries + 1));
  }
}

/** That something came is said, where what came cannot be stored. */
function withoutContent(command: RunCommand): RunCommand {
  if (command.type === 'tool.ended') {
    const { type, turnId, toolCallId } = command;
    return { type, turnId, toolCallId, output: { content: RESULT_NOT_STORED, isError: true } };
  }
  if (command.type !== 'model.answered') return command;
  const { turnId, step } = command;
  const message = 'The model’s answer could not be stored.';
  const failure = { reason: 'too_large', retry: 'never', message } as const;
  return { type: 'model.failed', turnId, step, failure };
}

interface CurrentRun {
  readonly state: SessionState;
  readonly run: Run;
}

function answerKey({ turnId, step }: Run): string {
  return `answer ${turnId} ${step}`;
}

/** A call in hand is wanted until it has ended: it is `claimed` for the moment before it begins. */
function wantedWork(run: Run): string[] {
  if (run.status === 'model') return [answerKey(run)];
  return run.calls.filter(needsRunning).map(({ toolCallId }) => toolCallId);
}
