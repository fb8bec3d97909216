/** A person sends messages and follows their turns. */
import { describe, expect, it } from 'vitest';
import type { MessageStream, Transport } from '../../../src/client/transport.ts';
import type { TurnEvent } from '../../../src/client/message-stream/turn-event.ts';
import type { AppendedEvent } from '../../../src/protocol/types.ts';
import type { World } from '../transport.contract.ts';
import { listen, logOf } from './listening.ts';
import { approval, begin, expectRefused, opened, question, twoQuestions } from './questions.ts';

async function all(stream: MessageStream): Promise<TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

const types = (events: readonly TurnEvent[]) => events.map(({ type }) => type);

/** Does a turn as an agent elsewhere does it, once the message is in the log. */
async function playTurn(
  agent: Transport,
  sessionId: string,
  events: readonly AppendedEvent[],
): Promise<void> {
  const heard = listen(agent, sessionId);
  await heard.until(({ events: log }) => log.some(({ type }) => type === 'user_message'));
  heard.subscription.close();
  await agent.appendEvents(sessionId, events);
}

const TURN: readonly AppendedEvent[] = [
  { type: 'turn_started', turnId: 't1' },
  { type: 'assistant_text', turnId: 't1', responseId: 'r1', payload: { text: 'Looking.' } },
  {
    type: 'tool_call',
    turnId: 't1',
    toolCallId: 'c1',
    payload: { toolName: 'Read', input: { path: 'a' } },
  },
  { type: 'tool_result', turnId: 't1', toolCallId: 'c1', payload: { output: 'ok' } },
  { type: 'turn_ended', turnId: 't1' },
];

export function messagesContract(world: World): void {
  describe('messages', () => {
    it('[TRN-2, STR-1] yields the turn that a message starts, and then ends', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      const stream = transport.sendMessage(id, 'Look into it');
      const [events] = await Promise.all([all(stream), playTurn(agent, id, TURN)]);
      expect(await stream.routed).toMatchObject({ routed: 'turn' });
      expect(events).toEqual([
        { type: 'text_delta', text: 'Looking.', responseId: 'r1' },
        { type: 'tool_call_start', toolCallId: 'c1', toolName: 'Read' },
        { type: 'tool_call_delta', toolCallId: 'c1', input: '{"path":"a"}' },
        { type: 'tool_call_end', toolCallId: 'c1', toolName: 'Read', input: { path: 'a' } },
        { type: 'tool_result', toolCallId: 'c1', output: 'ok', isError: false },
        { type: 'done', reason: 'completed' },
      ]);
    });

    it('[TRN-2, STR-1] yields the interactions of the turn, and their outcomes', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      const events: TurnEvent[] = [];
      const followed = (async () => {
        for await (const event of transport.sendMessage(id, 'Clean up')) {
          events.push(event);
          if (event.type === 'approval_required') await transport.approveTool(id, 'call-1');
        }
      })();
      await playTurn(agent, id, [{ type: 'turn_started', turnId: 't1' }]);
      await opened(agent, id, { ...approval(), turnId: 't1' });
      await agent.interaction(id, 'call-1~1', { waitSeconds: 20 });
      await agent.appendEvents(id, [{ type: 'turn_ended', turnId: 't1' }]);
      await followed;
      expect(types(events)).toEqual(['approval_required', 'interaction_resolved', 'done']);
      expect(events[0]).toMatchObject({
        toolCallId: 'call-1',
        toolName: 'Bash',
        input: '{"command":"rm -rf build"}',
      });
      expect(events[1]).toMatchObject({
        interactionId: 'call-1~1',
        outcome: 'approved',
        interaction: { outcome: 'approved', status: 'settled' },
      });
    });

    it('[TRN-2, STR-1] yields the outcome of the interaction that the text answered', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, question());
      const stream = transport.sendMessage(id, 'red');
      const events = await all(stream);
      expect(await stream.routed).toMatchObject({
        routed: 'interaction',
        interactionId: 'call-1~1',
      });
      expect(types(events)).toEqual(['interaction_resolved', 'done']);
      expect(events[0]).toMatchObject({ outcome: 'answered', toolCallId: 'call-1' });
      expect((await logOf(transport, id)).some(({ type }) => type === 'user_message')).toBe(false);
    });

    it('[TRN-2, STR-1] is done at once when the text was only a step', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, twoQuestions());
      expect(types(await all(transport.sendMessage(id, 'red')))).toEqual(['done']);
    });

    it('[TRN-2, STR-1] waits for the turn that takes a queued message', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, approval());
      const stream = transport.sendMessage(id, 'And then rest.');
      expect(await stream.routed).toMatchObject({ routed: 'queued' });
      const followed = all(stream);
      await transport.approveTool(id, 'call-1');
      await playTurn(agent, id, TURN);
      expect(types(await followed).at(-1)).toBe('done');
    });

    it('[TRN-2] runs the text commands', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, approval());
      const stream = transport.sendMessage(id, '/cancel');
      expect(await stream.routed).toEqual({ routed: 'command', cancelled: 1 });
      expect(types(await all(stream))).toEqual(['done']);
    });

    it('[TRN-2] refuses text that several interactions could take, and accepts it when one is named', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, question('call-1'));
      await opened(agent, id, question('call-2'));
      const refused = transport.sendMessage(id, 'red');
      const error = await expectRefused(refused.routed, 'ambiguous_text');
      expect(error.details).toMatchObject({
        candidates: [{ interactionId: 'call-1~1' }, { interactionId: 'call-2~1' }],
      });
      await expectRefused(all(refused), 'ambiguous_text');
      const named = transport.sendMessage(id, 'red', { replyTo: 'call-2~1' });
      expect(await named.routed).toMatchObject({ interactionId: 'call-2~1' });
    });

    it('[TRN-2, TRN-5] sends a message once, however often with one key', async () => {
      const { transport } = world();
      const id = await begin(transport);
      const how = { idempotencyKey: 'the-same-message' };
      await transport.sendMessage(id, 'Hello', how).routed;
      await transport.sendMessage(id, 'Hello', how).routed;
      const log = await logOf(transport, id);
      expect(log.filter(({ type }) => type === 'user_message')).toHaveLength(1);
    });

    it('[TRN-2, STR-3] loses no event of the turn when the reader leaves early', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      const leaving = (async () => {
        for await (const event of transport.sendMessage(id, 'Look into it')) {
          if (event.type === 'text_delta') break;
        }
      })();
      await playTurn(agent, id, TURN.slice(0, 2));
      await leaving;
      await agent.appendEvents(id, TURN.slice(2));
      expect((await logOf(transport, id)).map(({ type }) => type)).toEqual([
        'session_started',
        'user_message',
        ...TURN.map(({ type }) => type),
      ]);
    });

    it('[TRN-2] ends when it is aborted', async () => {
      const { transport } = world();
      const id = await begin(transport);
      const stop = new AbortController();
      const stream = transport.sendMessage(id, 'Hello', { signal: stop.signal });
      const followed = expectRefused(all(stream), 'aborted');
      await stream.routed;
      stop.abort();
      await followed;
    });

    it('[TRN-2] ends when the session is deleted', async () => {
      const { transport } = world();
      const id = await begin(transport);
      const stream = transport.sendMessage(id, 'Hello');
      const followed = all(stream);
      await stream.routed;
      await transport.deleteSession(id);
      expect((await followed).at(-1)).toEqual({ type: 'done', reason: 'deleted' });
    });
  });
}
