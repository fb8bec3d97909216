/** The newest finished text of the agent, as a screen reader announces it. */
import type { TextBlock, Turn } from '../../client/timeline/index.ts';

export interface AnnouncedText {
  /** Identifies the text wherever it is drawn. */
  readonly key: string;
  readonly text: string;
}

/** A longer announcement is too much; the conversation has the full text. */
const MAX_ANNOUNCED_CHARS = 600;

/** Undefined until a text is finished: a streamed text changes with every word. */
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

/** Without Markdown characters, which a screen reader would read one by one. */
function withoutMarkdown(text: string): string {
  const plain = text
    .replaceAll(/[*_`#>|~]+|^\s*[-+] /gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain.length > MAX_ANNOUNCED_CHARS ? `${plain.slice(0, MAX_ANNOUNCED_CHARS)}…` : plain;
}
