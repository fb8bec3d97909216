/** What tools need of the world: the files of their session, and somebody who sends their requests. */
import type { JsonObject } from '../../protocol/json.ts';

/** What a tool gives back to the model, word for word. */
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

/** The files as they are now; nothing changes between a look and the commit that follows it. */
export interface SessionFiles {
  read(path: string): StoredFile | undefined;
  /** In the order of their paths. */
  list(): readonly FileEntry[];
}

/** Written in the transaction of the result that tells of it. */
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
  /** This call was sent before, and nobody knows what became of it. */
  readonly isRepeat: boolean;
}

export interface HttpTools {
  /** Never rejects: whatever goes wrong is an error for the model to read. */
  call(call: HttpToolCall, signal: AbortSignal): Promise<ToolOutput>;
}
