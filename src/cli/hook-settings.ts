/**
 * The hooks of Holdpoint in the settings of Claude Code and Codex, as pure changes of their JSON.
 *
 * Entries of other programs stay where they are. Own entries are known by their command, so that a second `connect`
 * replaces them and `--remove` finds them, also after the file was changed by other programs.
 */
import type { HookProgram } from '../integrations/hooks/read-hook.ts';
import { isObject, isText, type JsonObject } from '../protocol/types.ts';
import { LIMITS } from '../protocol/limits.ts';
import { CliError } from './exit-code.ts';

export interface HookWish {
  readonly program: HookProgram;
  /** The words that start `holdpoint`, quoted for a shell. */
  readonly start: string;
  /** The tools that are asked about before every call. */
  readonly every: string | undefined;
  /** Options of the asking commands, quoted for a shell; each begins with a blank. */
  readonly options: string;
}

/** A minute more than the wait of the command, so that its denial arrives before the program gives up on it. */
const TIMEOUT_SECONDS = LIMITS.hookWaitSeconds + 60;
/** By these the terminal's own answers, and what a person changed, become known (HOOK-4). Codex has no need of them. */
const REPORTING_EVENTS = ['PostToolUse', 'PostToolUseFailure'];
const OWN_COMMAND =
  /\bhook (?:claude-code|codex)(?: --[a-z-]+(?: (?:'[^']*'|\\'|[^\s'|&;\\-][^\s'|&;\\]*)+)?)*(?: \|\| exit 2)?$/;

export function withHooks(settings: JsonObject, wish: HookWish): JsonObject {
  const { program, every } = wish;
  const rest = withoutHooks(settings);
  const hooks: JsonObject = { ...hooksOf(rest) };
  const add = (event: string, entry: JsonObject) => {
    hooks[event] = [...entriesOf(hooks[event], event), entry];
  };
  add('PermissionRequest', { matcher: '*', hooks: [asking(wish)] });
  if (every !== undefined) add('PreToolUse', { matcher: every, hooks: [asking(wish)] });
  if (program === 'claude-code') add('Elicitation', { matcher: '*', hooks: [asking(wish)] });
  // What cannot be reported must still go on: these block nothing.
  const reporting = { type: 'command', command: `${wish.start} hook ${program}` };
  if (program === 'claude-code') {
    for (const event of REPORTING_EVENTS) add(event, { matcher: '*', hooks: [reporting] });
  }
  add('Stop', { hooks: [reporting] });
  return { ...rest, hooks };
}

/** Both programs run the tool where a command is missing or fails; exit code 2 blocks it. */
function asking({ program, start, options }: HookWish): JsonObject {
  return {
    type: 'command',
    command: `${start} hook ${program} --wait ${LIMITS.hookWaitSeconds}${options} || exit 2`,
    timeout: TIMEOUT_SECONDS,
    // Codex knows no such field; Claude Code blocks with it also when the time is over.
    ...(program === 'claude-code' && { onFailure: 'block' }),
  };
}

/** Removes what becomes empty by it, and nothing that was empty before. */
export function withoutHooks(settings: JsonObject): JsonObject {
  const { hooks: _, ...rest } = settings;
  const before = hooksOf(settings);
  const events = Object.entries(before).flatMap(([event, entries]) => {
    const kept = entriesOf(entries, event).flatMap((entry) => withoutOwn(entry));
    const isEmptied = kept.length === 0 && entriesOf(entries, event).length > 0;
    return isEmptied ? [] : [[event, kept] as const];
  });
  if (!('hooks' in settings)) return rest;
  const isEmptied = events.length === 0 && Object.keys(before).length > 0;
  // In its place, so that the order of the file stays.
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => {
      if (name !== 'hooks') return [[name, value]];
      return isEmptied ? [] : [[name, Object.fromEntries(events)]];
    }),
  );
}

/** The own command that asks for permission, and the tools that are asked about before every call. */
export function findAsking(settings: JsonObject): { command?: string; every?: string } {
  const hooks = hooksOf(settings);
  const own = (event: string) =>
    entriesOf(hooks[event], event).find(
      (entry) => isObject(entry) && Array.isArray(entry.hooks) && entry.hooks.some(isOwn),
    );
  const asking = own('PermissionRequest');
  const handler = Array.isArray(asking?.hooks) ? asking.hooks.find(isOwn) : undefined;
  const command = isObject(handler) && isText(handler.command) ? handler.command : undefined;
  const every = own('PreToolUse')?.matcher;
  return { ...(command !== undefined && { command }), ...(isText(every) && { every }) };
}

export function hasHooks(settings: JsonObject): boolean {
  return JSON.stringify(withoutHooks(settings)) !== JSON.stringify(settings);
}

function withoutOwn(entry: unknown): JsonObject[] {
  if (!isObject(entry) || !Array.isArray(entry.hooks)) return [entry as JsonObject];
  const kept = entry.hooks.filter((hook) => !isOwn(hook));
  if (kept.length === entry.hooks.length) return [entry];
  return kept.length === 0 ? [] : [{ ...entry, hooks: kept }];
}

function isOwn(hook: unknown): boolean {
  return isObject(hook) && isText(hook.command) && OWN_COMMAND.test(hook.command);
}

function hooksOf({ hooks = {} }: JsonObject): JsonObject {
  if (isObject(hooks)) return hooks;
  throw new CliError('"hooks" is no object there; nothing was changed.');
}

function entriesOf(entries: unknown, event: string): JsonObject[] {
  if (entries === undefined) return [];
  if (Array.isArray(entries)) return entries as JsonObject[];
  throw new CliError(`"hooks" has something else than a list under ${event}; nothing was changed.`);
}
