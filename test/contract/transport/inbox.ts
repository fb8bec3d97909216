/** The inbox live: the present first, then each change, until it is closed. */
import { describe, expect, it, vi } from 'vitest';
import type {
  InboxSubscription,
  ConnectionStatus,
  Transport,
} from '../../../src/client/transport.ts';
import type { InboxChange, InboxPage } from '../../../src/protocol/types.ts';
import type { World } from '../transport.contract.ts';
import { PATIENCE_MS } from './listening.ts';
import { approval, begin, opened } from './questions.ts';

/** The received changes of one session; the other sessions of the suite share its inbox. */
function watch(transport: Transport, sessionId: string) {
  const pages: InboxPage[] = [];
  const changes: InboxChange[] = [];
  const statuses: ConnectionStatus[] = [];
  const subscription: InboxSubscription = transport.subscribeInbox({
    inbox: (page) => void pages.push(page),
    changed: (change) => change.sessionId === sessionId && changes.push(change),
    status: (status) => void statuses.push(status),
  });
  const until = (isSo: () => boolean) =>
    vi.waitFor(() => expect(isSo()).toBe(true), { timeout: PATIENCE_MS, interval: 5 });
  return { pages, changes, statuses, subscription, until };
}

export function inboxContract(world: World): void {
  describe('the inbox, live', () => {
    it('[INBOX-2, TRN-1, TRN-2] receives the open interactions, each opening and each settlement', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, approval('call-1'));
      await vi.waitFor(
        async () => {
          const { interactions } = await transport.inbox({ limit: 1000 });
          expect(interactions.some(({ sessionId }) => sessionId === id)).toBe(true);
        },
        { timeout: PATIENCE_MS },
      );
      const heard = watch(transport, id);
      await heard.until(() => heard.statuses.at(-1)?.type === 'live');
      expect(heard.pages).toHaveLength(1);
      expect(heard.pages[0]).toMatchObject({ now: expect.any(Number), total: expect.any(Number) });
      expect(heard.changes).toEqual([]);

      await opened(agent, id, approval('call-2'));
      await heard.until(() => heard.changes.length === 1);
      const [{ total, ...first } = { total: 0 }] = heard.changes;
      expect(first).toMatchObject({
        sessionId: id,
        sessionTitle: null,
        upserts: [{ sessionId: id, interactionId: 'call-2~1', toolName: 'Bash' }],
        removed: [],
      });
      await transport.approveTool(id, 'call-1');
      await heard.until(() => heard.changes.length === 2);
      expect(heard.changes[1]).toMatchObject({ upserts: [], removed: ['call-1~1'] });
      expect(heard.changes[1]?.total).toBe(total - 1);
      heard.subscription.close();
    });

    it('[INBOX-2, TRN-2] receives a new title of a session, and drops a deleted session', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      const heard = watch(transport, id);
      await heard.until(() => heard.statuses.at(-1)?.type === 'live');
      await opened(agent, id, approval());
      await heard.until(() => heard.changes.length === 1);
      await transport.rename(id, 'Deploy');
      await heard.until(() => heard.changes.length === 2);
      expect(heard.changes[1]).toMatchObject({ sessionTitle: 'Deploy', upserts: [], removed: [] });
      await transport.deleteSession(id);
      await heard.until(() => heard.changes.length === 3);
      expect(heard.changes[2]).toMatchObject({ removed: ['call-1~1'] });
      heard.subscription.close();
    });

    it('[INBOX-2, TRN-2] closes when asked, and with its transport', async () => {
      const { another } = world();
      const transport = another();
      const one = watch(transport, 'any');
      const two = watch(transport, 'any');
      await one.until(() => one.statuses.at(-1)?.type === 'live');
      one.subscription.close();
      one.subscription.reconnect();
      expect(one.subscription.status).toEqual({ type: 'closed' });
      expect(one.statuses.at(-1)).toEqual({ type: 'closed' });
      transport.close();
      expect(two.subscription.status.type).toBe('closed');
      expect(() => transport.subscribeInbox({})).toThrow('This transport is closed');
    });

    it('[INBOX-2, TRN-2] serves other subscribers when one throws', async () => {
      const { transport } = world();
      const bad = transport.subscribeInbox({
        inbox: () => {
          throw new Error('On purpose');
        },
      });
      const good = watch(transport, 'any');
      await good.until(() => good.statuses.at(-1)?.type === 'live');
      await good.until(() => bad.status.type === 'live');
      bad.close();
      good.subscription.close();
    });
  });
}
