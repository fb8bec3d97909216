/**
 * Transcripts of Claude Code: `projects/<folder>/<session id>.jsonl`.
 *
 * A line is read only if it is a part of the conversation: sidechains (subagents), meta lines, summaries, system lines,
 * snapshots and attachments are skipped. Each content block of an answer has a line of its own, and lines of one answer share
 * `message.id`. A user line with text begins a turn; one with tool results alone does not. The file has no line for the end
 * of a turn: it ends before the line after an answer that stopped by itself, or before the next turn.
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

/** Lines of the same answer are near one another; only they can repeat a block. */
const REMEMBERED_RESPONSES = 16;
const STOPPED: ReadonlySet<unknown> = new Set([
  'end_turn',
  'stop_sequence',
  'max_tokens',
  'refusal',
]);
const INTERRUPTED = /^\[Request interrupted by user/;
/** What a command of the program itself printed; the model reads it, and no person wrote it. */
const PRINTED_BY_PROGRAM = /^<(local-command|bash-std)/;
const COMMAND_NAME =
  /^<command-[\s\S]*?<command-name>\/?([^<]*)<\/command-name>|^<command-name>\/?([^<]*)<\/command-name>/;
const COMMAND_ARGUMENTS = /<command-args>([\s\S]*)<\/command-args>/;

export class ClaudeCodeFormat implements TranscriptFormat {
  readonly session: MutableCliSession = { provider: 'claude-code', cliSessionId: '' };
  #turnId: string | undefined;
  #isTurnOpen = false;
  /** The id of an answer that stopped by itself. */
  #stopped: string | undefined;
  readonly #blocks = new Map<string, Set<string>>();

  read(line: JsonObject, out: EntryWriter): void {
    const { sessionId, cwd, type } = line;
    if (this.session.cliSessionId === '' && isText(sessionId))
      this.session.cliSessionId = sessionId;
    if (line.isSidechain === true || line.isMeta === true) return;
    const message = objectOf(line.message);
    if (this.#stopped !== undefined && message.id !== this.#stopped)
      this.#endTurn(out, 'completed');
    if (type !== 'user' && type !== 'assistant') return;
    if (line.isCompactSummary === true || line.isVisibleInTranscriptOnly === true) return;
    if (isText(cwd)) this.session.cwd ??= cwd;
    out.nameLine(line.uuid, line.timestamp);
    if (type === 'user') this.#readUser(line, message, out);
    else this.#readAssistant(line, message, out);
  }

  #readUser(line: JsonObject, message: JsonObject, out: EntryWriter): void {
    const blocks = blocksOf(message.content);
    const results = blocks.filter(isResult);
    for (const block of results) {
      const isOnly = results.length === 1;
      this.#addResult(block, isOnly ? line.toolUseResult : undefined, out);
    }
    const words = blocks.filter((block) => !isResult(block));
    const text = messageText(textOf(words));
    if (text === '') return;
    if (INTERRUPTED.test(text)) {
      this.#endTurn(out, 'interrupted');
      return;
    }
    this.#endTurn(out, 'completed');
    this.#turnId = out.lineId;
    this.#isTurnOpen = true;
    out.add('turn_started', { turnId: this.#turnId }, {});
    out.add('user_message', { turnId: this.#turnId }, { text });
  }

  #readAssistant(line: JsonObject, message: JsonObject, out: EntryWriter): void {
    const { id, model, stop_reason: stopReason } = message;
    const responseId = isText(id) ? id : undefined;
    const names = { turnId: this.#turnId, responseId };
    const blocks = blocksOf(message.content);
    if (line.isApiErrorMessage === true) {
      out.add('error', { turnId: this.#turnId }, { message: textOf(blocks) });
      return;
    }
    if (isText(model) && model !== '<synthetic>') this.session.model = model;
    for (const block of blocks) {
      const { type, text, thinking, name, input } = block;
      if (this.#isRepeated(responseId, block)) continue;
      if (type === 'text' && isText(text) && text !== '')
        out.add('assistant_text', names, { text });
      if (type === 'thinking' && isText(thinking) && thinking !== '') {
        out.add('thinking', names, { text: thinking });
      }
      if (type === 'tool_use' || type === 'server_tool_use') {
        out.addCall({ ...names, toolCallId: block.id }, name, objectOf(input));
      }
      if (isResult(block)) this.#addResult(block, undefined, out);
    }
    // A hook may make the agent go on after it stopped.
    this.#isTurnOpen = this.#turnId !== undefined;
    this.#stopped = STOPPED.has(stopReason) ? (responseId ?? out.lineId) : undefined;
  }

  /** `structured` is the output as the tool gave it; the block has what the model reads. */
  #addResult(block: JsonObject, structured: Json | undefined, out: EntryWriter): void {
    const isImage = objectOf(structured).type === 'image';
    const output =
      structured === undefined || isImage ? outputOf(block.content, out.warn) : structured;
    const names = { turnId: this.#turnId, toolCallId: block.tool_use_id };
    out.addResult(names, output, block.is_error === true);
  }

  /** Some versions write an answer again with each of its lines. */
  #isRepeated(responseId: string | undefined, block: JsonObject): boolean {
    if (responseId === undefined) return false;
    const { type, id, text, thinking } = block;
    const key = JSON.stringify([type, id ?? text ?? thinking]);
    const known = this.#blocks.get(responseId);
    if (known?.has(key) === true) return true;
    if (known !== undefined) {
      known.add(key);
      return false;
    }
    this.#blocks.set(responseId, new Set([key]));
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size > REMEMBERED_RESPONSES && oldest !== undefined)
      this.#blocks.delete(oldest);
    return false;
  }

  #endTurn(out: EntryWriter, reason: 'completed' | 'interrupted'): void {
    this.#stopped = undefined;
    if (!this.#isTurnOpen) return;
    this.#isTurnOpen = false;
    out.add('turn_ended', { turnId: this.#turnId }, { reason });
  }
}

/** Also of tools that the model's provider runs: `web_search_tool_result`. */
function isResult({ type, tool_use_id: of }: JsonObject): boolean {
  return isText(of) && isText(type) && type.endsWith('tool_result');
}

/** The words of the person; empty for a text that the program wrote. */
function messageText(written: string): string {
  const text = written.trim();
  if (PRINTED_BY_PROGRAM.test(text)) return '';
  const [, later, first] = COMMAND_NAME.exec(text) ?? [];
  const name = later ?? first;
  if (name === undefined) return text;
  const [, words = ''] = COMMAND_ARGUMENTS.exec(text) ?? [];
  return `/${name} ${words}`.trim();
}
