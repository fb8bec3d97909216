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

/** Announces the agent's text to a screen reader, each once: a paragraph of a streamed text as soon as the next one begins. */
export function TextAnnouncer({ turns, isReady, histories = 0 }: TextAnnouncerProps) {
  const [announced, setAnnounced] = useState<readonly string[]>([]);
  const known = useRef<AnnouncedText>(undefined);
  const drawn = useRef(histories);
  const newest = newestText(turns);
  useEffect(() => {
    if (!isReady) return;
    const before = known.current;
    const isImported = histories !== drawn.current;
    drawn.current = histories;
    known.current = newest ?? before ?? NOTHING_READ;
    // Texts that were there when the page opened are found by reading.
    if (before === undefined || newest === undefined || isImported) return;
    const fresh = textSince(before, newest);
    if (fresh !== '') setAnnounced((parts) => [...parts, fresh]);
  }, [isReady, newest?.key, newest?.text, histories]);
  // Announced by then; a screen reader that reads on then finds the text only in the conversation.
  useEffect(() => {
    if (announced.length === 0) return;
    const timer = setTimeout(() => setAnnounced([]), GONE_MS);
    return () => clearTimeout(timer);
  }, [announced]);
  return (
    <div class="unseen" role="log" aria-label={t('Agent messages')}>
      {announced.map((text, at) => (
        <p key={at} dir="auto">
          {escapeInvisible(text)}
        </p>
      ))}
    </div>
  );
}

/** What of a text can be read: all of a finished one, the finished paragraphs of a streamed one. */
interface AnnouncedText {
  /** Identifies a finished text wherever it is drawn; undefined while it is streamed. */
  readonly key: string | undefined;
  readonly text: string;
}

const NOTHING_READ: AnnouncedText = { key: '', text: '' };

/** A longer announcement is too much; the conversation has the full text. */
const MAX_ANNOUNCED_CHARS = 600;

function newestText(turns: readonly Turn[]): AnnouncedText | undefined {
  for (const turn of turns.toReversed()) {
    for (const { blocks } of turn.containers.toReversed()) {
      const last = blocks.findLast((block): block is TextBlock => block.type === 'text');
      if (last === undefined) continue;
      const { text, at, isStreaming } = last;
      // The last paragraph changes with every word.
      return isStreaming === true
        ? { key: undefined, text: text.slice(0, text.lastIndexOf('\n\n') + 1) }
        : { key: `${at} ${text}`, text };
    }
  }
  return undefined;
}

/** A finished text has other ids than the streamed one that it begins with, so the beginning tells that they are one. */
function textSince(before: AnnouncedText, now: AnnouncedText): string {
  if (now.key !== undefined && now.key === before.key) return '';
  const isRest = before.key === undefined && now.text.startsWith(before.text);
  const start = isRest ? before.text.length : 0;
  if (start >= MAX_ANNOUNCED_CHARS) return '';
  const plain = withoutMarkdown(now.text.slice(start));
  const room = MAX_ANNOUNCED_CHARS - start;
  return plain.length > room ? `${plain.slice(0, room)}…` : plain;
}

/** Without Markdown characters, which a screen reader would read one by one. */
function withoutMarkdown(text: string): string {
  return text
    .replaceAll(/[*_`#>|~]+|^\s*[-+] /gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
