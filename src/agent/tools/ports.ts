/** The ports of tools: the files of their session, and the sender of HTTP requests. */
import type { JsonObject } from '../../protocol/json.ts';

/** The result of a tool, as the model receives it. */
export interface ToolOutput {
  readonly content: string;
  readonly isError: boolean;
}

export interface FileEntry {
  readonly path: string;
  /** In bytes of UTF-8. */
  readonly size: number;
  readonly updatedAt: number;
}

export interface StoredFile extends FileEntry {
  readonly content: string;
}

/** The current files. They do not change between a read and the commit that follows. */
export interface SessionFiles {
  read(path: string): StoredFile | undefined;
  /** In the order of their paths. */
  list(): readonly FileEntry[];
}

/** Written in the transaction of the result that reports it. */
export interface FileChange {
  readonly path: string;
  readonly content: string;
}

/** One call of a configured HTTP tool. */
export interface HttpToolCall {
  readonly workspace: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly url: string;
  readonly input: JsonObject;
  readonly timeoutMs: number;
  /** This call was sent before, with unknown effect. */
  readonly isRepeat: boolean;
}

export interface HttpTools {
  /** Never rejects: each failure is an error that the model reads. */
  call(call: HttpToolCall, signal: AbortSignal): Promise<ToolOutput>;
}
