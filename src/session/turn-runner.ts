/**
 * Carries out the next work of a session's run: it asks the model and runs tools.
 *
 * It reads the run after each commit and when the session wakes. It starts work that the run needs and that is not
 * active, and aborts active work that the run no longer needs. All state that matters is stored: when a process dies,
 * the next one reads the same run, and treats a call that was started, and is not active, as lost.
 *
 * The file is long because starting, aborting and noting the result of work go through one map of active work.
 */
import { Conversation } from '../agent/conversation.ts';
import { requestAnswer, type AnswerContext } from '../agent/request-answer.ts';
import {
  needsRunning,
  responseIdOf,
  type Run,
  type RunCall,
  type RunCommand,
} from '../agent/run/run.ts';
import { runFileTool } from '../agent/tools/file-tools.ts';
import { findTool } from '../agent/tools/registry.ts';
import type { SessionState } from '../core/state.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { AudiencePolicy } from '../protocol/schema/audience-rule.ts';
import { readAttachedText } from './attached-files.ts';
import type { SessionPorts } from './ports.ts';
import type { RunRules } from './facts.ts';
import type { ModelDelta } from '../agent/model.ts';
import type { RunChange } from '../agent/run/run-draft.ts';
import { deltaFrame } from './frames-out.ts';

export interface TurnRunnerPorts {
  readonly current: () => { readonly state: SessionState; readonly run: Run } | undefined;
  /** False if the command could not be written. `rules` say whom a request of this command is for, and what needs none. */
  readonly handle: (command: RunCommand, rules?: RunRules) => boolean;
  readonly publish: (frame: string) => void;
  readonly session: SessionPorts;
}

/** A result that cannot be written is kept and written again: the call was made, or paid for. */
const RESULT_RETRY_MS = 1_000;
/** A full disk may have room within a minute; a result that is too large for a row never fits. */
const MAX_WRITES = 60;
/** Of a conversation in memory between two requests: the objects of many sessions share 128 MB. One with many pictures is longer. */
const REMEMBERED_CHARS = 4_194_304;
const RESULT_NOT_STORED = 'The tool ran, and its result could not be stored.';
const SUMMARY_NOT_STORED = {
  reason: 'internal',
  retry: 'never',
  message: 'The summary could not be stored.',
} as const;
const START_NOT_WRITTEN = 'The start of a tool could not be written, so the tool does not start';

export class TurnRunner {
  readonly #ports: TurnRunnerPorts;
  readonly #active = new Map<string, ActiveWork>();
  /** The answer for which an earlier process waited. */
  #lostAnswer: string | undefined;
  #previews: Previews | undefined;
  /** As far as it is stored; read with the first request of this process. */
  #conversation: Conversation | undefined;
  #isLooking = false;

  constructor(ports: TurnRunnerPorts, found: Run | null) {
    this.#ports = ports;
    if (found?.status === 'model' && found.retryAt === null) this.#lostAnswer = runAnswerKey(found);
  }

  /** Work is active, or about to start: a second runner of this session would do it twice. */
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

  /** Keeps the conversation as it is stored after a commit. */
  applyChange({ messages, clearsConversation, summary }: RunChange): void {
    if (clearsConversation || summary !== undefined) this.#conversation = undefined;
    else this.#conversation?.append(messages);
  }

  /** After a commit that failed the store alone knows the conversation. */
  forgetConversation(): void {
    this.#conversation = undefined;
  }

  /** Drops all work, with its results and previews. */
  stop(): void {
    for (const work of this.#active.values()) work.drop();
  }

  /** The text so far of the active answer; undefined if there is none. */
  partialAnswer(): string | undefined {
    const run = this.#ports.current()?.run;
    if (run?.status !== 'model' || !this.#active.has(runAnswerKey(run))) return undefined;
    return this.#previews?.whole;
  }

  look(): void {
    const seen = this.#ports.current();
    const wanted = new Set(seen === undefined ? [] : wantedWork(seen.run));
    for (const [name, work] of this.#active) if (!wanted.has(name)) work.drop();
    if (seen === undefined) return;
    const { run } = seen;
    if (run.status === 'model') this.#lookAtModel(seen);
    else for (const call of run.calls.filter(needsRunning)) this.#lookAtCall(seen, call);
  }

  #lookAtModel(seen: CurrentRun): void {
    const { turnId, step, retryAt } = seen.run;
    const name = runAnswerKey(seen.run);
    if (this.#active.has(name)) return;
    if (retryAt !== null) {
      // The commit makes the runner look again.
      if (retryAt <= this.#ports.session.now())
        this.#ports.handle({ type: 'model.due', turnId, step });
      return;
    }
    if (this.#lostAnswer === name) {
      // Counted first, so that an answer that kills the server is not paid for without end. The commit looks again.
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
    // A summary is no text of the answer, which an interrupt would keep.
    this.#previews = undefined;
    const { agent, permissionMode, compaction } = state.info;
    if (agent === null) return undefined;
    const conversation = (this.#conversation ??= new Conversation(session.store.conversation()));
    const asking: AnswerContext = {
      run,
      settings: agent,
      permissionMode,
      conversation,
      model: session.agent?.model,
      readAttachedFile: (attachmentId) => readAttachedText(session.store, attachmentId),
      open: [...state.open.values()],
      isHeldOff: compaction?.isHeldOff === true,
      isKnownToolCall: (toolCallId) => session.store.latestRecord(toolCallId) !== undefined,
    };
    const command = await requestAnswer(asking, {
      signal,
      onBegin: () => {
        this.#previews = previews;
      },
      onDelta: (delta) => previews.add(delta),
    });
    previews.end();
    if (conversation.shownChars > REMEMBERED_CHARS) this.#conversation = undefined;
    return command;
  }

  #lookAtCall({ state, run }: CurrentRun, call: RunCall): void {
    const { toolCallId } = call;
    const { turnId } = run;
    if (this.#active.has(toolCallId)) return;
    const { handle, session } = this.#ports;
    if (call.status === 'started') {
      // Through the queue of results: it may ask a person, whom the workspace names.
      return this.#begin(toolCallId, async () => ({ type: 'tool.lost', turnId, toolCallId }));
    }
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

  #begin(name: string, start: (signal: AbortSignal) => Promise<RunCommand | undefined>): void {
    const work = new ActiveWork();
    this.#active.set(name, work);
    const end = () => {
      this.#active.delete(name);
      this.lookSoon();
    };
    start(work.signal).then(
      (command) => {
        work.finish();
        if (command === undefined || work.isDropped) return end();
        this.#write(command, work, end);
      },
      (cause: unknown) => {
        this.#ports.session.warn(
          'A step of the agent failed unexpectedly and will be repeated',
          cause,
        );
        // No immediate look: work that fails at once would repeat without pause. The alarm looks again.
        this.#active.delete(name);
      },
    );
  }

  #write(command: RunCommand, work: ActiveWork, end: () => void, tries = 1): void {
    const { handle, session } = this.#ports;
    const { readAudiences } = session;
    const retry = () => {
      const next = tries < MAX_WRITES ? command : withoutContent(command);
      session.later(RESULT_RETRY_MS, () => this.#write(next, work, end, tries + 1));
    };
    const write = (rules?: RunRules) => {
      if (work.isDropped || handle(command, rules)) end();
      else retry();
    };
    if (readAudiences === undefined || !needsRules(command)) return write();
    const policy = readAudiences();
    if (!(policy instanceof Promise)) return write(runRules(policy));
    policy.then(
      (known) => write(runRules(known)),
      (cause: unknown) => {
        session.warn(
          'The audiences of a workspace cannot be read; the agent waits for them',
          cause,
        );
        retry();
      },
    );
  }
}

function runRules({ rules, gateRules, prices }: AudiencePolicy): RunRules {
  return { audienceRules: rules, workspaceRules: gateRules, prices };
}

/** Whether it may open a request, for which the workspace may have a rule, or has a price. */
function needsRules({ type }: RunCommand): boolean {
  return type === 'model.answered' || type === 'tool.lost' || type.startsWith('summary.');
}

/** The command without the content that cannot be stored, so that the run still learns that the work ended. */
function withoutContent(command: RunCommand): RunCommand {
  if (command.type === 'tool.ended') {
    const { type, turnId, toolCallId } = command;
    return { type, turnId, toolCallId, output: { content: RESULT_NOT_STORED, isError: true } };
  }
  if (command.type === 'summary.written') {
    const { turnId, step, model, usage } = command;
    return { type: 'summary.failed', turnId, step, model, usage, failure: SUMMARY_NOT_STORED };
  }
  if (command.type !== 'model.answered') return command;
  const { turnId, step } = command;
  const message = 'The model’s answer could not be stored, or it could not be read whom to ask.';
  const failure = { reason: 'too_large', retry: 'never', message } as const;
  return { type: 'model.failed', turnId, step, failure };
}

/** A request to the model or a call of a tool, until its result is written. */
class ActiveWork {
  readonly #controller = new AbortController();
  #isFinished = false;
  #isDropped = false;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Its result is not wanted any more. */
  get isDropped(): boolean {
    return this.#isDropped;
  }

  /** Only its result is left, which is being written. */
  finish(): void {
    this.#isFinished = true;
  }

  /**
   * A turn ends in the commit of its last result. An abort would end nothing then, and costs a third of that commit: it
   * makes an exception, and each listener aborts another signal.
   */
  drop(): void {
    this.#isDropped = true;
    if (!this.#isFinished) this.#controller.abort();
  }
}

interface CurrentRun {
  readonly state: SessionState;
  readonly run: Run;
}

function runAnswerKey({ turnId, step }: Run): string {
  return `answer ${turnId} ${step}`;
}

/** The keys of the work that the run needs. A call counts until it ends, also while it is only `claimed`. */
function wantedWork(run: Run): string[] {
  if (run.status === 'model') return [runAnswerKey(run)];
  return run.calls.filter(needsRunning).map(({ toolCallId }) => toolCallId);
}

const PREVIEW_MS = 30;

interface AnswerIds {
  readonly turnId: string;
  readonly responseId: string;
}

/**
 * Sends the text of an unfinished answer to the subscribers; it is never stored (LOG-5).
 *
 * Pieces are collected for a moment: a model streams a few characters at a time, and each frame goes to every socket.
 */
class Previews {
  readonly #names: AnswerIds;
  readonly #later: SessionPorts['later'];
  readonly #publish: (frame: string) => void;
  #text = '';
  #whole = '';
  #cancel = () => {};

  constructor(names: AnswerIds, later: SessionPorts['later'], publish: (frame: string) => void) {
    this.#names = names;
    this.#later = later;
    this.#publish = publish;
  }

  add(delta: ModelDelta): void {
    if (delta.type !== 'text' || delta.text === '') return;
    const isFirst = this.#text === '';
    this.#text += delta.text;
    this.#whole += delta.text;
    if (isFirst) this.#cancel = this.#later(PREVIEW_MS, () => this.#flush());
  }

  /** The whole text so far, with the part that is not sent yet. */
  get whole(): string {
    return this.#whole;
  }

  /** The stored text follows; a later preview would show the same text twice. */
  end(): void {
    this.#cancel();
  }

  #flush(): void {
    const text = this.#text;
    this.#text = '';
    this.#publish(deltaFrame({ ...this.#names, text }));
  }
}
