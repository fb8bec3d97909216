/** Sessions through a transport: create, list, read, change, clear, delete, and the refusals. */
import { describe, expect, it, vi } from 'vitest';
import type { World } from '../transport.contract.ts';
import { logOf, PATIENCE_MS } from './listening.ts';
import { approval, begin, expectRefused, opened, question, UNKNOWN } from './questions.ts';

export function sessionsContract(world: World): void {
  describe('sessions', () => {
    it('[TRN-1, TRN-2] creates a session and shows it', async () => {
      const { transport } = world();
      const made = await transport.createSession({ title: 'Deploy', metadata: { team: 'a' } });
      expect(made).toMatchObject({ title: 'Deploy', metadata: { team: 'a' }, turn: null });
      const snapshot = await transport.snapshot(made.id);
      expect(snapshot).toMatchObject({ session: made, head: 1, open: [] });
      expect(snapshot.now).toBeGreaterThanOrEqual(made.createdAt);
    });

    it('[TRN-2] refuses an id that is taken', async () => {
      const { transport } = world();
      const id = await begin(transport);
      const error = await expectRefused(transport.createSession({ id }), 'session_exists');
      expect(error).toMatchObject({ retry: 'never' });
      expect(error.message).not.toBe('');
    });

    it('[TRN-2, TRN-5] makes one session of two creations with one key', async () => {
      const { transport } = world();
      const how = { idempotencyKey: `create-${Date.now()}` };
      const first = await transport.createSession({ title: 'Once' }, how);
      const again = await transport.createSession({ title: 'Once' }, how);
      expect(again.id).toBe(first.id);
      await expectRefused(
        transport.createSession({ title: 'Other' }, how),
        'idempotency_key_reused',
      );
    });

    it('[TRN-2] makes two sessions of two creations', async () => {
      const { transport } = world();
      const first = await transport.createSession();
      const second = await transport.createSession();
      expect(second.id).not.toBe(first.id);
    });

    it('[TRN-1, TRN-2] lists sessions, newest first, page by page', async () => {
      const { transport } = world();
      const older = await begin(transport);
      const newer = await begin(transport);
      const listed = async () => {
        const ids: string[] = [];
        let page = await transport.sessions({ limit: 1 });
        for (;;) {
          expect(page.sessions.length).toBeLessThanOrEqual(1);
          ids.push(...page.sessions.map(({ id }) => id));
          if (page.next === undefined || ids.includes(older)) return ids;
          page = await transport.sessions({ limit: 1, cursor: page.next });
        }
      };
      await vi.waitFor(
        async () => {
          const ids = await listed();
          expect(ids.indexOf(newer)).toBeGreaterThanOrEqual(0);
          expect(ids.indexOf(older)).toBeGreaterThan(ids.indexOf(newer));
        },
        { timeout: PATIENCE_MS, interval: 20 },
      );
    });

    it('[TRN-1, TRN-2] changes deadlines and metadata, and leaves the rest', async () => {
      const { transport, agent } = world();
      const { id } = await transport.createSession({ title: 'Deploy', metadata: { team: 'a' } });
      const timeouts = { approval: 30, question: null };
      expect(await transport.updateSession(id, { timeouts })).toMatchObject({
        timeouts,
        title: 'Deploy',
        metadata: { team: 'a' },
      });
      expect((await opened(agent, id, approval())).timeoutMs).toBe(30_000);
      await transport.updateSession(id, { metadata: { size: 3 }, title: 'Deployed' });
      const { session } = await transport.snapshot(id);
      expect(session).toMatchObject({ timeouts, metadata: { size: 3 }, title: 'Deployed' });
      expect(session.metadata).not.toHaveProperty('team');
      await expectRefused(transport.updateSession(id, {}), 'invalid_request');
      await expectRefused(
        transport.updateSession(id, { timeouts: { approval: 0 } }),
        'invalid_request',
      );
      await expectRefused(transport.updateSession(UNKNOWN, { title: 'No' }), 'not_found');
      await expectRefused(agent.updateSession(id, { timeouts: {} }), 'forbidden');
    });

    it('[TRN-1, TRN-2] renames and sets the mode', async () => {
      const { transport } = world();
      const id = await begin(transport);
      expect(await transport.rename(id, 'Another name')).toMatchObject({ title: 'Another name' });
      expect(await transport.setMode(id, 'acceptEdits')).toMatchObject({
        title: 'Another name',
        permissionMode: 'acceptEdits',
      });
      const { session } = await transport.snapshot(id);
      expect(session.permissionMode).toBe('acceptEdits');
    });

    it('[TRN-1, TRN-2] lists rules and revokes one', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      const asked = await opened(agent, id, { ...approval(), offers: ['once', 'session'] });
      const answer = { decision: 'approve', offer: 'session', everyCommand: true };
      await transport.answer(id, asked.interactionId, answer);
      const [rule, ...others] = await transport.rules(id);
      expect(others).toEqual([]);
      expect(rule).toMatchObject({ toolName: 'Bash', interactionId: asked.interactionId });
      const decided = await agent.open(id, approval('call-2'));
      expect(decided).toMatchObject({ type: 'decided', decision: { behavior: 'allow' } });
      await transport.revokeRule(id, rule?.id ?? '');
      expect(await transport.rules(id)).toEqual([]);
      expect(await agent.open(id, approval('call-3'))).toMatchObject({ type: 'interaction' });
      await expectRefused(transport.revokeRule(id, 'no-such-rule'), 'not_found');
    });

    it('[TRN-1, TRN-2] interrupts and clears, and returns how many interactions it ended', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, approval('call-1'));
      await opened(agent, id, question('call-2'));
      expect(await transport.interrupt(id)).toEqual({ cancelled: 2 });
      await opened(agent, id, approval('call-3'));
      expect(await transport.clear(id)).toEqual({ cancelled: 1 });
      expect((await transport.snapshot(id)).open).toEqual([]);
      expect((await logOf(transport, id)).at(-1)?.type).toBe('context_cleared');
    });

    it('[TRN-2, LOG-9] deletes a session for good', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await transport.deleteSession(id);
      await expectRefused(transport.snapshot(id), 'not_found');
      await expectRefused(agent.open(id, approval()), 'not_found');
      await expectRefused(transport.createSession({ id }), 'session_deleted');
      await expectRefused(transport.deleteSession(id), 'not_found');
    });

    it('[TRN-2] finds no session that never existed', async () => {
      const { transport, agent } = world();
      const asked = [
        transport.snapshot(UNKNOWN),
        transport.rename(UNKNOWN, 'x'),
        transport.setMode(UNKNOWN, 'plan'),
        transport.deleteSession(UNKNOWN),
        transport.clear(UNKNOWN),
        transport.interrupt(UNKNOWN),
        transport.rules(UNKNOWN),
        transport.revokeRule(UNKNOWN, 'rule'),
        transport.answer(UNKNOWN, 'call-1~1', { decision: 'approve' }),
        transport.answerText(UNKNOWN, 'call-1~1', 'yes'),
        transport.reviewPlan(UNKNOWN, 'call-1~1', 'default'),
        transport.submitForm(UNKNOWN, 'call-1~1', {}),
        transport.decide(UNKNOWN, [{ toolCallId: 'call-1', answer: { decision: 'deny' } }]),
        transport.extend(UNKNOWN, 'call-1~1'),
        transport.cancel(UNKNOWN, 'call-1~1'),
        transport.cancelAll(UNKNOWN),
        transport.sendMessage(UNKNOWN, 'Hello').routed,
        agent.open(UNKNOWN, approval()),
        agent.interaction(UNKNOWN, 'call-1~1'),
        agent.appendEvents(UNKNOWN, [{ type: 'turn_started' }]),
      ];
      await Promise.all(asked.map((promise) => expectRefused(promise, 'not_found')));
    });

    it('[TRN-2] refuses malformed input, and names the place', async () => {
      const { transport } = world();
      const error = await expectRefused(transport.createSession({ title: '' }), 'invalid_request');
      expect(error.details).toHaveProperty('issues');
      await expectRefused(transport.createSession({ id: '..' }), 'invalid_request');
    });

    it('[TRN-2] sends no request once it is closed', async () => {
      const { transport } = world();
      const id = await begin(transport);
      const another = world().another();
      await another.snapshot(id);
      another.close();
      await expectRefused(another.snapshot(id), 'closed');
      await transport.snapshot(id);
    });
  });
}
