/**
 * Whether the agent has taken the outcome of what it asked; undefined until that is known.
 *
 * Taking is in the record and not in the log, so it is looked up: at once, and then ever more rarely, because each look
 * wakes the session. Nobody looks while the page is hidden.
 */
import { useEffect, useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';

const FIRST_MS = 1_000;
const LAST_MS = 120_000;

interface Session {
  readonly id: string;
}

/** Without an id nothing is looked up. */
export function useTaken(
  transport: Transport,
  { id: sessionId }: Session,
  interactionId: string | undefined,
): boolean | undefined {
  const [seen, setSeen] = useState<{ readonly of: string; readonly isTaken: boolean }>();
  useEffect(() => {
    if (interactionId === undefined) return;
    let isOver = false;
    let pause = FIRST_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      timer = setTimeout(look, pause);
      pause = Math.min(pause * 2, LAST_MS);
    };
    const look = () => {
      if (document.visibilityState === 'hidden') return later();
      transport.interaction(sessionId, interactionId).then(
        ({ takenAt }) => {
          if (isOver) return;
          setSeen({ of: interactionId, isTaken: takenAt !== undefined });
          if (takenAt === undefined) later();
        },
        // The banner says that the connection is lost; the row says no more than it knows.
        () => {
          if (!isOver) later();
        },
      );
    };
    look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [transport, sessionId, interactionId]);
  return seen !== undefined && seen.of === interactionId ? seen.isTaken : undefined;
}
