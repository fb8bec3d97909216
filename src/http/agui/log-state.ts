/** What a log says about the runs of AG-UI: which interactions are open, and which turns run. */
import {
  addStartedTurn,
  listRunningTurns,
  removeAllTurns,
  removeEndedTurns,
  removeFailedTurns,
  type RunningTurns,
} from '../../core/turns.ts';
import { foldRecord, isRecordEvent } from '../../protocol/interaction-record.ts';
import {
  type Interaction,
  type SessionEvent,
  type Snapshot,
  isObject,
  isText,
  type JsonObject,
} from '../../protocol/types.ts';
import type { EventOf } from '../../protocol/schema/event.ts';
import { readChoices } from '../../protocol/approval-choices.ts';
import { describeVotes } from '../../protocol/deciding.ts';
import { isoTime } from '../answer-links/request-parts.ts';
import type { AguiContent, AguiInterrupt, TokenUsage } from './agui-event.ts';
import { contentOfEvent } from './content-of-event.ts';

const NO_TURNS: RunningTurns = { turn: null };

export class LogState {
  #turns = NO_TURNS;
  /** Oldest first. */
  readonly #open = new Map<string, Interaction>();
  /** Tool calls that were shown: a client adds the arguments of a second one to those of the first. */
  readonly #calls = new Set<string>();
  /** Interactions whose interrupt was given in full. */
  readonly #described = new Set<string>();

  /** The state at the head of that snapshot; without one, that before the first event. */
  constructor(snapshot?: Snapshot) {
    if (snapshot === undefined) return;
    // As a session stores it: what a turn lacks is absent.
    this.#turns = snapshot.session as RunningTurns;
    for (const record of snapshot.open) this.#open.set(record.interactionId, record);
  }

  get isTurnRunning(): boolean {
    return listRunningTurns(this.#turns).length > 0;
  }

  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  openIds(): string[] {
    return [...this.#open.keys()];
  }

  openRecord(interactionId: string): Interaction | undefined {
    return this.#open.get(interactionId);
  }

  /** All open interactions: an interrupted run names everything that must be answered before the next one. */
  interrupts(): AguiInterrupt[] {
    return [...this.#open.values()].map((record) => {
      const { interactionId } = record;
      const isInFull = !this.#described.has(interactionId);
      // Every run that ends names all of them; in full each time, a log would be shown as many times its size.
      this.#described.add(interactionId);
      return interruptOf(record, isInFull);
    });
  }

  /** What is shown of an event; nothing of a call that an agent reports again under its id. */
  contentOf(event: SessionEvent): AguiContent[] {
    if (event.type === 'tool_call' && event.toolCallId !== undefined) {
      if (this.#calls.has(event.toolCallId)) return [];
      this.#calls.add(event.toolCallId);
    }
    return contentOfEvent(event);
  }

  fold(event: SessionEvent): void {
    if (isRecordEvent(event)) return this.#foldRecord(event);
    switch (event.type) {
      case 'turn_started':
        this.#turns = addStartedTurn(this.#turns, event);
        return;
      case 'turn_ended':
        this.#turns = removeEndedTurns(this.#turns, event);
        return;
      case 'error':
        this.#turns = removeFailedTurns(this.#turns, event);
        return;
      case 'context_cleared':
        this.#turns = removeAllTurns(this.#turns);
        return;
      case 'session_status':
        if (event.payload.status !== 'deleted') return;
        this.#turns = NO_TURNS;
        this.#open.clear();
    }
  }

  #foldRecord(event: Extract<SessionEvent, { payload: { interactionId: string; kind: string } }>) {
    const { interactionId } = event.payload;
    const record = foldRecord(this.#open.get(interactionId), event);
    if (record === undefined) return;
    if (record.status === 'open') this.#open.set(interactionId, record);
    else {
      this.#open.delete(interactionId);
      this.#described.delete(interactionId);
    }
  }
}

/** AG-UI counts what came from a cache as input, beside the parts. */
export function usageOf({ payload: { usage } }: EventOf<'turn_ended'>): { usage?: TokenUsage[] } {
  if (usage === undefined) return {};
  const { outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const inputTokens = usage.inputTokens + cacheReadTokens + cacheWriteTokens;
  return {
    usage: [
      {
        inputTokens,
        outputTokens,
        totalTokens: inputTokens + outputTokens,
        cachedInputTokens: cacheReadTokens,
        cacheWriteInputTokens: cacheWriteTokens,
      },
    ],
  };
}

/** In a list that names an interrupt again; the first time all of it is there. */
const SHORT_MESSAGE_CHARS = 300;

/**
 * An open interaction as an interrupt of AG-UI: why the run stopped, in words, and the schema of the answer.
 *
 * A person must be able to decide by the interrupt alone: a program that only asks has no tool call in the log. So the
 * whole request is in `metadata.holdpoint`, with its digest, where the interrupt is described in full.
 */
export function interruptOf(record: Interaction, isInFull: boolean): AguiInterrupt {
  const { interactionId: id, toolCallId, kind, toolName, inputDigest, request } = record;
  const message = promptOf(record) + wordsOfVotes(record);
  const about = { kind, toolName, inputDigest };
  const { openedBy, current, awaitingFeedback, wholeInput } = record;
  const details = {
    ...about,
    request,
    openedBy: openedBy.subject,
    ...(wholeInput !== undefined && { wholeInput }),
    ...(current !== undefined && { current }),
    ...(awaitingFeedback === true && { awaitingFeedback }),
    ...(record.quorum !== undefined && approvalDetails(record)),
  };
  return {
    id,
    reason: reasonOf(kind),
    message: isInFull
      ? message
      : promptOf(record).slice(0, SHORT_MESSAGE_CHARS) + wordsOfVotes(record),
    toolCallId,
    ...(isInFull && responseSchema(record)),
    ...expiry(record),
    metadata: { holdpoint: isInFull ? details : about },
  };
}

/** How far a request is that several people must approve. */
function wordsOfVotes({ quorum, votes }: Interaction): string {
  return quorum === undefined ? '' : `\n${describeVotes(quorum, votes)}`;
}

function approvalDetails({ quorum, votes = [] }: Interaction): JsonObject {
  return {
    approvals: { needed: quorum?.approvals ?? 1, given: votes.map(({ by }) => by.subject) },
  };
}

function reasonOf(kind: string): AguiInterrupt['reason'] {
  if (kind === 'approval') return 'tool_call';
  if (kind === 'plan_review') return 'holdpoint:plan_review';
  return kind === 'link' ? 'holdpoint:link' : 'input_required';
}

/** A client judges by the time alone, so one that may still be answered after its deadline names none. */
function expiry({ expiresAt, onExpire }: Interaction): { expiresAt?: string } {
  return expiresAt === null || onExpire === 'keep' ? {} : { expiresAt: isoTime(expiresAt) };
}

/** The words of the agent, for the person who answers. */
function promptOf({ kind, toolName, request }: Interaction): string {
  const { description, plan, title, message, questions } = request;
  const given = [description, plan, message, title].find(
    (text): text is string => isText(text) && text.trim() !== '',
  );
  if (kind === 'approval') return given === undefined ? `Allow ${toolName}?` : given;
  if (kind === 'question' && Array.isArray(questions)) {
    const asked: readonly unknown[] = questions;
    return asked
      .flatMap((one) => (isObject(one) && isText(one.question) ? one.question : []))
      .join('\n');
  }
  if (kind === 'link' && isText(request.url)) return `${given ?? toolName}\n${request.url}`;
  return given ?? `${toolName} asks`;
}

const TEXT = { type: 'string' };
const DECLINE = { decline: { const: true }, reason: TEXT };

/** The schema of `payload`: what the answer route takes for this kind. Nothing for a kind of a newer server. */
function responseSchema(record: Interaction): { responseSchema?: JsonObject } {
  const properties = answerProperties(record);
  if (properties === undefined) return {};
  const required = Object.hasOwn(properties, 'approved') ? { required: ['approved'] } : {};
  const inputDigest = { const: record.inputDigest };
  return {
    responseSchema: { type: 'object', properties: { ...properties, inputDigest }, ...required },
  };
}

function answerProperties({ kind, request, wholeInput }: Interaction): JsonObject | undefined {
  switch (kind) {
    case 'approval':
      return wholeInput === undefined
        ? approvalProperties(request)
        : { ...approvalProperties(request), read: { enum: ['whole', 'part'] } };
    case 'question': {
      const questions: readonly unknown[] = Array.isArray(request.questions)
        ? request.questions
        : [];
      const asked = Object.fromEntries(questions.map((one, at) => [String(at), answerField(one)]));
      const required = Object.keys(asked);
      return { answers: { type: 'object', properties: asked, required }, ...DECLINE };
    }
    case 'form': {
      const values = isObject(request.schema) ? request.schema : { type: 'object' };
      return { values, ...DECLINE };
    }
    case 'plan_review':
      return {
        decision: { enum: ['edit', 'clean_edit', 'default', 'adjust'] },
        feedback: TEXT,
      };
    case 'link':
      return { opened: { const: true }, done: { const: true }, ...DECLINE };
    default:
      return undefined;
  }
}

/** In the form that AG-UI recommends: the presence of `editedArgs` says that the input may be edited. */
function approvalProperties(request: JsonObject): JsonObject {
  const { allowEdit, inputSchema, offers } = request;
  const choices = readChoices(request);
  const args = isObject(inputSchema) ? inputSchema : { type: 'object' };
  return {
    approved: { type: 'boolean' },
    reason: TEXT,
    ...(allowEdit === true && { editedArgs: args }),
    ...(choices !== undefined && {
      choice: { oneOf: choices.map(({ id, label }) => ({ const: id, title: label })) },
    }),
    ...(Array.isArray(offers) && offers.includes('session') && { offer: { enum: offers } }),
  };
}

/** Other words than the options are an answer too. */
function answerField(asked: unknown): JsonObject {
  if (!isObject(asked)) return TEXT;
  const { question, options, multiSelect } = asked;
  const listed: readonly unknown[] = Array.isArray(options) ? options : [];
  const labels = listed.flatMap((one) => (isObject(one) && isText(one.label) ? one.label : []));
  const named = isText(question) ? { title: question } : {};
  const shown = labels.length > 0 ? { examples: labels } : {};
  if (multiSelect !== true) return { type: 'string', ...named, ...shown };
  return { type: 'array', ...named, items: { type: 'string', ...shown } };
}
