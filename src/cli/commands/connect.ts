/**
 * `holdpoint connect`: puts the hooks into the settings of Claude Code or Codex, and takes them out again.
 *
 * 1. The person sees the difference of the file before it is written, and no credential is in it: the settings name a command,
 *    and the command reads the key from a private file.
 * 2. `--remove` gives back the very text that was there before, unless the file was changed since; then it takes out the own
 *    entries alone.
 */
import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { promisify } from 'node:util';
import { readPart } from '../../client/requests/http-calls.ts';
import type { HookProgram } from '../../integrations/hooks/read-hook.ts';
import { isObject, isText, type JsonObject } from '../../protocol/types.ts';
import {
  askingModeOf,
  MODE_THAT_ASKS,
  modeIn,
  readClaudeSettings,
  withMode,
  withoutMode,
} from '../asking-mode.ts';
import { type AgentKey, removeAgentKey, writeAgentKey } from '../credential-files.ts';
import { type CliCall, type CliAction, readDeciding } from '../cli-command.ts';
import { CliError, describeCause, EXIT, usageError } from '../exit-code.ts';
import { isRefusedWith } from '../find-session.ts';
import { hasHooks, withHooks, withoutHooks } from '../hook-settings.ts';
import { changedLines } from '../show-interaction.ts';
import { privateFileOf, readPrivately, writePrivately } from '../private-file.ts';
import {
  findAgentAccess,
  findPersonAccess,
  httpCallsOf,
  localAccess,
  localUrl,
  nonEmpty,
  type ServerAccess,
} from '../server-access.ts';
import {
  readSettings,
  replaceSettings,
  type SettingsFile,
  formatSettings,
} from '../settings-file.ts';
import { shellWord } from './approve.ts';

/** Under this name `holdpoint keys` lists the key of a machine. */
const KEY_NAME = 'hooks of coding agents';

/** Of one file before and after; a private file may have 64 KiB. */
const KEPT_OUTPUT_CHARS = 20_000;

export const connectAgent: CliAction = async (call) => {
  const program = readProgram(call);
  const { args, terminal } = call;
  const isInProject = args.has('project');
  if (isInProject && args.has('user')) throw usageError('Give --project or --user, not both.');
  const file = settingsFileOf(call, program, isInProject);
  const found = await readSettings(file, isInProject ? terminal.cwd : undefined);
  return args.has('remove') ? disconnectProgram(call, found) : connectProgram(call, program, found);
};

export function readProgram({ args }: CliCall): HookProgram {
  const [name, more] = args.positionals;
  if (more === undefined && (name === 'claude-code' || name === 'codex')) return name;
  throw usageError('Use: holdpoint connect claude-code, or holdpoint connect codex.');
}

export function settingsFileOf(
  { terminal: { env, home, cwd } }: Pick<CliCall, 'terminal'>,
  program: HookProgram,
  isInProject: boolean,
): string {
  const [folder, name, variable] =
    program === 'codex'
      ? ['.codex', 'hooks.json', 'CODEX_HOME']
      : ['.claude', 'settings.json', 'CLAUDE_CONFIG_DIR'];
  if (isInProject) return path.join(cwd, folder, name);
  return path.join(nonEmpty(env[variable]) ?? path.join(home, folder), name);
}

async function connectProgram(call: CliCall, program: HookProgram, found: SettingsFile) {
  const { args, terminal, out } = call;
  const wish = {
    program,
    start: await startWords(call),
    every: args.text('every'),
    options: hookOptions(args),
  };
  const mode = program === 'claude-code' ? await modeToSet(call, found) : undefined;
  const before = mode === undefined ? found.settings : withMode(found.settings, mode);
  const settings = withHooks(before, wish);
  const isThere = found.text !== undefined && isSameJson(settings, found.settings);
  const after = isThere ? (found.text ?? '') : formatSettings(found, settings);
  const key = await ensureKey(call);
  if (after !== found.text) {
    if (!(await isWanted(call, found, after))) return EXIT.refused;
    await replaceSettings(found, after);
    await remember(call, found, after);
  }
  const keyFile = await writeAgentKey(terminal, key);
  const changed = after === found.text ? 'has the hooks already' : 'has the hooks now';
  const silent = await whyNothingIsAsked(call, program);
  if (call.isJson) {
    out.json({ file: found.file, changed: after !== found.text, url: key.url, warning: silent });
  } else {
    out.print(`${found.file} ${changed}. They ask at ${key.url}, with the key in ${keyFile}.`);
    if (silent !== undefined) call.err.print({ text: silent, style: 'yellow' });
    out.print('`holdpoint doctor` sends a harmless call through the hooks.');
  }
  return silent === undefined || program === 'codex' ? EXIT.ok : EXIT.refused;
}

/** The mode in which Claude Code asks: with --manual, and where nothing names one and no tool is asked about before every call. */
async function modeToSet(call: CliCall, found: SettingsFile): Promise<string | undefined> {
  const { args } = call;
  if (args.has('manual')) return MODE_THAT_ASKS;
  if (args.has('every') || modeIn(found.settings) !== undefined) return undefined;
  const now = askingModeOf(
    await readClaudeSettings(call.terminal, settingsFileOf(call, 'claude-code', false)),
  );
  return now.asks || now.isSet ? undefined : MODE_THAT_ASKS;
}

/** The problem in words that say what to do; undefined where the program asks. */
async function whyNothingIsAsked(call: CliCall, program: HookProgram): Promise<string | undefined> {
  if (program === 'codex') {
    return 'Codex asks nobody until these hooks are trusted, and does not say so: start codex and trust them with /hooks. Where no person starts it, as in CI, run codex exec --dangerously-bypass-hook-trust.';
  }
  const files = await readClaudeSettings(call.terminal, settingsFileOf(call, 'claude-code', false));
  const now = askingModeOf(files);
  if (now.asks || (call.args.has('every') && !now.isOff)) return undefined;
  const remedy = now.isOff
    ? 'Take that out.'
    : "Run this again with --manual, which sets the mode that asks, or with --every 'Bash|Write|Edit', which asks before every call of these tools in any mode.";
  return `Nothing is asked yet: ${now.why}. ${remedy}`;
}

/** What the person chose for every request, as the command that asks takes it. */
function hookOptions(args: CliCall['args']): string {
  const { approvals, notRequester } = readDeciding(args);
  const names = args.text('for');
  return [
    ...(approvals === undefined ? [] : [` --approvals ${approvals}`]),
    ...(notRequester === true ? [' --not-requester'] : []),
    ...(names === undefined ? [] : [` --for ${shellWord(names)}`]),
  ].join('');
}

async function disconnectProgram(call: CliCall, found: SettingsFile) {
  const { terminal, out } = call;
  const known = await readConnections(call);
  const entry = known[found.target];
  const isOurs = isObject(entry) && entry.after === found.text;
  const rest = withoutOwnMode(withoutHooks(found.settings), entry);
  const before = isObject(entry) && isText(entry.before) ? entry.before : undefined;
  const after = isOurs
    ? before
    : hasHooks(found.settings)
      ? formatSettings(found, rest)
      : found.text;
  if (after !== found.text) {
    if (!(await isWanted(call, found, after))) return EXIT.refused;
    await replaceSettings(found, after);
  }
  const { [found.target]: _, ...others } = known;
  await writeConnections(call, others);
  // Another program of this machine may still ask with it.
  const isLast = Object.keys(others).length === 0;
  if (isLast) await removeAgentKey(terminal);
  if (call.isJson) out.json({ file: found.file, changed: after !== found.text });
  else {
    out.print(
      `${found.file} has no hooks of holdpoint${after === undefined ? ': it is removed' : ''}.`,
    );
    if (isLast)
      out.print('The key is removed here; `holdpoint keys revoke ID` ends it on the server.');
  }
  return EXIT.ok;
}

/** The mode goes with the hooks, unless it was there before or has been changed since. */
function withoutOwnMode(settings: JsonObject, entry: unknown): JsonObject {
  if (!isObject(entry) || !isText(entry.after)) return settings;
  const [before, after] = [entry.before, entry.after].map((text) =>
    isText(text) ? modeIn(parseObject(text)) : undefined,
  );
  const isOwn = before === undefined && after !== undefined && modeIn(settings) === after;
  return isOwn ? withoutMode(settings) : settings;
}

function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isSameJson(one: JsonObject, other: JsonObject): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Shows the difference, and asks at a terminal. */
async function isWanted(call: CliCall, found: SettingsFile, after: string | undefined) {
  const { args, terminal, err } = call;
  const { file, target, text } = found;
  err.print({ text: file === target ? file : `${file}, which is ${target}`, style: 'bold' });
  for (const line of changedLines(text ?? '', after ?? '')) err.print(...line);
  if (args.has('yes')) return true;
  if (terminal.stdin.isTTY !== true) {
    throw usageError('Nothing was changed. Run it again with --yes to make this change.');
  }
  err.prompt('Make this change? [y/N] ');
  const lines = createInterface({ input: terminal.stdin, terminal: false });
  try {
    const line = await lines[Symbol.asyncIterator]().next();
    if (line.done !== true && /^y(es)?$/i.test(line.value.trim())) return true;
  } finally {
    lines.close();
  }
  err.print('Nothing was changed.');
  return false;
}

/** A key that works: the kept one, the given one, that of the server in this folder, or a new one. */
async function ensureKey(call: CliCall): Promise<AgentKey> {
  const access = await findAgentAccess(call);
  if (access !== undefined) {
    const scopes = await readScopes(call, access);
    if (scopes?.includes('agent') === true) return agentKeyOf(access);
    if (scopes?.includes('admin') === true) return makeKey(call, access);
    const local = await localAccess(call, access.url);
    if (local !== undefined && (await readScopes(call, local))?.includes('agent') === true) {
      return agentKeyOf(local);
    }
  }
  const person = await findPersonAccess(call);
  if (person !== undefined && (await readScopes(call, person))?.includes('admin') === true) {
    return makeKey(call, person);
  }
  const url = access?.url ?? person?.url ?? localUrl(call.terminal);
  throw new CliError(
    `No key to ask with at ${url}, and no credential here may make one. An administrator runs \`holdpoint keys create "${KEY_NAME}"\`; then run: HOLDPOINT_URL=${url} HOLDPOINT_TOKEN=… holdpoint connect …`,
    EXIT.refused,
    'unauthenticated',
  );
}

/** Undefined: the credential is not valid there. */
async function readScopes(
  { terminal }: CliCall,
  access: ServerAccess,
): Promise<readonly string[] | undefined> {
  try {
    const { body } = await httpCallsOf(access, terminal).get('/v1/me');
    return Array.isArray(body.scopes) ? body.scopes.filter(isText) : [];
  } catch (cause) {
    if (isRefusedWith(cause, 'unauthenticated') || isRefusedWith(cause, 'forbidden'))
      return undefined;
    throw cause;
  }
}

async function makeKey({ terminal }: CliCall, access: ServerAccess): Promise<AgentKey> {
  const calls = httpCallsOf(access, terminal);
  const reply = await calls.post('/v1/keys', { name: KEY_NAME, scopes: ['agent'] });
  return { url: access.url, token: readPart<string>(reply, 'secret') };
}

function agentKeyOf({ url, token }: ServerAccess): AgentKey {
  return { url, token };
}

/** `holdpoint` where the shell finds this very program by that name, else its whole path. A shared file has the name. */
async function startWords({ args, terminal }: CliCall): Promise<string> {
  const [node = '', script = ''] = terminal.program;
  if (args.has('project')) return 'holdpoint';
  if (script.endsWith('.ts')) return [node, await buildHook(node, script)].map(shellWord).join(' ');
  const own = await realpath(script).catch(() => script);
  for (const folder of (terminal.env['PATH'] ?? '').split(path.delimiter)) {
    const candidate = path.join(folder, 'holdpoint');
    if (folder !== '' && (await realpath(candidate).catch(() => '')) === own) return 'holdpoint';
  }
  return [node, script].map(shellWord).join(' ');
}

const runFile = promisify(execFile);

/** From a clone: the sources would be read anew before every tool call, which takes longer than the request. */
async function buildHook(node: string, script: string): Promise<string> {
  const root = path.resolve(path.dirname(script), '../..');
  try {
    await runFile(node, [path.join(root, 'scripts/run.js'), 'build', 'hook'], { cwd: root });
  } catch (cause) {
    throw new CliError(
      `The hook could not be built: ${describeCause(cause)}. Run npm ci in ${root}.`,
    );
  }
  return path.join(root, 'dist-hook/hook.js');
}

/** For `--remove`: what each file was before, and what it became. */
async function readConnections({ terminal }: CliCall): Promise<JsonObject> {
  const text = await readPrivately(connectionsFileOf(terminal), 'holdpoint connect');
  return parseObject(text ?? '{}');
}

async function writeConnections({ terminal }: CliCall, known: JsonObject): Promise<void> {
  await writePrivately(connectionsFileOf(terminal), `${JSON.stringify(known, null, 2)}\n`);
}

async function remember(call: CliCall, found: SettingsFile, after: string): Promise<void> {
  // Longer files are given back by their entries.
  if ((found.text ?? '').length + after.length > KEPT_OUTPUT_CHARS) return;
  const known = await readConnections(call);
  const earlier = known[found.target];
  // After a second connect the first text is still the one to give back.
  const isSecond = isObject(earlier) && earlier.after === found.text;
  const before = isSecond ? (earlier.before ?? null) : (found.text ?? null);
  await writeConnections(call, { ...known, [found.target]: { before, after } });
}

function connectionsFileOf(terminal: CliCall['terminal']): string {
  return privateFileOf(terminal, 'connections.json');
}
