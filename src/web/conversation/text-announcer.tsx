import { useEffect, useRef, useState } from 'preact/hooks';
import type { Turn } from '../../client/timeline/index.ts';
import { escapeInvisible } from '../model/escapes.ts';
import { newestAnnouncedText } from '../model/announced-text.ts';

const GONE_MS = 3_000;

interface TextAnnouncerProps {
  readonly turns: readonly Turn[];
  /** False while history arrives, which is not announced. */
  readonly isReady: boolean;
}

/** Announces each finished text of the agent once to a screen reader. */
export function TextAnnouncer({ turns, isReady }: TextAnnouncerProps) {
  const [announced, setAnnounced] = useState<{ readonly key: string; readonly text: string }>();
  const known = useRef<string>(undefined);
  const latest = newestAnnouncedText(turns);
  useEffect(() => {
    if (!isReady || latest === undefined || latest.key === known.current) return;
    // Texts that were there when the page opened are found by reading.
    if (known.current !== undefined) setAnnounced(latest);
    known.current = latest.key;
  }, [isReady, latest?.key]);
  useEffect(() => {
    if (isReady) known.current ??= '';
  }, [isReady]);
  // Announced by then; a screen reader that reads on then finds the text only in the conversation.
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(undefined), GONE_MS);
    return () => clearTimeout(timer);
  }, [announced]);
  return (
    <div class="unseen" role="log" aria-label="Agent messages">
      {announced !== undefined && (
        <p key={announced.key} dir="auto">
          {escapeInvisible(announced.text)}
        </p>
      )}
    </div>
  );
}
