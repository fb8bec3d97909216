/**
 * Reads the transcript of a command-line agent as history entries, piece by piece or as one text (ALN-1).
 *
 * A reader holds one line and a few ids, however long the file is. A line that is no JSON is skipped with a warning, except
 * the last one while the program may still be writing it: the next import reads it.
 */
import { isObject, type CliSession, type HistoryEntry } from '../../protocol/types.ts';
import { ClaudeCodeFormat } from './claude-code.ts';
import { parseLoosely, reportEqualKeys } from './clean-json.ts';
import { CodexFormat } from './codex.ts';
import { EntryWriter, type TranscriptWarning, type TranscriptFormat } from './entry-writer.ts';
import { LineSplitter, type TextLine } from './line-splitter.ts';

export const TRANSCRIPT_PROVIDERS = ['claude-code', 'codex'] as const;
export type TranscriptProvider = (typeof TRANSCRIPT_PROVIDERS)[number];

const BYTE_ORDER_MARK = '\uFEFF';

export class TranscriptReader {
  readonly #format: TranscriptFormat;
  readonly #lines = new LineSplitter();
  readonly #writer = new EntryWriter();

  constructor(provider: TranscriptProvider) {
    this.#format = provider === 'codex' ? new CodexFormat() : new ClaudeCodeFormat();
  }

  /** The entries of all lines that this piece completes. */
  push(chunk: string): HistoryEntry[] {
    for (const line of this.#lines.push(chunk)) this.#readLine(line);
    return this.#writer.takeEntries();
  }

  /** The entries of a last line without a line feed, if it is whole. */
  end(): HistoryEntry[] {
    const line = this.#lines.unfinished;
    const isWhole = line.text !== undefined && isObject(parseLoosely(line.text));
    if (isWhole) this.#readLine(line);
    return this.#writer.takeEntries();
  }

  /** Undefined until a line has the id of the session. */
  get session(): CliSession | undefined {
    const { session } = this.#format;
    return session.cliSessionId === '' ? undefined : session;
  }

  /** The first 1,000; `warningCount` counts all. */
  get warnings(): readonly TranscriptWarning[] {
    return this.#writer.warnings;
  }

  get warningCount(): number {
    return this.#writer.warningCount;
  }

  #readLine({ number, text }: TextLine): void {
    const writer = this.#writer;
    writer.beginLine(number, text?.length ?? 0);
    if (text === undefined) {
      writer.warn('longer than 67,108,864 characters, left out');
      return;
    }
    const written = number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
    if (written.trim() === '') return;
    const line = parseLoosely(written);
    if (!isObject(line)) {
      writer.warn('not a JSON object, left out');
      return;
    }
    this.#format.read(line, writer);
    if (writer.hasEntriesOfLine) reportEqualKeys(written, line, writer.warn);
  }
}

export interface Transcript {
  readonly session: CliSession | undefined;
  readonly entries: readonly HistoryEntry[];
  readonly warnings: readonly TranscriptWarning[];
  readonly warningCount: number;
}

export function readTranscript(provider: TranscriptProvider, text: string): Transcript {
  const reader = new TranscriptReader(provider);
  const entries = [...reader.push(text), ...reader.end()];
  const { session, warnings, warningCount } = reader;
  return { session, entries, warnings, warningCount };
}

/** Which program wrote a transcript, by its first line; undefined for another file. */
export function detectProvider(firstLine: string): TranscriptProvider | undefined {
  const line = parseLoosely(firstLine);
  if (!isObject(line)) return undefined;
  if (line.type === 'session_meta' || line.record_type !== undefined) return 'codex';
  if ('sessionId' in line || line.type === 'summary' || 'leafUuid' in line) return 'claude-code';
  return 'instructions' in line && 'timestamp' in line ? 'codex' : undefined;
}
