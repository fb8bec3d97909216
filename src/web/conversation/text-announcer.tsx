import { useEffect, useRef, useState } from 'preact/hooks';
import type { TextBlock, Turn } from '../../client/timeline/index.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { t } from '../model/language.ts';

const GONE_MS = 3_000;

interface TextAnnouncerProps {
  readonly turns: readonly Turn[];
  /** False while the log is replayed, which is not announced. */
  readonly isReady: boolean;
  /** Grows with each imported history, which is not announced. */
  readonly histories?: number | undefined;
}

/** Announces each finished text of the agent once to a screen reader. */
export function TextAnnouncer({ turns, isReady, histories = 0 }: TextAnnouncerProps) {
  const [announced, setAnnounced] = useState<AnnouncedText>();
  const known = useRef<string>(undefined);
  const drawn = useRef(histories);
  const latest = newestAnnouncedText(turns);
  useEffect(() => {
    if (!isReady || latest === undefined || latest.key === known.current) return;
    // Texts that were there when the page opened are found by reading.
    if (known.current !== undefined && histories === drawn.current) setAnnounced(latest);
    drawn.current = histories;
    known.current = latest.key;
  }, [isReady, latest?.key, histories]);
  useEffect(() => {
    if (isReady) known.current ??= '';
  }, [isReady]);
  // Announced by then; a screen reader that reads on then finds the text only in the conversation.
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(undefined), GONE_MS);
    return () => clearTimeout(timer);
  }, [announced]);
  return (
    <div class="unseen" role="log" aria-label={t('Agent messages')}>
      {announced !== undefined && (
        <p key={announced.key} dir="auto">
          {escapeInvisible(announced.text)}
        </p>
      )}
    </div>
  );
}

interface AnnouncedText {
  /** Identifies the text wherever it is drawn. */
  readonly key: string;
  readonly text: string;
}

/** A longer announcement is too much; the conversation has the full text. */
const MAX_ANNOUNCED_CHARS = 600;

/** The newest finished text; undefined while it is streamed, because it changes with every word. */
function newestAnnouncedText(turns: readonly Turn[]): AnnouncedText | undefined {
  for (const turn of turns.toReversed()) {
    for (const { blocks } of turn.containers.toReversed()) {
      const last = blocks.findLast((block): block is TextBlock => block.type === 'text');
      if (last === undefined) continue;
      if (last.isStreaming === true) return undefined;
      return { key: `${last.at} ${last.text}`, text: withoutMarkdown(last.text) };
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
