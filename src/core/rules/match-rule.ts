/**
 * Whether one rule is about one call: its tool, and the one thing of the input that it looks at; and what the rules of a
 * session and of its workspace decide about the call together: the strictest that is about it wins.
 *
 * A pattern allows only tools whose input is known: which field has the path or the address, and that no other field
 * leads elsewhere. A bug here looks like a rule that allows a call which its maker did not mean.
 *
 * A command is allowed if rules cover each simple command in it, not necessarily the same one. A rule counts until its
 * expiry, by the server's clock. A bug here runs a call that no person allowed.
 */
import type { Json, JsonObject } from '../../protocol/json.ts';
import { isObject } from '../../protocol/types.ts';
import type { Rule } from '../../protocol/schema/rule.ts';
import { nameWhatRuns } from '../../protocol/command-runners.ts';
import { isShell, readsPosix } from '../../protocol/shell-tools.ts';
import { digestHeldRule, digestRule } from '../digest.ts';
import type { CitedRule, RuleScope } from '../../protocol/schema/cited-rule.ts';
import { describePattern } from '../../protocol/rule-words.ts';
import type { GatedRequest, GateOutcome } from '../../protocol/schema/gated-request.ts';
import { findPrefix, readPrefix, coversCommand } from './command-prefix.ts';
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
function coversTool(rule: Rule, toolName: string): boolean {
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
const OTHER_PATH_FIELD = /path|file|dir|folder|dest|target|root|cwd|^(?:src|source|from|to)$/i;
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

/** What rules look at: of the other fields they know only that they are there. */
export function judgedPart(input: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      isJudgedField(name) ? value : judgedWithin(value),
    ]),
  );
}

function judgedWithin(value: Json): Json {
  if (Array.isArray(value)) return value.map(judgedWithin).filter((part) => part !== null);
  return isObject(value) ? judgedPart(value) : null;
}

function isJudgedField(name: string): boolean {
  return name === 'command' || OTHER_PATH_FIELD.test(name) || OTHER_URL_FIELD.test(name);
}

export function isFileTool(toolName: string): boolean {
  return FILE_TOOL_NAMES.has(toolName);
}

export function isFetchTool(toolName: string): boolean {
  return FETCH_WORD.test(toolName) && !isShell(toolName);
}

/** For a rule without a command: whether it allows the call. */
function coversCall(rule: Rule, call: RuledCall): boolean {
  if (!coversTool(rule, call.toolName) || rule.command !== undefined) return false;
  if (rule.path !== undefined) return coversFile(rule.path, call);
  if (rule.host !== undefined) return coversFetch(rule.host, call);
  if (rule.inputDigest !== undefined) return isSameInput(rule.inputDigest, call);
  // Rules of before effects were confirmed on the screen alone.
  return rule.effect === undefined || rule.everyCommand === true || !isShell(call.toolName);
}

function coversFile(glob: string, { toolName, input }: RuledCall): boolean {
  const given = RULE_PATH_FIELDS.filter((field) => Object.hasOwn(input, field));
  const others = Object.keys(input).filter(
    (field) => OTHER_PATH_FIELD.test(field) && !given.some((known) => known === field),
  );
  if (!isFileTool(toolName) || given.length === 0 || others.length > 0) return false;
  const within = Object.values(input).flatMap((value) => [...valuesOf(value, OTHER_PATH_FIELD)]);
  if (within.length > 0) return false;
  return given.every((field) => coversPath(glob, input[field] ?? null));
}

function coversFetch(pattern: string, { toolName, input }: RuledCall): boolean {
  const others = Object.keys(input).filter(
    (field) => field !== 'url' && OTHER_URL_FIELD.test(field),
  );
  if (!isFetchTool(toolName) || others.length > 0) return false;
  return coversHost(pattern, input.url ?? null);
}

/** The command of a call, where its words decide; undefined where they cannot. */
function readRuledCommand({ toolName, input }: RuledCall): ParsedCommand | undefined {
  const { command } = input;
  const isKnown = Object.keys(input).every((field) => RULE_COMMAND_FIELDS.has(field));
  if (typeof command !== 'string' || !isKnown || !readsPosix(toolName)) return undefined;
  return parseCommand(command);
}

/** For a rule that denies or asks. `parsed` is the command of the call, however odd. */
function matchCall(rule: Rule, call: RuledCall, parsed: () => ParsedCommand): Finding {
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
function readAnyCommand({ toolName, input }: RuledCall): ParsedCommand {
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
  let found: Finding = 'no';
  for (const value of valuesOf(input, fields)) {
    const here = find(value);
    if (here === 'yes') return 'yes';
    if (here === 'unclear') found = 'unclear';
  }
  return found;
}

/** The values of these fields at any depth: `edits[].file_path`, `paths[]`, `from.dir`. */
function* valuesOf(value: Json, fields: RegExp, isNamed = false): Generator<Json> {
  if (Array.isArray(value)) {
    for (const part of value) yield* valuesOf(part, fields, isNamed);
  } else if (isObject(value)) {
    for (const [name, part] of Object.entries(value)) {
      yield* valuesOf(part, fields, isNamed || fields.test(name));
    }
  } else if (isNamed) yield value;
}

function isSameInput(inputDigest: string, call: RuledCall): boolean {
  const { toolName, input, sha256, ruleDigest } = call;
  if (ruleDigest !== undefined) return inputDigest === ruleDigest;
  const digest =
    sha256 === undefined ? digestRule(toolName, input) : digestHeldRule(toolName, sha256);
  return inputDigest === digest;
}

export interface ScopedRule {
  readonly rule: Rule;
  readonly scope: RuleScope;
}

export type RuleVerdict =
  | { readonly effect: 'allow' | 'deny'; readonly by: CitedRule; readonly reason?: string }
  /** `isUnclear`: whether a rule that denies or asks is about this input cannot be read from it. */
  | { readonly effect: 'ask'; readonly by: CitedRule; readonly isUnclear?: true };

/** Undefined if no rule is about the call. */
export function judgeCall(
  rules: readonly ScopedRule[],
  call: RuledCall,
  now: number,
): RuleVerdict | undefined {
  const live = rules.filter(({ rule }) => isLive(rule, now) && coversTool(rule, call.toolName));
  if (live.length === 0) return undefined;
  return judgeStrict(live, call) ?? judgeAllowed(live, call);
}

export function isLive({ expiresAt }: Pick<Rule, 'expiresAt'>, now: number): boolean {
  return expiresAt === undefined || expiresAt > now;
}

function judgeStrict(live: readonly ScopedRule[], call: RuledCall): RuleVerdict | undefined {
  let parsed: ParsedCommand | undefined;
  const readOnce = () => (parsed ??= readAnyCommand(call));
  let asks: { readonly found: Finding; readonly by: ScopedRule } | undefined;
  for (const effect of ['deny', 'ask'] as const) {
    for (const by of live) {
      if (by.rule.effect !== effect) continue;
      const found = matchCall(by.rule, call, readOnce);
      if (found === 'yes' && effect === 'deny') return denied(by);
      const isFirst = asks === undefined || (asks.found === 'unclear' && found === 'yes');
      if (found !== 'no' && isFirst) asks = { found, by };
    }
  }
  if (asks === undefined) return undefined;
  const isUnclear = asks.found === 'unclear';
  return { effect: 'ask', by: citeRule(asks.by), ...(isUnclear && { isUnclear }) };
}

function denied(by: ScopedRule): RuleVerdict {
  const { reason } = by.rule;
  return { effect: 'deny', by: citeRule(by), ...(reason !== undefined && { reason }) };
}

function judgeAllowed(live: readonly ScopedRule[], call: RuledCall): RuleVerdict | undefined {
  const allowing = live.filter(({ rule }) => (rule.effect ?? 'allow') === 'allow');
  const whole = allowing.find(({ rule }) => coversCall(rule, call));
  if (whole !== undefined) return { effect: 'allow', by: citeRule(whole) };
  const byWords = allowing.flatMap((by) => {
    const { command } = by.rule;
    const prefix = command === undefined ? [] : readPrefix(command);
    // A rule of an older version may have a prefix that no rule can have today.
    return nameWhatRuns(prefix) ? [{ by, prefix }] : [];
  });
  const parsed = byWords.length === 0 ? undefined : readRuledCommand(call);
  if (parsed === undefined || !parsed.isUnderstood || parsed.commands.length === 0)
    return undefined;
  const used = new Set<ScopedRule>();
  for (const command of parsed.commands) {
    const found = byWords.find(({ prefix }) => coversCommand(prefix, command));
    if (found === undefined) return undefined;
    used.add(found.by);
  }
  const [first, ...others] = [...used];
  if (first === undefined) return undefined;
  const ids = others.map(({ rule }) => rule.id);
  return { effect: 'allow', by: { ...citeRule(first), ...(ids.length > 0 && { others: ids }) } };
}

/** Whether this rule alone allows the call, as a rule that is offered beside the call must. */
export function allowsByItself(rule: Rule, call: RuledCall): boolean {
  return (
    judgeAllowed([{ rule, scope: 'session' }], call) !== undefined &&
    coversTool(rule, call.toolName)
  );
}

function citeRule({ rule, scope }: ScopedRule): CitedRule {
  const { id, createdBy } = rule;
  return { rule: id, scope, createdBy, pattern: describePattern(rule) };
}

/** Whether a rule that denies or asks is about a call. What is unclear is asked about. */
export type Finding = 'yes' | 'no' | 'unclear';

export type Trial =
  | { readonly isTried: false }
  | { readonly isTried: true; readonly before: GateOutcome; readonly after: GateOutcome };

/**
 * What a rule would have made of earlier requests: each is judged by the rules of the workspace with it and without
 * it.
 *
 * Rules of sessions and modes are not known here, but what they made of a request is: a denial stays one, and a
 * request that a rule of its session wanted to be asked is still asked.
 */
export function tryRule(
  proposed: Rule,
  known: readonly Rule[],
  request: GatedRequest,
  now: number,
): Trial {
  const { input, ruleDigest, toolName, folder, outcome: before } = request;
  const isTried =
    input !== null && (proposed.inputDigest === undefined || ruleDigest !== undefined);
  if (!isTried) return { isTried };
  const call: RuledCall = { toolName, input, folder, ruleDigest: ruleDigest ?? '' };
  const judge = (rules: readonly Rule[]) =>
    judgeCall(
      rules.map((rule) => ({ rule, scope: 'workspace' as const })),
      call,
      now,
    )?.effect;
  const effect = judge([...known, proposed]);
  const isSame = effect === judge(known);
  return { isTried, before, after: isSame ? before : outcomeAfter(request, effect) };
}

function outcomeAfter({ outcome, by }: GatedRequest, effect: Rule['effect']): GateOutcome {
  if (outcome === 'denied' || effect === 'deny') return 'denied';
  if (effect === 'ask') return 'asked';
  const isWanted = by !== undefined && 'rule' in by;
  return outcome === 'asked' && isWanted ? 'asked' : 'allowed';
}
