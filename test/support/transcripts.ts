/** Entries of made-up transcripts. */
import { createHash } from 'node:crypto';
import { HISTORY_BLOCK } from '../../src/protocol/history-digest.ts';
import type { HistoryEntry } from '../../src/protocol/types.ts';

export const CLI = { provider: 'claude-code', cliSessionId: '0f8d1c6a' } as const;

export function entryAt(index: number, text = `Line ${index}`): HistoryEntry {
  return {
    id: `line-${index}`,
    at: 1_700_000_000_000 + index,
    type: 'assistant_text',
    payload: { text },
  };
}

export function entriesOf(count: number, text?: string): HistoryEntry[] {
  return Array.from({ length: count }, (_, index) => entryAt(index, text));
}

export function linesOf(entries: readonly HistoryEntry[]): string[] {
  return entries.map((entry) => JSON.stringify(entry));
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The digest as `docs/protocol.md` describes it, written apart from the code. */
export function digestOf(entries: readonly HistoryEntry[]): string {
  const lines = linesOf(entries);
  let link = '';
  while (lines.length >= HISTORY_BLOCK) {
    link = sha256(`${link}\n${lines.splice(0, HISTORY_BLOCK).join('\n')}`);
  }
  return lines.length === 0 ? link : sha256(`${link}\n${lines.join('\n')}`);
}
