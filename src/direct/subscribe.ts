/** Joins the listeners of a session, until it is over or the transport is closed. */
import * as z from 'zod';
import type { Subscriber, Subscription } from '../client/subscription.ts';
import { check, must } from './border.ts';
import type { Desk } from './desk.ts';
import { NO_SESSION } from './host.ts';
import { LocalSubscription } from './local-subscription.ts';

const Cursor = z.strictObject({ after: z.number().int().min(0) });

export function subscribe(
  desk: Desk,
  sessionId: string,
  subscriber: Subscriber,
  cursor: number,
): Subscription {
  desk.mustBeOpen();
  const { host, identity } = desk;
  const letGo = host.keepAlive.hold();
  const subscription = new LocalSubscription(subscriber, cursor, {
    attach(ear) {
      desk.admit(['read'], sessionId);
      const { after } = check(Cursor, { after: cursor });
      const attachment = {
        role: 'subscriber',
        caller: identity.caller,
        chain: [],
        expiresAt: null,
        timeouts: host.timeouts,
        forbidSelfApproval: host.forbidSelfApproval,
        held: false,
        malformed: 0,
      } as const;
      const live = host.find(sessionId);
      return must(live?.attach({ to: 'log', after, attachment }, ear) ?? NO_SESSION);
    },
    over() {
      letGo();
      forget();
    },
    warn: host.warn,
  });
  const forget = desk.atClose(() => subscription.close());
  return subscription;
}
