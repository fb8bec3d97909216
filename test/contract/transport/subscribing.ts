/** Following a session: the present first, then the log without a gap or a double, then live. */
import { describe, expect, it } from 'vitest';
import type { World } from '../transport.contract.ts';
import { listen, logOf } from './listening.ts';
import { approval, begin, opened, UNKNOWN } from './questions.ts';

export function subscribingContract(world: World): void {
  describe('subscribing', () => {
    it('[TRN-2, TRN-4, PEND-7] receives the open interactions before any history', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, approval());
      const heard = listen(transport, id);
      await heard.until(({ events }) => events.length === 3);
      expect(heard.calls[0]).toBe('welcome');
      expect(heard.welcomes[0]).toMatchObject({
        session: { id, waitingForPerson: true },
        head: 3,
        open: [{ interactionId: 'call-1~1' }],
      });
      expect(heard.welcomes[0]?.now).toBeTypeOf('number');
      expect(heard.seqs()).toEqual([1, 2, 3]);
      expect(heard.subscription.cursor).toBe(3);
      heard.subscription.close();
    });

    it('[TRN-2] goes through connecting to live, and closes when asked', async () => {
      const { transport } = world();
      const id = await begin(transport);
      const heard = listen(transport, id);
      await heard.until(({ subscription }) => subscription.status.type === 'live');
      const types = heard.statuses.map(({ type }) => type);
      expect(types.at(-1)).toBe('live');
      expect(types.every((type) => ['connecting', 'replaying', 'live'].includes(type))).toBe(true);
      heard.subscription.close();
      expect(heard.subscription.status).toEqual({ type: 'closed' });
      expect(heard.statuses.at(-1)).toEqual({ type: 'closed' });
      heard.subscription.close();
      heard.subscription.reconnect();
      expect(heard.subscription.status).toEqual({ type: 'closed' });
    });

    it('[TRN-2] receives events as they are logged', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      const heard = listen(transport, id);
      await heard.until(({ subscription }) => subscription.status.type === 'live');
      await opened(agent, id, approval());
      await transport.approveTool(id, 'call-1');
      await heard.until(({ events }) => events.some(({ type }) => type === 'interaction_response'));
      await heard.until(({ events }) => events.length === 5);
      heard.subscription.close();
      expect(heard.events).toEqual(await logOf(transport, id));
    });

    it('[TRN-2, TRN-4] continues after a cursor without a gap or a duplicate', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      const whole = listen(transport, id);
      const parts: number[] = [];
      let cursor = 0;
      for (const call of ['call-1', 'call-2', 'call-3']) {
        await opened(agent, id, approval(call));
        const part = listen(transport, id, cursor);
        await transport.approveTool(id, call);
        const until = cursor + (cursor === 0 ? 5 : 4);
        await part.until(({ subscription }) => subscription.cursor === until);
        part.subscription.close();
        parts.push(...part.seqs());
        cursor = part.subscription.cursor;
      }
      await whole.until(({ events }) => events.length === cursor);
      whole.subscription.close();
      expect(parts).toEqual(whole.seqs());
      expect(parts).toEqual(Array.from({ length: 13 }, (_, index) => index + 1));
    });

    it('[TRN-2] starts at the head with nothing to replay', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, approval());
      const heard = listen(transport, id, 3);
      await heard.until(({ subscription }) => subscription.status.type === 'live');
      expect(heard.events).toEqual([]);
      await transport.approveTool(id, 'call-1');
      await heard.until(({ events }) => events.length === 2);
      expect(heard.seqs()).toEqual([4, 5]);
      heard.subscription.close();
    });

    it('[TRN-2] replays a long log whole', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      const batch = Array.from({ length: 500 }, (_, index) => ({
        type: 'assistant_text' as const,
        payload: { text: `${index} ${'x'.repeat(400)}` },
      }));
      await agent.appendEvents(id, batch);
      await agent.appendEvents(id, batch);
      const heard = listen(transport, id);
      await heard.until(({ subscription }) => subscription.cursor === 1001);
      heard.subscription.close();
      expect(heard.seqs()).toEqual(Array.from({ length: 1001 }, (_, index) => index + 1));
    });

    it('[TRN-2] is closed for good by a session that is not there', async () => {
      const { transport } = world();
      const heard = listen(transport, UNKNOWN);
      await heard.until(({ subscription }) => subscription.status.type === 'closed');
      expect(heard.subscription.status).toMatchObject({ error: { code: 'not_found' } });
      expect(heard.calls).toEqual([]);
    });

    it('[TRN-2] is closed for good by a cursor the log has not reached', async () => {
      const { transport } = world();
      const id = await begin(transport);
      const heard = listen(transport, id, 99);
      await heard.until(({ subscription }) => subscription.status.type === 'closed');
      expect(heard.subscription.status).toMatchObject({ error: { code: 'cursor_ahead' } });
    });

    it('[TRN-2, LOG-9] receives the deletion of its session, and ends', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, approval());
      const heard = listen(transport, id);
      await heard.until(({ subscription }) => subscription.status.type === 'live');
      await transport.deleteSession(id);
      await heard.until(({ subscription }) => subscription.status.type === 'closed');
      expect(heard.events.at(-1)).toMatchObject({
        type: 'session_status',
        payload: { status: 'deleted' },
      });
      expect(heard.subscription.status).toHaveProperty('error');
    });

    it('[TRN-2] serves the other subscribers when one fails', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      const fail = () => {
        throw new Error('A broken subscriber');
      };
      const broken = transport.subscribe(id, { welcome: fail, events: fail, status: fail });
      const heard = listen(transport, id);
      await heard.until(({ subscription }) => subscription.status.type === 'live');
      await opened(agent, id, approval());
      await heard.until(({ events }) => events.length === 3);
      await heard.until(() => broken.cursor === 3);
      broken.close();
      heard.subscription.close();
    });

    it('[TRN-2] ends every subscription when the transport is closed', async () => {
      const { transport } = world();
      const id = await begin(transport);
      const another = world().another();
      const heard = listen(another, id);
      await heard.until(({ subscription }) => subscription.status.type === 'live');
      another.close();
      expect(heard.subscription.status).toEqual({ type: 'closed' });
    });
  });
}
