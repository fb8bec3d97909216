/**
 * Reads a record for two facts that the log lacks: whether an agent is waiting for the answer, and whether it has
 * received it.
 *
 * No event reports a change of these facts, so the hook polls: soon at first, then ever more rarely, because each
 * read wakes the session. A hidden page does not poll, and a page that is shown again reads at once, because its data
 * may be hours old.
 */
import { useEffect, useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import type { Interaction } from '../../protocol/types.ts';

const RETRY_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 120_000;

interface RecordQuery {
  readonly transport: Transport;
  readonly sessionId: string;
  /** Undefined: nothing is read. */
  readonly interactionId: string | undefined;
  /** An agent starts to wait a moment after it asks. */
  readonly firstMs: number;
  /** Ends the polling: no later read would say more. */
  readonly isEnough: (record: Interaction) => boolean;
}

/** Undefined until the first read. */
export function useRecord({
  transport,
  sessionId,
  interactionId,
  firstMs,
  isEnough,
}: RecordQuery): Interaction | undefined {
  const [record, setRecord] = useState<Interaction>();
  useEffect(() => {
    if (interactionId === undefined) return;
    let isOver = false;
    let pause = RETRY_PAUSE_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(look, pause);
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
    };
    const look = () => {
      if (document.visibilityState === 'hidden') return later();
      transport.interaction(sessionId, interactionId).then(
        (found) => {
          if (isOver) return;
          setRecord(found);
          if (isEnough(found)) isOver = true;
          else later();
        },
        // The banner reports the lost connection.
        () => {
          if (!isOver) later();
        },
      );
    };
    const lookAgain = () => {
      if (isOver || document.visibilityState === 'hidden') return;
      pause = RETRY_PAUSE_MS;
      look();
    };
    if (firstMs === 0) look();
    else timer = setTimeout(look, firstMs);
    document.addEventListener('visibilitychange', lookAgain);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', lookAgain);
    };
  }, [transport, sessionId, interactionId]);
  return record?.interactionId === interactionId ? record : undefined;
}
