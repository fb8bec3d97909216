/**
 * An agent that runs elsewhere tells what it did.
 *
 * Two of its events end waiting: the result of a tool call ends that call's question, right after
 * the result; the end of a turn ends the questions of that turn, right before it, except those
 * opened `detached`. A batch is taken whole or not at all.
 *
 * A turn of somebody else would push that of a session's own agent aside: its questions would stay open and reach nobody,
 * and what people write would wait for an end that nobody knows of.
 */
import type { CommandOf } from '../../protocol/command.ts';
import { reject } from '../../protocol/error.ts';
import type { AppendedEvent, DraftEvent } from '../../protocol/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { accept, type Decided } from '../decision.ts';
import type { Facts } from '../facts.ts';
import { logIsFull } from '../log-limit.ts';
import { withQueueDrained } from '../queue.ts';
import { preview } from '../stamp.ts';
import { openForToolCall, openInOrder, type SessionState } from '../state.ts';
import { cancelEvents } from './cancel.ts';

export function appendEvents(
  state: SessionState,
  command: CommandOf<'events.append'>,
  facts: Facts,
): Decided {
  if (command.events.length > LIMITS.eventsPerBatch) {
    return reject('limit_reached', 'Too many events in one batch', {
      limit: 'eventsPerBatch',
      max: LIMITS.eventsPerBatch,
    });
  }
  if (state.info.agent !== null && command.events.some(({ type }) => type === 'turn_started')) {
    return reject(
      'invalid_request',
      'This session has an agent of its own, and no other begins a turn in it',
    );
  }
  const full = logIsFull(state, command.events.length);
  if (full !== undefined) return full;
  const events: DraftEvent[] = [];
  let current = state;
  for (const appended of command.events) {
    const implied = withImplied(current, appended, facts);
    events.push(...implied);
    current = preview(current, implied, facts.now);
  }
  return accept(withQueueDrained(state, events, facts), { type: 'done' });
}

function withImplied(state: SessionState, appended: AppendedEvent, facts: Facts): DraftEvent[] {
  if (appended.type === 'tool_result' && appended.toolCallId !== undefined) {
    const open = openForToolCall(state.open, appended.toolCallId);
    if (open === undefined) return [appended];
    const reason = appended.payload.isError === true ? 'Tool call failed' : 'Tool call finished';
    return [appended, ...cancelEvents([open], facts, reason)];
  }
  if (appended.type === 'turn_ended') {
    const turnId = appended.turnId ?? state.info.turn?.turnId;
    if (turnId === undefined) return [appended];
    const left = openInOrder(state).filter(
      (interaction) => interaction.turnId === turnId && interaction.detached !== true,
    );
    return [...cancelEvents(left, facts, 'Turn ended'), appended];
  }
  return [appended];
}
