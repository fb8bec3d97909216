/** The files of a session in memory, and a tool that changes them. */
import type { FileChange, SessionFiles, ToolOutput } from '../../src/agent/tools/ports.ts';
import { type FileToolCall, runFileTool } from '../../src/agent/tools/file-tools.ts';
import type { FileLimits } from '../../src/agent/tools/file-tool.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { LIMITS } from '../../src/protocol/limits.ts';

export class MemoryFiles implements SessionFiles {
  readonly #files = new Map<string, { content: string; updatedAt: number }>();
  #limits: FileLimits = LIMITS;
  #now = 0;

  constructor(files: Readonly<Record<string, string>> = {}) {
    for (const [path, content] of Object.entries(files)) this.store({ path, content });
  }

  /** Omitted limits keep their published values. */
  limitedTo(limits: Partial<FileLimits>): this {
    this.#limits = { ...LIMITS, ...limits };
    return this;
  }

  /** Each file is newer than the previous file, unless a time is given. */
  store({ path, content }: FileChange, updatedAt: number = ++this.#now): void {
    this.#files.set(path, { content, updatedAt });
  }

  read(path: string) {
    const file = this.#files.get(path);
    return file && { path, size: Buffer.byteLength(file.content), ...file };
  }

  list() {
    return [...this.#files]
      .map(([path, { content, updatedAt }]) => ({
        path,
        size: Buffer.byteLength(content),
        updatedAt,
      }))
      .toSorted((left, right) => (left.path < right.path ? -1 : 1));
  }

  run(name: FileToolCall['name'], input: JsonObject): ToolOutput {
    const { output, change } = runFileTool({ name, input }, this, this.#limits);
    if (change !== undefined) this.store(change);
    return output;
  }

  contentOf(path: string): string | undefined {
    return this.read(path)?.content;
  }
}
