/**
 * Reads the input of a hook: what Claude Code posts or writes to a command, and Codex writes to a command.
 *
 * A hook that asks must name a tool and its input, else it is malformed and nothing may run. An event that asks nothing is
 * read whatever else is in it: programs add events and fields, and a refusal would stop their users.
 */
import {
  isObject,
  isText,
  type CliSession,
  type JsonObject,
  type AppendedEvent,
} from '../../protocol/types.ts';
import { LIMITS, TEXT_CHARS } from '../../protocol/limits.ts';
import { readOddInput } from '../../protocol/odd-input.ts';
import { shownText } from '../claude/claude-sdk.ts';

export type HookProgram = 'claude-code' | 'codex';

/** The conversation of a hook. `cliSessionId` is as the program sent it. */
export interface Hook {
  readonly program: HookProgram;
  readonly event: string;
  readonly cli: CliSession;
  /** The prompt of the person, or the turn, that the hook belongs to. */
  readonly promptId: string | undefined;
  readonly body: JsonObject;
  /** The input of the call, where only text carries it without loss (INT-18). */
  readonly inputText: string | undefined;
}

export type HookReading =
  | { readonly ok: true; readonly hook: Hook }
  | { readonly ok: false; readonly message: string };

/** The member that has the input of the call. */
export const HOOK_INPUT = 'tool_input';

const CLI_SESSION_ID = /^(?!\.{1,2}$)[\x21-\x7e]+$/;
const TURN_ID = /^[A-Za-z0-9_.:-]{1,128}$/;

/** Codex names the turn of a hook, and Claude Code never does. */
export function programOf(body: JsonObject): HookProgram {
  return 'turn_id' in body ? 'codex' : 'claude-code';
}

/** With `inputText`, `given` has another object in the place of the input. */
export function readHook(given: JsonObject, program: HookProgram, inputText?: string): HookReading {
  const body =
    inputText === undefined ? given : { ...given, [HOOK_INPUT]: readOddInput(inputText) };
  const { hook_event_name: event, session_id: id, cwd, model } = body;
  if (!isText(event) || event === '') return malformed('hook_event_name: name the event');
  if (!isText(id) || id.length > LIMITS.cliSessionIdChars || !CLI_SESSION_ID.test(id)) {
    return malformed(
      `session_id: use 1 to ${LIMITS.cliSessionIdChars} visible ASCII characters, and not . or ..`,
    );
  }
  const missing = missingPart(event, body);
  if (missing !== undefined) return malformed(missing);
  const promptId = body.prompt_id ?? body.turn_id;
  const cli = {
    provider: program,
    cliSessionId: id,
    ...(isText(cwd) && cwd.length <= LIMITS.cliFolderChars && { cwd }),
    ...(isText(model) && model.length <= LIMITS.modelNameChars && { model }),
  };
  return {
    ok: true,
    hook: {
      program,
      event,
      cli,
      promptId: isText(promptId) && TURN_ID.test(promptId) ? promptId : undefined,
      body,
      inputText,
    },
  };
}

function missingPart(event: string, body: JsonObject): string | undefined {
  const lacksText = (name: string) => !isText(body[name]) || body[name] === '';
  switch (event) {
    case 'PreToolUse':
    case 'PermissionRequest':
      if (lacksText('tool_name')) return 'tool_name: name the tool';
      if (!isObject(body.tool_input)) return 'tool_input: send the input of the tool, an object';
      return event === 'PreToolUse' && lacksText('tool_use_id')
        ? 'tool_use_id: name the call'
        : undefined;
    case 'Elicitation':
      return lacksText('mcp_server_name') ? 'mcp_server_name: name the server' : undefined;
    default:
      return undefined;
  }
}

function malformed(message: string): HookReading {
  return { ok: false, message };
}

const AFTER_TOOL = new Set(['PostToolUse', 'PostToolUseFailure']);

/** The tool has run. */
export function isAfterTool({ event }: Pick<Hook, 'event'>): boolean {
  return AFTER_TOOL.has(event);
}

/** These only mean that a question is open, and the question itself is in the session. */
const ABOUT_QUESTIONS = new Set(['permission_prompt', 'elicitation_dialog']);

/**
 * What a hook that asks nothing adds to the session: the last text of a turn and its end, and what a program
 * announces.
 */
export function notesOf({ event, body, promptId }: Hook): AppendedEvent[] {
  const turn = promptId === undefined ? {} : { turnId: promptId };
  const textEvents = (text: unknown): AppendedEvent[] =>
    isText(text) && text.trim() !== ''
      ? [{ type: 'assistant_text', ...turn, payload: { text: shownText(text, TEXT_CHARS) } }]
      : [];
  if (event === 'Notification') {
    const { notification_type: type, message } = body;
    return isText(type) && ABOUT_QUESTIONS.has(type) ? [] : textEvents(message);
  }
  if (event !== 'Stop') return [];
  const { background_tasks: tasks, last_assistant_message: text } = body;
  // A task in the background may still ask in this turn; the end of the turn would cancel its question.
  const isOver = promptId !== undefined && !(Array.isArray(tasks) && tasks.length > 0);
  return [
    ...textEvents(text),
    ...(isOver
      ? [{ type: 'turn_ended', ...turn, payload: { reason: 'completed' } } as AppendedEvent]
      : []),
  ];
}
