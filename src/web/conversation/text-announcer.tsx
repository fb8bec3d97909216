import { useEffect, useRef, useState } from 'preact/hooks';
import type { Turn } from '../../client/timeline/index.ts';
import { escapeInvisible } from '../model/escapes.ts';
import { newestAnnouncedText } from '../model/announced-text.ts';

const GONE_MS = 3_000;

interface TextAnnouncerProps {
  readonly turns: readonly Turn[];
  /** False while history arrives, which nobody wants to hear. */
  readonly isReady: boolean;
}

/** What the agent says, for those who hear the page: once, when it is whole. */
export function TextAnnouncer({ turns, isReady }: TextAnnouncerProps) {
  const [said, setSaid] = useState<{ readonly key: string; readonly text: string }>();
  const known = useRef<string>(undefined);
  const latest = newestAnnouncedText(turns);
  useEffect(() => {
    if (!isReady || latest === undefined || latest.key === known.current) return;
    // What stood there when the page was opened is found by reading.
    if (known.current !== undefined) setSaid(latest);
    known.current = latest.key;
  }, [isReady, latest?.key]);
  useEffect(() => {
    if (isReady) known.current ??= '';
  }, [isReady]);
  // Heard by then; whoever reads on with a voice meets it once, in the conversation.
  useEffect(() => {
    const timer = setTimeout(() => setSaid(undefined), GONE_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <div class="unseen" role="log" aria-label="Agent messages">
      {said !== undefined && (
        <p key={said.key} dir="auto">
          {escapeInvisible(said.text)}
        </p>
      )}
    </div>
  );
}
