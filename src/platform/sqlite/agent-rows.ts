/** The rows of a session's built-in agent: the run, the messages of the conversation, and the files. */
import type { ModelMessage } from '../../agent/message.ts';
import type { Run } from '../../agent/run/run.ts';
import type { RunChange } from '../../agent/run/run-draft.ts';
import type { FileEntry, SessionFiles, StoredFile } from '../../agent/tools/ports.ts';
import { countBytes } from '../../protocol/bytes.ts';
import type { Database } from './database.ts';
import type { MetaRows } from './meta-rows.ts';

const MESSAGE_DIGITS = 9;

/** A file without its path; the path is the name of the row. */
type FileRow = Omit<StoredFile, 'path'>;

export class AgentRows implements SessionFiles {
  readonly #database: Database;
  readonly #meta: MetaRows;

  constructor(database: Database, meta: MetaRows) {
    this.#database = database;
    this.#meta = meta;
  }

  run(): Run | null {
    return this.#meta.get<Run>('run') ?? null;
  }

  messages(): ModelMessage[] {
    return this.#meta.family<ModelMessage>('message').map(({ value }) => value);
  }

  write({ run, messages, clearsConversation, files }: RunChange, now: number): void {
    if (run === null) this.#meta.remove('run');
    else this.#meta.put('run', run);
    if (clearsConversation) this.#meta.removeFamily('message');
    const last = messages.length === 0 ? 0 : this.#lastMessageNumber();
    for (const [index, message] of messages.entries()) {
      this.#meta.put(`message/${String(last + index + 1).padStart(MESSAGE_DIGITS, '0')}`, message);
    }
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

  erase(): void {
    this.#meta.remove('run');
    for (const family of ['message', 'file']) this.#meta.removeFamily(family);
  }

  #lastMessageNumber(): number {
    const [row] = this.#database.all<{ key: string | null }>(
      "SELECT max(key) AS key FROM meta WHERE key > 'message/' AND key < 'message0'",
    );
    return Number(row?.key?.slice('message/'.length) ?? 0);
  }
}
