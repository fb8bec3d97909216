/**
 * Holds files to a length at which one sentence says what is inside. A longer file gives its reason in its header: "The file
 * is long because …". Reads no disk, so that tests can pass any text.
 */
export const MOST_LINES = 400;

export interface ReadFile {
  readonly file: string;
  readonly text: string;
}

/** Files that are too long without a reason, with their lines. */
export function findLongFiles(files: readonly ReadFile[]): string[] {
  return files.flatMap(({ file, text }) => {
    const lines = text.trimEnd().split('\n').length;
    if (lines <= MOST_LINES || hasReason(text)) return [];
    return [
      `${file}  ${lines} lines: cut it where its second sentence begins, or say in its header why it is long`,
    ];
  });
}

function hasReason(text: string): boolean {
  return /The file is long because \w/.test(readHeader(text).replaceAll(/[\s*]+/g, ' '));
}

/** The comment that opens a file; empty if code comes first. */
function readHeader(text: string): string {
  return /^\s*\/\*[\s\S]*?\*\//.exec(text)?.[0] ?? '';
}
