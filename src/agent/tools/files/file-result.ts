/** What a tool for files gives back: words for the model, and what is to be stored with them. */
import type { FileChange, ToolOutput } from '../tool-ports.ts';

export interface FileResult {
  readonly output: ToolOutput;
  readonly change?: FileChange;
}

/** `LIMITS` holds them all. */
export interface FileLimits {
  readonly fileBytes: number;
  readonly filesPerSession: number;
  readonly filesBytes: number;
  readonly toolOutputChars: number;
}

export function succeedWith(content: string): FileResult {
  return { output: { content, isError: false } };
}

export function succeedAndStore(content: string, change: FileChange): FileResult {
  return { output: { content, isError: false }, change };
}

export function failWith(content: string): FileResult {
  return { output: { content, isError: true } };
}
