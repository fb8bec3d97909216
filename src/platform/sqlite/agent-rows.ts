/** The rows of a session's built-in agent: the run, the messages of the conversation, and the files. */
import type { StoredConversation, StoredSummary } from '../../agent/conversation.ts';
import type { ModelMessage } from '../../agent/message.ts';
import type { Run } from '../../agent/run/run.ts';
import type { RunChange } from '../../agent/run/run-draft.ts';
import type { FileEntry, SessionFiles, StoredFile } from '../../agent/tools/ports.ts';
import { countBytes } from '../../protocol/bytes.ts';
import type { Database } from './database.ts';
import type { MetaRows } from './meta-rows.ts';

const NUMBER_DIGITS = 9;
const CONVERSATION = ['message', 'summary'];

/** A file without its path; the path is the name of the row. */
type FileRow = Omit<StoredFile, 'path'>;

export class AgentRows implements SessionFiles {
  readonly #database: Database;
  readonly #meta: MetaRows;
  /** Of the last message; undefined where only the rows know it. */
  #lastNumber: number | undefined;

  constructor(database: Database, meta: MetaRows) {
    this.#database = database;
    this.#meta = meta;
  }

  run(): Run | null {
    return this.#meta.get<Run>('run') ?? null;
  }

  conversation(): StoredConversation {
    const summary = this.#lastSummary();
    const rows = this.#meta.family<ModelMessage>('message', summary && numberText(summary.from));
    const messages = rows.map(({ value }) => value);
    return { messages, ...(summary !== undefined && { summary }) };
  }

  write({ run, messages, clearsConversation, files, summary }: RunChange, now: number): void {
    if (run === null) this.#meta.remove('run');
    else this.#meta.put('run', run);
    if (clearsConversation) this.#clearConversation();
    if (summary === 'restored') this.#meta.remove(summaryKey(this.#lastSummary()));
    else if (summary !== undefined) this.#meta.put(summaryKey(summary), summary);
    for (const message of messages) this.#addMessage(message);
    for (const { path, content } of files) {
      const size = countBytes(content);
      this.#meta.put(`file/${path}`, { size, updatedAt: now, content } satisfies FileRow);
    }
  }

  read(path: string): StoredFile | undefined {
    const row = this.#meta.get<FileRow>(`file/${path}`);
    return row && { path, ...row };
  }

  /** Without the contents, which may be megabytes. */
  list(): FileEntry[] {
    return this.#database
      .all<{ path: string; size: number; updated_at: number }>(
        `SELECT substr(key, 6) AS path, json_extract(value, '$.size') AS size,
                json_extract(value, '$.updatedAt') AS updated_at
         FROM meta WHERE key > 'file/' AND key < 'file0' ORDER BY key`,
      )
      .map(({ path, size, updated_at: updatedAt }) => ({ path, size, updatedAt }));
  }

  /** After a commit that failed, of which some messages were counted and none is stored; and once all rows are gone. */
  forget(): void {
    this.#lastNumber = undefined;
  }

  #clearConversation(): void {
    for (const family of CONVERSATION) this.#meta.removeFamily(family);
    this.forget();
  }

  #addMessage(message: ModelMessage): void {
    const number = (this.#lastNumber ?? this.#readLastNumber()) + 1;
    this.#meta.put(`message/${numberText(number)}`, message);
    this.#lastNumber = number;
  }

  #lastSummary(): StoredSummary | undefined {
    const [row] = this.#database.all<{ value: string }>(
      "SELECT value FROM meta WHERE key > 'summary/' AND key < 'summary0' ORDER BY key DESC LIMIT 1",
    );
    return row && (JSON.parse(row.value) as StoredSummary);
  }

  #readLastNumber(): number {
    const [row] = this.#database.all<{ key: string | null }>(
      "SELECT max(key) AS key FROM meta WHERE key > 'message/' AND key < 'message0'",
    );
    return Number(row?.key?.slice('message/'.length) ?? 0);
  }
}

/** In the order of the numbers. */
function numberText(number: number): string {
  return String(number).padStart(NUMBER_DIGITS, '0');
}

function summaryKey(summary: StoredSummary | undefined): string {
  if (summary === undefined) throw new Error('No summary is stored that could be taken back');
  return `summary/${numberText(summary.seq)}`;
}
