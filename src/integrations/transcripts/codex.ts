/**
 * Transcripts of Codex: `sessions/<year>/<month>/<day>/rollout-<time>-<session id>.jsonl`.
 *
 * A file holds the conversation twice: as `response_item` for the model, with instructions and context that no person wrote,
 * and as `event_msg` for the screen. Messages and reasoning are read from the events, which three generations of the
 * program write differently; a message of the model's side alone is read once the next line shows that it has no event. Calls
 * and results are read from the response items, since only they have what the model sent.
 */
import type { Json, JsonObject } from '../../protocol/json.ts';
import { isText } from '../../protocol/types.ts';
import {
  type EntryWriter,
  blocksOf,
  objectOf,
  type MutableCliSession,
  outputOf,
  textOf,
  type TranscriptFormat,
} from './entry-writer.ts';

type MessageType = 'user_message' | 'assistant_text' | 'thinking';
interface Message {
  readonly type: MessageType;
  readonly text: string;
}

/** Instructions and context that the program puts into the conversation in the name of the person. */
const NOT_OF_A_PERSON =
  /^(?:<(?:environment_context|user_instructions|INSTRUCTIONS|permissions|turn_aborted|skill|user_shell_command|collaboration_mode)|# AGENTS\.md instructions)/;
/** More calls than run at once; a failure that is reported later than that is lost. */
const REMEMBERED_FAILURES = 1_000;

export class CodexFormat implements TranscriptFormat {
  readonly session: MutableCliSession = { provider: 'codex', cliSessionId: '' };
  #turnId: string | undefined;
  #isTurnOpen = false;
  /** Older versions do not write where a turn begins: there each message of the person does. */
  #isTurnNamed = false;
  /** A message of the model's side whose event may be the next line. */
  #held: Message | undefined;
  readonly #typesWithEvents = new Set<MessageType>();
  readonly #failed = new Set<string>();

  read(line: JsonObject, out: EntryWriter): void {
    out.nameLine(undefined, line.timestamp);
    const payload = objectOf(line.payload);
    switch (line.type) {
      case 'session_meta':
        return this.#readMeta(payload);
      case 'turn_context':
        if (isText(payload.model)) this.session.model = payload.model;
        return;
      case 'event_msg':
        return this.#readEvent(payload, out);
      case 'response_item':
        return this.#readItem(payload, out);
      case 'compacted':
        return;
      default:
        // Before `session_meta` was written, the lines were the response items themselves.
        if (line.payload !== undefined) return;
        if (isText(line.id) && line.type === undefined) this.#readMeta(line);
        else this.#readItem(line, out);
    }
  }

  /** The first one: a fork has that of its origin too. */
  #readMeta({ id, cwd }: JsonObject): void {
    if (this.session.cliSessionId !== '' || !isText(id)) return;
    this.session.cliSessionId = id;
    if (isText(cwd)) this.session.cwd = cwd;
  }

  #readEvent(payload: JsonObject, out: EntryWriter): void {
    const { type, turn_id: turnId, message } = payload;
    const shown = messageOfEvent(payload);
    if (shown !== undefined) {
      if (this.#held?.type === shown.type) this.#held = undefined;
      this.#releaseHeld(out);
      this.#typesWithEvents.add(shown.type);
      this.#addMessage(shown, out);
      return;
    }
    this.#releaseHeld(out);
    if (type === 'task_started') this.#beginTurn(isText(turnId) ? turnId : undefined, out);
    if (type === 'task_complete') this.#endTurn('completed', out);
    if (type === 'turn_aborted') this.#endTurn('interrupted', out);
    if (type === 'error' && isText(message)) out.add('error', this.#names, { message });
    this.#noteFailure(payload);
  }

  #readItem(item: JsonObject, out: EntryWriter): void {
    this.#releaseHeld(out);
    const { type, call_id: callId, name, input, arguments: written, output } = item;
    const names = { turnId: this.#turnId, toolCallId: callId ?? item.id };
    switch (type) {
      case 'message':
      case 'reasoning': {
        const held = messageOfItem(item);
        if (held !== undefined && !this.#typesWithEvents.has(held.type)) this.#held = held;
        return;
      }
      case 'function_call':
      case 'custom_tool_call':
      case 'local_shell_call':
        return out.addCall(names, name ?? type, codexInput(written ?? input ?? item.action, out));
      case 'function_call_output':
      case 'custom_tool_call_output':
        return this.#addResult(names, output, out);
    }
  }

  #addResult(
    names: { toolCallId: Json | undefined },
    written: Json | undefined,
    out: EntryWriter,
  ): void {
    // Some versions write the output as an object in which only `content` is for the model.
    const { content, success } = objectOf(written);
    const text = content ?? written;
    const output = isText(text) ? parseOutput(text, out) : outputOf(text, out.warn);
    const { exit_code: exitCode } = objectOf(objectOf(output).metadata);
    const isFailed = isText(names.toolCallId) && this.#failed.delete(names.toolCallId);
    const isError = isFailed || success === false || (exitCode !== undefined && exitCode !== 0);
    out.addResult(names, output, isError);
  }

  /** Only an event says whether a command failed; it comes before the output. */
  #noteFailure({ type, call_id: callId, exit_code: exitCode, success, item }: JsonObject): void {
    const { id, status } = objectOf(item);
    const failed =
      type === 'item_completed'
        ? status === 'failed' || status === 'declined'
        : isFailure(exitCode, success);
    const called = type === 'item_completed' ? id : callId;
    if (!failed || !isText(called)) return;
    this.#failed.add(called);
    const [oldest] = this.#failed;
    if (this.#failed.size > REMEMBERED_FAILURES && oldest !== undefined)
      this.#failed.delete(oldest);
  }

  #addMessage({ type, text }: Message, out: EntryWriter): void {
    const isBeginning = type === 'user_message' && (!this.#isTurnOpen || !this.#isTurnNamed);
    if (isBeginning) this.#beginTurn(undefined, out);
    out.add(type, this.#names, { text });
  }

  #releaseHeld(out: EntryWriter): void {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.#addMessage(held, out);
  }

  #beginTurn(turnId: string | undefined, out: EntryWriter): void {
    this.#endTurn('completed', out);
    this.#turnId = turnId ?? out.lineId;
    this.#isTurnNamed = turnId !== undefined;
    this.#isTurnOpen = true;
    out.add('turn_started', this.#names, {});
  }

  #endTurn(reason: 'completed' | 'interrupted', out: EntryWriter): void {
    if (!this.#isTurnOpen) return;
    this.#isTurnOpen = false;
    out.add('turn_ended', this.#names, { reason });
  }

  get #names() {
    return { turnId: this.#turnId };
  }
}

function isFailure(exitCode: Json | undefined, success: Json | undefined): boolean {
  return success === false || (typeof exitCode === 'number' && exitCode !== 0);
}

function messageOfEvent({ type, message, text, item }: JsonObject): Message | undefined {
  const { type: itemType, content, summary_text: summary } = objectOf(item);
  if (type === 'user_message') return messageOf('user_message', message);
  if (type === 'agent_message') return messageOf('assistant_text', message);
  if (type === 'agent_reasoning') return messageOf('thinking', text);
  if (type !== 'item_completed') return undefined;
  if (itemType === 'UserMessage') return messageOf('user_message', textOf(blocksOf(content)));
  if (itemType === 'AgentMessage') return messageOf('assistant_text', textOf(blocksOf(content)));
  if (itemType === 'Reasoning') return messageOf('thinking', joinTexts(summary));
  return undefined;
}

function messageOfItem({ type, role, content, summary }: JsonObject): Message | undefined {
  if (type === 'reasoning') return messageOf('thinking', textOf(blocksOf(summary)));
  const text = textOf(blocksOf(content));
  if (role === 'assistant') return messageOf('assistant_text', text);
  return role === 'user' && !NOT_OF_A_PERSON.test(text.trim())
    ? messageOf('user_message', text)
    : undefined;
}

function messageOf(type: MessageType, text: unknown): Message | undefined {
  return isText(text) && text.trim() !== '' ? { type, text } : undefined;
}

function joinTexts(texts: unknown): string {
  return Array.isArray(texts) ? texts.filter(isText).join('\n') : '';
}

/** Arguments are JSON in a text; the input of a custom tool is any text. */
function codexInput(written: Json | undefined, out: EntryWriter): JsonObject {
  const value = isText(written) ? out.parseInner(written) : written;
  const input = objectOf(value);
  return Object.keys(input).length > 0 ||
    value === undefined ||
    value === '' ||
    isEmptyObject(value)
    ? input
    : { input: value };
}

function isEmptyObject(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** An output is read as JSON only if it is an object, as older versions wrote it: `4` is what the command printed. */
function parseOutput(text: string, out: EntryWriter): Json {
  if (!text.startsWith('{')) return text;
  const value = out.parseInner(text);
  const { output, metadata } = objectOf(value);
  return isText(output) && metadata !== undefined ? value : text;
}
