/** An agent opens interactions, waits for outcomes and appends events. */
import { describe, expect, it, vi } from 'vitest';
import type { World } from '../transport.contract.ts';
import { logOf, PATIENCE_MS } from './listening.ts';
import { approval, begin, expectRefused, opened, question } from './questions.ts';

export function askingContract(world: World): void {
  describe('asking', () => {
    it('[TRN-1, TRN-2] opens an interaction, which the session and the inbox show', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      const asked = await opened(agent, id, approval());
      expect(asked).toMatchObject({
        interactionId: 'call-1~1',
        status: 'open',
        request: { input: { command: 'rm -rf build' } },
      });
      const { open, session } = await transport.snapshot(id);
      expect(open.map(({ interactionId }) => interactionId)).toEqual(['call-1~1']);
      expect(session.waitingForPerson).toBe(true);
      await vi.waitFor(
        async () => {
          const inbox = await transport.inbox({ limit: 1000 });
          const ours = inbox.interactions.find(({ sessionId }) => sessionId === id);
          expect(ours).toMatchObject({ interactionId: 'call-1~1', toolName: 'Bash' });
          expect(inbox.total).toBeGreaterThan(0);
        },
        { timeout: PATIENCE_MS, interval: 20 },
      );
    });

    it('[TRN-2] shows the inbox page by page', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, approval('call-1'));
      await opened(agent, id, approval('call-2'));
      await vi.waitFor(
        async () => {
          const seen: string[] = [];
          let page = await transport.inbox({ limit: 1 });
          for (;;) {
            for (const one of page.interactions) {
              if (one.sessionId === id) seen.push(one.interactionId);
            }
            if (page.next === undefined) break;
            page = await transport.inbox({ limit: 1, cursor: page.next });
          }
          expect(seen.toSorted()).toEqual(['call-1~1', 'call-2~1']);
        },
        { timeout: PATIENCE_MS, interval: 20 },
      );
    });

    it('[TRN-2, TRN-5] returns the same interaction for the same question', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      const first = await opened(agent, id, approval());
      const again = await opened(agent, id, approval());
      expect(again.interactionId).toBe(first.interactionId);
      const { toolCallId: _, ...anonymous } = approval();
      const how = { idempotencyKey: 'the-same-opening' };
      const one = await agent.open(id, anonymous, how);
      const two = await agent.open(id, anonymous, how);
      expect(two).toMatchObject({
        interaction: {
          interactionId: one.type === 'interaction' ? one.interaction.interactionId : '',
        },
      });
      await expectRefused(
        agent.open(id, { ...anonymous, input: {} }, how),
        'idempotency_key_reused',
      );
      expect((await transport.snapshot(id)).open).toHaveLength(2);
    });

    it('[TRN-2] replaces an open question by another for the same call', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, question());
      const next = await opened(agent, id, { ...question(), errorSummary: 'Choose again' });
      expect(next).toMatchObject({ interactionId: 'call-1~2', replaces: 'call-1~1' });
      expect(await agent.interaction(id, 'call-1~1')).toMatchObject({
        outcome: 'superseded',
        replacedBy: 'call-1~2',
      });
    });

    it('[TRN-2] refuses a request that no kind accepts', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await expectRefused(agent.open(id, { kind: 'riddle', toolName: 'Sphinx' }), 'unknown_kind');
      await expectRefused(
        agent.open(id, { kind: 'question', toolName: 'Ask', questions: [] }),
        'invalid_request',
      );
      await expectRefused(agent.interaction(id, 'call-9~1'), 'not_found');
    });

    it('[TRN-2, INT-8] waits for an outcome and gets it', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, approval());
      const waiting = agent.interaction(id, 'call-1~1', { waitSeconds: 20 });
      await vi.waitFor(
        async () => {
          const { open } = await transport.snapshot(id);
          expect(open[0]?.agentWaiting).toBe(true);
        },
        { timeout: PATIENCE_MS, interval: 10 },
      );
      await transport.approveTool(id, 'call-1');
      expect(await waiting).toMatchObject({
        status: 'settled',
        outcome: 'approved',
        reply: { behavior: 'allow', updatedInput: { command: 'rm -rf build' } },
      });
      const late = await agent.interaction(id, 'call-1~1', { waitSeconds: 20 });
      expect(late.outcome).toBe('approved');
    });

    it('[TRN-2] waits no longer than its limit', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, approval());
      const still = await agent.interaction(id, 'call-1~1', { waitSeconds: 1 });
      expect(still).toMatchObject({ status: 'open', outcome: null });
    });

    it('[TRN-2] stops waiting when it is aborted, and the question stays', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, approval());
      const stop = new AbortController();
      const waiting = agent.interaction(id, 'call-1~1', { waitSeconds: 20, signal: stop.signal });
      const refused = expectRefused(waiting, 'aborted');
      stop.abort();
      expect(await refused).toMatchObject({ origin: 'client' });
      expect((await transport.snapshot(id)).open).toHaveLength(1);
      const gone = agent.open(id, approval('call-2'), { signal: AbortSignal.abort() });
      await expectRefused(gone, 'aborted');
    });

    it('[TRN-1, TRN-2] appends its events, all or none', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      const head = await agent.appendEvents(id, [
        { type: 'turn_started', turnId: 'turn-1' },
        { type: 'assistant_text', turnId: 'turn-1', payload: { text: 'Hello' } },
        {
          type: 'tool_call',
          turnId: 'turn-1',
          toolCallId: 'call-1',
          payload: { toolName: 'Read', input: {} },
        },
        { type: 'tool_result', turnId: 'turn-1', toolCallId: 'call-1', payload: { output: 'ok' } },
        { type: 'turn_ended', turnId: 'turn-1' },
      ]);
      expect(head).toBe(6);
      const forbidden = [{ type: 'user_message', payload: { text: 'I am a person' } }];
      await expectRefused(agent.appendEvents(id, forbidden as never), 'unknown_event_type');
      const types = (await logOf(transport, id)).map(({ type }) => type);
      expect(types).toEqual([
        'session_started',
        'turn_started',
        'assistant_text',
        'tool_call',
        'tool_result',
        'turn_ended',
      ]);
    });

    it('[TRN-2, TRN-5] appends a batch once, however often it is sent with one key', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      const how = { idempotencyKey: 'the-same-batch' };
      const batch = [{ type: 'thinking', payload: { text: 'Hm' } }] as const;
      expect(await agent.appendEvents(id, batch, how)).toBe(2);
      await agent.appendEvents(id, batch, how);
      expect((await transport.snapshot(id)).head).toBe(2);
    });
  });
}
