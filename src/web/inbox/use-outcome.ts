/** How something ended that left the inbox; the list says only that it did. */
import { useEffect, useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import type { Interaction } from '../../protocol/types.ts';
import type { InboxItem } from '../model/inbox.ts';
import { recordOfItem } from '../model/inbox-record.ts';

export function useOutcome(transport: Transport, item: InboxItem): Interaction {
  const { sessionId, interactionId } = item.entry;
  const [settled, setSettled] = useState<Interaction>();
  useEffect(() => {
    if (item.isOpen) return;
    let isWanted = true;
    transport.interaction(sessionId, interactionId).then(
      (record) => isWanted && record.status === 'settled' && setSettled(record),
      // Its session may be gone; that it is over is all there is to say.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [transport, sessionId, interactionId, item.isOpen]);
  return item.isOpen ? recordOfItem(item) : (settled ?? recordOfItem(item));
}
