/** Finds the transcript of a conversation on this machine, and reads it piece by piece. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { TranscriptWarning } from '../integrations/transcripts/entry-writer.ts';
import {
  detectProvider,
  type TranscriptProvider,
  TranscriptReader,
} from '../integrations/transcripts/transcript-reader.ts';
import type { CliSession, HistoryEntry } from '../protocol/types.ts';
import { describeCause, usageError } from './exit-code.ts';
import { nonEmpty } from './server-access.ts';
import type { Terminal } from './terminal.ts';

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
