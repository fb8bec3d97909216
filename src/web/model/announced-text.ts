/** The newest text of the agent that is whole, and how it is read out. */
import type { TextBlock, Turn } from '../../client/timeline/index.ts';

export interface AnnouncedText {
  /** The same for the same text, wherever it stands. */
  readonly key: string;
  readonly text: string;
}

/** As much as anybody listens to unasked; all of it is in the conversation. */
const MAX_ANNOUNCED_CHARS = 600;

/** Undefined while none is whole: what is being written changes with every word. */
export function newestAnnouncedText(turns: readonly Turn[]): AnnouncedText | undefined {
  for (const turn of turns.toReversed()) {
    for (const { id, blocks } of turn.containers.toReversed()) {
      const last = blocks.findLast((block): block is TextBlock => block.type === 'text');
      if (last === undefined) continue;
      if (last.isStreaming === true) return undefined;
      return { key: `${turn.seq} ${id} ${last.id}`, text: withoutMarkdown(last.text) };
    }
  }
  return undefined;
}

/** Without the signs of Markdown, which a voice would read one by one. */
function withoutMarkdown(text: string): string {
  const plain = text
    .replaceAll(/[*_`#>|~]+|^\s*[-+] /gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain.length > MAX_ANNOUNCED_CHARS ? `${plain.slice(0, MAX_ANNOUNCED_CHARS)}…` : plain;
}
