/**
 * What a record says and the log does not: whether an agent listens for the answer, and whether it has taken it.
 *
 * Nothing tells a page when that changes, so it is looked up: soon, and then ever more rarely, because each look wakes the
 * session. A hidden page does not look, and a page that is shown again looks at once: what it shows may be hours old.
 */
import { useEffect, useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import type { Interaction } from '../../protocol/types.ts';

const PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 120_000;

interface RecordQuery {
  readonly transport: Transport;
  readonly sessionId: string;
  /** Without one nothing is looked up. */
  readonly interactionId: string | undefined;
  /** An agent that asks begins to listen a moment later. */
  readonly firstMs: number;
  /** It says what was to be known, and no later look would say more. */
  readonly isEnough: (record: Interaction) => boolean;
}

/** Undefined until it was looked up. */
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
    let pause = PAUSE_MS;
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
        // The banner says that the connection is lost; what is shown says no more than is known.
        () => {
          if (!isOver) later();
        },
      );
    };
    const lookAgain = () => {
      if (isOver || document.visibilityState === 'hidden') return;
      pause = PAUSE_MS;
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
