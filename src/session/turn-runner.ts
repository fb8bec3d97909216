/**
 * Does what the run of a session needs done now, and knows nothing that is not stored.
 *
 * It looks at the run after each commit and when the session wakes. What is to be done and not in hand here is begun;
 * what is in hand and no longer wanted is stopped. So a process that dies leaves nothing behind: whoever wakes next
 * looks at the same run, and takes a call that was started, and is in nobody's hand, for lost.
 */
import { answeredBy, type Asking } from '../agent/request-answer.ts';
import { needsRunning, responseIdOf, type Run, type RunCall } from '../agent/run/run.ts';
import type { RunCommand } from '../agent/run/run-command.ts';
import { runFileTool, toolNamed } from '../agent/tools/registry.ts';
import type { SessionState } from '../core/state.ts';
import { LIMITS } from '../protocol/limits.ts';
import { Previews } from './previews.ts';
import type { SessionPorts } from './ports.ts';

export interface RunnerPorts {
  readonly current: () => { readonly state: SessionState; readonly run: Run } | undefined;
  /** False: it could not be written. */
  readonly handle: (command: RunCommand) => boolean;
  readonly publish: (frame: string) => void;
  readonly ports: SessionPorts;
}

/** What could not be written is worth keeping: a call was made, or paid for. */
const WRITE_AGAIN_MS = 1_000;
/** A disk may be full for a minute; what is too large for a row never fits. */
const WRITES = 60;
const NOT_STORED = 'It ran, and what came of it could not be stored.';
const NOT_NOTED = 'That a tool begins could not be written, and so it does not begin';

export class Runner {
  readonly #world: RunnerPorts;
  readonly #inHand = new Map<string, AbortController>();
  /** The answer that a process before this one was waiting for. */
  #lost: string | undefined;
  #previews: Previews | undefined;
  #isLooking = false;

  constructor(world: RunnerPorts, found: Run | null) {
    this.#world = world;
    if (found?.status === 'model' && found.retryAt === null) this.#lost = answerName(found);
  }

  /** Something is in hand, or about to be: another runner of this session would do it twice. */
  get isAtWork(): boolean {
    return this.#isLooking || this.#inHand.size > 0;
  }

  lookSoon(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { later, soon = (work: () => void) => later(0, work) } = this.#world.ports;
    soon(() => {
      this.#isLooking = false;
      this.look();
    });
  }

  /** What was under way is nobody's any more; who spoke last should not hear more of it. */
  stop(): void {
    for (const controller of this.#inHand.values()) controller.abort();
  }

  /** The text so far of the answer that is in hand; undefined where none is. */
  partialAnswer(): string | undefined {
    const run = this.#world.current()?.run;
    if (run?.status !== 'model' || !this.#inHand.has(answerName(run))) return undefined;
    return this.#previews?.whole;
  }

  look(): void {
    const seen = this.#world.current();
    const wanted = new Set(seen === undefined ? [] : wantedBy(seen.run));
    for (const [name, controller] of this.#inHand) if (!wanted.has(name)) controller.abort();
    if (seen === undefined) return;
    const { run } = seen;
    if (run.status === 'model') this.#lookAtModel(seen);
    else for (const call of run.calls.filter(needsRunning)) this.#lookAtCall(seen, call);
  }

  #lookAtModel(seen: Seen): void {
    const { turnId, step, retryAt } = seen.run;
    const name = answerName(seen.run);
    if (this.#inHand.has(name)) return;
    if (retryAt !== null) {
      // The commit looks again.
      if (retryAt <= this.#world.ports.now())
        this.#world.handle({ type: 'model.due', turnId, step });
      return;
    }
    if (this.#lost === name) {
      // Noted first, so that an answer that kills the server is not paid for for ever; the commit looks again.
      if (this.#world.handle({ type: 'model.lost', turnId, step })) this.#lost = undefined;
      return;
    }
    this.#begin(name, (signal) => this.#askModel(seen, signal));
  }

  async #askModel({ state, run }: Seen, signal: AbortSignal): Promise<RunCommand | undefined> {
    const { ports, publish } = this.#world;
    const { turnId } = run;
    const previews = new Previews(
      { turnId, responseId: responseIdOf(run) },
      ports.later,
      (frame) => {
        if (!signal.aborted) publish(frame);
      },
    );
    this.#previews = previews;
    const { agent, permissionMode } = state.info;
    if (agent === null) return undefined;
    const asking: Asking = {
      run,
      settings: agent,
      permissionMode,
      said: ports.store.said(),
      model: ports.agent?.model,
      isKnown: (toolCallId) => ports.store.latestRecord(toolCallId) !== undefined,
    };
    const command = await answeredBy(asking, { signal, onDelta: (delta) => previews.add(delta) });
    previews.end();
    return command;
  }

  #lookAtCall({ state, run }: Seen, call: RunCall): void {
    const { toolCallId } = call;
    const { turnId } = run;
    if (this.#inHand.has(toolCallId)) return;
    const { handle, ports } = this.#world;
    if (call.status === 'started') return void handle({ type: 'tool.lost', turnId, toolCallId });
    const tool = state.info.agent === null ? undefined : toolNamed(state.info.agent, call.toolName);
    if (tool?.runBy === 'session') {
      const { output, change } = runFileTool(
        { name: call.toolName, input: call.input },
        ports.store.files,
        LIMITS,
      );
      handle({ type: 'tool.ended', turnId, toolCallId, output, file: change });
      return;
    }
    const httpTools = ports.agent?.httpTools;
    if (tool?.runBy !== 'http' || httpTools === undefined) {
      const output = { content: `There is no tool "${call.toolName}" here.`, isError: true };
      return void handle({ type: 'tool.ended', turnId, toolCallId, output });
    }
    this.#begin(toolCallId, async (signal) => {
      if (!handle({ type: 'tool.began', turnId, toolCallId })) throw new Error(NOT_NOTED);
      const began = this.#world.current()?.run.calls.find((one) => one.toolCallId === toolCallId);
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
    this.#inHand.set(name, controller);
    const end = () => {
      this.#inHand.delete(name);
      this.lookSoon();
    };
    work(signal).then(
      (command) => {
        if (command === undefined || signal.aborted) return end();
        this.#write(command, signal, end);
      },
      (cause: unknown) => {
        this.#world.ports.warn('A step of the agent broke off and is done again', cause);
        // Not at once, or what breaks at once would be tried without end; the alarm looks again.
        this.#inHand.delete(name);
      },
    );
  }

  #write(command: RunCommand, signal: AbortSignal, end: () => void, tries = 1): void {
    if (signal.aborted || this.#world.handle(command)) return end();
    const next = tries < WRITES ? command : withoutContent(command);
    this.#world.ports.later(WRITE_AGAIN_MS, () => this.#write(next, signal, end, tries + 1));
  }
}

/** That something came is said, where what came cannot be stored. */
function withoutContent(command: RunCommand): RunCommand {
  if (command.type === 'tool.ended') {
    const { type, turnId, toolCallId } = command;
    return { type, turnId, toolCallId, output: { content: NOT_STORED, isError: true } };
  }
  if (command.type !== 'model.answered') return command;
  const { turnId, step } = command;
  const message = 'The model’s answer could not be stored.';
  const failure = { reason: 'too_large', retry: 'never', message } as const;
  return { type: 'model.failed', turnId, step, failure };
}

interface Seen {
  readonly state: SessionState;
  readonly run: Run;
}

function answerName({ turnId, step }: Run): string {
  return `answer ${turnId} ${step}`;
}

/** A call in hand is wanted until it has ended: it is `claimed` for the moment before it begins. */
function wantedBy(run: Run): string[] {
  if (run.status === 'model') return [answerName(run)];
  return run.calls.filter(needsRunning).map(({ toolCallId }) => toolCallId);
}
