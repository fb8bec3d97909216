/** `holdpoint import`: the transcript of Claude Code or Codex as the history of a session. */
import { stat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { createReadStream } from 'node:fs';
import { importTranscript } from '../../client/import-transcript.ts';
import {
  TRANSCRIPT_PROVIDERS,
  type TranscriptProvider,
  detectProvider,
  TranscriptReader,
} from '../../integrations/transcripts/transcript-reader.ts';
import type { CliSession, HistoryEntry } from '../../protocol/types.ts';
import { findAgentIds } from '../agent-shell.ts';
import type { CliCall, CliAction, Terminal } from '../cli-command.ts';
import { CliError, EXIT, usageError, describeCause } from '../exit-code.ts';
import { isRefusedWith, planSession } from '../find-session.ts';
import { agentAccess, nonEmpty, transportOf } from '../server-access.ts';
import type { TranscriptWarning } from '../../integrations/transcripts/entry-writer.ts';

const SHOWN_WARNINGS = 10;

export const importFile: CliAction = async (call) => {
  const { args, terminal, out, err, isJson } = call;
  const file = await fileOf(call);
  const provider = readProvider(args.text('provider'));
  const {
    session: cli,
    entries,
    warnings,
    warningCount,
  } = await readTranscriptFile(file, provider);
  if (cli === undefined) throw usageError(`${file} does not say which conversation it is.`);
  for (const { line, what } of warnings.slice(0, SHOWN_WARNINGS)) {
    if (!isJson) err.print({ text: `line ${line}: ${what}`, style: 'yellow' });
  }
  if (warningCount > SHOWN_WARNINGS && !isJson)
    err.print(`and ${warningCount - SHOWN_WARNINGS} more lines`);
  const transport = transportOf(await agentAccess(call), terminal);
  try {
    const named = args.text('session') ?? nonEmpty(terminal.env['HOLDPOINT_SESSION']);
    const wish = { named, cli, cwd: cli.cwd ?? terminal.cwd, title: args.text('title') };
    const { session = '' } = await planSession(transport, wish);
    const extent = await importTranscript(transport, session, cli, entries, {
      onPage: (count) => {
        if (!isJson && count < entries.length) err.print(`${count} of ${entries.length} entries`);
      },
    });
    const { provider: program, cliSessionId } = cli;
    if (isJson)
      out.json({ session, provider: program, cliSessionId, ...extent, warnings: warningCount });
    else out.print(`${extent.entries} entries of ${program}:${cliSessionId} are in ${session}.`);
    return EXIT.ok;
  } catch (cause) {
    throw isRefusedWith(cause, 'cli_session_taken')
      ? ownedElsewhereError(cli, cause.details?.session)
      : cause;
  } finally {
    transport.close();
  }
};

function ownedElsewhereError({ provider, cliSessionId }: CliSession, owner: unknown): CliError {
  const whose =
    typeof owner === 'string' ? ` ${owner}; import it there with --session ${owner}` : '';
  return new CliError(
    `The conversation ${provider}:${cliSessionId} belongs to the session${whose}.`,
    EXIT.refused,
    'cli_session_taken',
  );
}

/** A file; else the id of a conversation; else the conversation in whose shell this runs. */
async function fileOf({ args, terminal }: CliCall): Promise<string> {
  const [given, more] = args.positionals;
  if (more !== undefined) throw usageError('Name one file, or the id of one conversation.');
  const { cli } = findAgentIds(terminal.env, terminal.cwd, args.text('cli-session'));
  const name = given ?? cli?.cliSessionId;
  if (name === undefined) {
    throw usageError('Which transcript? Name a file, or the id of a conversation.');
  }
  const file = path.resolve(terminal.cwd, name);
  if (given !== undefined && (await isFile(file))) return file;
  const found = await findTranscript(terminal, name);
  if (found !== undefined) return found;
  const folders = Object.values(transcriptFolders(terminal)).join(' and ');
  throw usageError(
    `There is no file ${name}, and no transcript of a conversation ${name} below ${folders}.`,
  );
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
}

function readProvider(text: string | undefined): TranscriptProvider | undefined {
  if (text === undefined) return undefined;
  const provider = TRANSCRIPT_PROVIDERS.find((one) => one === text);
  if (provider === undefined)
    throw usageError(`--provider ${text}: use ${TRANSCRIPT_PROVIDERS.join(' or ')}.`);
  return provider;
}

/** Finds the transcript of a conversation on this machine, and reads it piece by piece. */
export interface ReadTranscript {
  readonly session: CliSession | undefined;
  readonly entries: readonly HistoryEntry[];
  readonly warnings: readonly TranscriptWarning[];
  readonly warningCount: number;
}

/** The folders in which Claude Code and Codex keep transcripts. */
export function transcriptFolders({ env, home }: Terminal): Record<TranscriptProvider, string> {
  const claude = nonEmpty(env['CLAUDE_CONFIG_DIR']) ?? path.join(home, '.claude');
  const codex = nonEmpty(env['CODEX_HOME']) ?? path.join(home, '.codex');
  return { 'claude-code': path.join(claude, 'projects'), codex: path.join(codex, 'sessions') };
}

/** The newest file whose name ends with the id of the conversation. */
export async function findTranscript(terminal: Terminal, id: string): Promise<string | undefined> {
  if (!/^[\w-]{4,200}$/.test(id)) return undefined;
  const found: { file: string; at: number }[] = [];
  for (const folder of Object.values(transcriptFolders(terminal))) {
    for (const name of await readFolder(folder)) {
      const base = path.basename(name);
      if (base !== `${id}.jsonl` && !base.endsWith(`-${id}.jsonl`)) continue;
      const file = path.join(folder, name);
      found.push({ file, at: (await stat(file)).mtimeMs });
    }
  }
  return found.toSorted((a, b) => b.at - a.at)[0]?.file;
}

async function readFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder, { recursive: true });
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'ENOENT') return [];
    throw cause;
  }
}

export async function readTranscriptFile(
  file: string,
  provider: TranscriptProvider | undefined,
): Promise<ReadTranscript> {
  let reader = provider === undefined ? undefined : new TranscriptReader(provider);
  const entries: HistoryEntry[] = [];
  let begun = '';
  const begin = (isWhole: boolean): void => {
    const end = begun.indexOf('\n');
    if (reader !== undefined || (end === -1 && !isWhole)) return;
    const detected = firstProvider(begun);
    if (detected === undefined) {
      if (!isWhole && begun.length < FIRST_LINES_CHARS) return;
      throw usageError(
        `${file} is not a transcript of Claude Code or Codex. If it is, say which one: --provider.`,
      );
    }
    reader = new TranscriptReader(detected);
  };
  try {
    for await (const chunk of createReadStream(file, {
      encoding: 'utf8',
    }) as AsyncIterable<string>) {
      if (reader !== undefined) {
        for (const entry of reader.push(chunk)) entries.push(entry);
        continue;
      }
      begun += chunk;
      begin(false);
      if (reader !== undefined) for (const entry of pushInto(reader, begun)) entries.push(entry);
    }
  } catch (cause) {
    if ((cause as { code?: unknown }).code === undefined) throw cause;
    throw usageError(`${file} cannot be read: ${describeCause(cause)}.`);
  }
  if (reader === undefined) {
    begin(true);
    if (reader !== undefined) for (const entry of pushInto(reader, begun)) entries.push(entry);
  }
  return finish(reader, entries);
}

/** A transcript may begin with lines that name no program, such as a snapshot of files. */
const FIRST_LINES_CHARS = 4 * 1_024 * 1_024;

function firstProvider(text: string): TranscriptProvider | undefined {
  for (const line of text.split('\n')) {
    const provider = detectProvider(line);
    if (provider !== undefined) return provider;
  }
  return undefined;
}

/** A call of its own, because the compiler does not see the assignment in a closure. */
function pushInto(reader: TranscriptReader, text: string): HistoryEntry[] {
  return reader.push(text);
}

function finish(reader: TranscriptReader | undefined, entries: HistoryEntry[]): ReadTranscript {
  if (reader === undefined) throw usageError('The file is empty.');
  const all = [...entries, ...reader.end()];
  const { session, warnings, warningCount } = reader;
  return { session, entries: all, warnings, warningCount };
}
