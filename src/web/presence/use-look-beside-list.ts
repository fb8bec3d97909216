/**
 * Says that the person looks at the request beside the list of the inbox, and learns who else does (PRES-5).
 *
 * The inbox follows no session, so its session is followed for this alone, and only once the request rests there: otherwise
 * keys that walk down the list would wake each session on the way.
 */
import { useEffect, useState } from 'preact/hooks';
import type { Subscription, Transport } from '../../client/transport.ts';
import { mayLook } from '../model/onlookers.ts';
import type { Person } from '../model/person.ts';
import { NOBODY, setPresence } from './presence-store.ts';
import { REST_MS, watchLook } from './watch-look.ts';

interface LookBesideList {
  readonly transport: Transport;
  readonly me: Person;
  readonly sessionId: string;
  readonly interactionId: string;
  readonly isOpen: boolean;
}

export function useLookBesideList(props: LookBesideList): void {
  const { transport, me, sessionId, interactionId, isOpen } = props;
  const [subscription, setSubscription] = useState<Subscription>();
  const isLooking = isOpen && mayLook(me);
  useEffect(() => {
    if (!isLooking) return;
    let followed: Subscription | undefined;
    const timer = setTimeout(() => {
      followed = transport.subscribe(
        sessionId,
        {
          presence: (presence) => setPresence(sessionId, presence),
          status({ type }) {
            if (type !== 'live') setPresence(sessionId, NOBODY);
          },
        },
        ONLY_NEW,
      );
      setSubscription(followed);
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      followed?.close();
      setSubscription(undefined);
      setPresence(sessionId, NOBODY);
    };
  }, [transport, sessionId, isLooking]);
  useEffect(() => {
    if (subscription === undefined) return;
    const { stop } = watchLook(
      (at) => subscription.look(at),
      () => ({ interactionId }),
    );
    return stop;
  }, [subscription, interactionId]);
}

/** The card is read by itself; of the log the last event is enough. */
const ONLY_NEW = -1;
