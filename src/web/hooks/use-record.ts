/**
 * Reads a record once, for what no event says of it: whether an agent has received the outcome. What changes afterwards comes
 * with the frames of the session, so nothing is read again before the connection was lost.
 */
import { useEffect, useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import type { Interaction } from '../../protocol/types.ts';

interface RecordQuery {
  readonly transport: Transport;
  readonly sessionId: string;
  /** Undefined: nothing is read. */
  readonly interactionId: string | undefined;
  readonly isConnected: boolean;
}

/** Undefined until it is read. */
export function useRecord({
  transport,
  sessionId,
  interactionId,
  isConnected,
}: RecordQuery): Interaction | undefined {
  const [record, setRecord] = useState<Interaction>();
  useEffect(() => {
    if (interactionId === undefined || !isConnected) return;
    let isOver = false;
    transport.interaction(sessionId, interactionId).then(
      (found) => isOver || setRecord(found),
      // The banner reports the lost connection.
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [transport, sessionId, interactionId, isConnected]);
  return record?.interactionId === interactionId ? record : undefined;
}
