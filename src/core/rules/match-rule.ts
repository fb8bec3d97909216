/**
 * Whether one rule is about one call: its tool, and the one thing of the input that it looks at.
 *
 * A pattern allows only tools whose input is known: which field has the path or the address, and that no other field leads
 * elsewhere. A bug here looks like a rule that allows a call which its maker did not mean.
 */
import type { JsonObject } from '../../protocol/json.ts';
import type { Rule } from '../../protocol/schema/rule.ts';
import { isShell, readsPosix } from '../../protocol/shell-tools.ts';
import { digestHeldRule, digestRule } from '../digest.ts';
import { findPrefix, readPrefix } from './command-prefix.ts';
import type { Finding } from './finding.ts';
import { coversHost, findHost } from './host-pattern.ts';
import { type ParsedCommand, parseCommand } from './parse-command.ts';
import { coversPath, findPath } from './path-glob.ts';

export interface RuledCall {
  readonly toolName: string;
  readonly input: JsonObject;
  /** Of an input that is held beside its record. */
  readonly sha256?: string | undefined;
  /** Of the whole input, where `input` is only a part of it. */
  readonly ruleDigest?: string;
  /** Where the agent works; relative paths begin there. */
  readonly folder?: string | undefined;
}

const SERVER_WILDCARD = '*';

/** An exact name, or `mcp__server__*`. To allow, the rest is the name of one tool, and of no other server. */
export function coversTool(rule: Rule, toolName: string): boolean {
  if (!rule.toolName.endsWith(SERVER_WILDCARD)) return rule.toolName === toolName;
  const begin = rule.toolName.slice(0, -SERVER_WILDCARD.length);
  const rest = toolName.startsWith(begin) ? toolName.slice(begin.length) : '';
  return rest !== '' && (rule.effect !== 'allow' || !rest.includes('__'));
}

/** The tools that work on one file, with the fields that name it. */
const FILE_TOOL_NAMES: ReadonlySet<string> = new Set([
  'Edit',
  'LS',
  'List',
  'MultiEdit',
  'NotebookEdit',
  'NotebookRead',
  'Read',
  'Write',
]);
const RULE_PATH_FIELDS = ['file_path', 'notebook_path', 'path'] as const;
const OTHER_PATH_FIELD = /path|file|dir|folder|dest|target|root|cwd/i;
const FETCH_WORD = /fetch/i;
const OTHER_URL_FIELD = /url|uri|host|proxy|endpoint|address|server/i;
/** Fields beside the command of a shell that change nothing of what it runs. */
const RULE_COMMAND_FIELDS: ReadonlySet<string> = new Set([
  'command',
  'description',
  'run_in_background',
  'timeout',
  'timeout_ms',
]);

/** Whether a rule looks at the value of this field; of the others it knows only that they are there. */
export function isJudgedField(name: string): boolean {
  return name === 'command' || OTHER_PATH_FIELD.test(name) || OTHER_URL_FIELD.test(name);
}

export function isFileTool(toolName: string): boolean {
  return FILE_TOOL_NAMES.has(toolName);
}

export function isFetchTool(toolName: string): boolean {
  return FETCH_WORD.test(toolName) && !isShell(toolName);
}

/** For a rule without a command: whether it allows the call. */
export function coversCall(rule: Rule, call: RuledCall): boolean {
  if (!coversTool(rule, call.toolName) || rule.command !== undefined) return false;
  if (rule.path !== undefined) return coversFile(rule.path, call);
  if (rule.host !== undefined) return coversFetch(rule.host, call);
  if (rule.inputDigest !== undefined) return isSameInput(rule.inputDigest, call);
  // Rules of before effects were confirmed on the screen alone.
  return rule.effect === undefined || rule.everyCommand === true || !isShell(call.toolName);
}

function coversFile(glob: string, { toolName, input, folder }: RuledCall): boolean {
  const given = RULE_PATH_FIELDS.filter((field) => Object.hasOwn(input, field));
  const others = Object.keys(input).filter(
    (field) => OTHER_PATH_FIELD.test(field) && !given.some((known) => known === field),
  );
  if (!isFileTool(toolName) || given.length === 0 || others.length > 0) return false;
  return given.every((field) => coversPath(glob, input[field] ?? null, folder));
}

function coversFetch(pattern: string, { toolName, input }: RuledCall): boolean {
  const others = Object.keys(input).filter(
    (field) => field !== 'url' && OTHER_URL_FIELD.test(field),
  );
  if (!isFetchTool(toolName) || others.length > 0) return false;
  return coversHost(pattern, input.url ?? null);
}

/** The command of a call, where its words decide; undefined where they cannot. */
export function readRuledCommand({ toolName, input }: RuledCall): ParsedCommand | undefined {
  const { command } = input;
  const isKnown = Object.keys(input).every((field) => RULE_COMMAND_FIELDS.has(field));
  if (typeof command !== 'string' || !isKnown || !readsPosix(toolName)) return undefined;
  return parseCommand(command);
}

/** For a rule that denies or asks. `parsed` is the command of the call, however odd. */
export function matchCall(rule: Rule, call: RuledCall, parsed: () => ParsedCommand): Finding {
  if (!coversTool(rule, call.toolName)) return 'no';
  const { input, folder } = call;
  if (rule.command !== undefined) {
    return 'command' in input || isShell(call.toolName)
      ? findPrefix(readPrefix(rule.command), parsed())
      : 'no';
  }
  const { path, host } = rule;
  if (path !== undefined) {
    return worst(input, OTHER_PATH_FIELD, (value) => findPath(path, value, folder));
  }
  if (host !== undefined) return worst(input, OTHER_URL_FIELD, (value) => findHost(host, value));
  return rule.inputDigest === undefined || isSameInput(rule.inputDigest, call) ? 'yes' : 'no';
}

/** The command as a rule that denies reads it: of a tool that takes a list, its words in one line. */
export function readAnyCommand({ toolName, input }: RuledCall): ParsedCommand {
  const { command } = input;
  const text = Array.isArray(command) ? command.map(String).join(' ') : command;
  if (typeof text !== 'string') return { commands: [], isUnderstood: false };
  const parsed = parseCommand(text);
  const isUnderstood = parsed.isUnderstood && typeof command === 'string' && readsPosix(toolName);
  return { ...parsed, isUnderstood };
}

function worst(
  input: JsonObject,
  fields: RegExp,
  find: (value: JsonObject[string]) => Finding,
): Finding {
  const found = Object.entries(input)
    .filter(([field]) => fields.test(field))
    .map(([, value]) => find(value));
  if (found.includes('yes')) return 'yes';
  return found.includes('unclear') ? 'unclear' : 'no';
}

function isSameInput(inputDigest: string, call: RuledCall): boolean {
  const { toolName, input, sha256, ruleDigest } = call;
  if (ruleDigest !== undefined) return inputDigest === ruleDigest;
  const digest =
    sha256 === undefined ? digestRule(toolName, input) : digestHeldRule(toolName, sha256);
  return inputDigest === digest;
}
