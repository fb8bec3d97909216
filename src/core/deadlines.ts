/**
 * When the next deadline of a session is, and which events are due then.
 *
 * An answer is in time while `now < expiresAt`; at the instant of the deadline the interaction is over. The alarm only
 * wakes the session: `dueEvents` runs before every command and read as well, so a late alarm changes nothing.
 * A deadline never approves. It denies, applies the answer that the opener declared, or marks the interaction overdue.
 */
import type { DraftEvent } from '../protocol/schema/event.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import { joinAudiences } from './audience.ts';
import { findKind, type KindRegistry } from './kinds/kind.ts';
import { interactionFields, attachmentFields, settleByDeadline, settleByAnswer } from './settle.ts';
import { listOpenInteractions, type SessionState } from './state.ts';

const TIMEOUT_SETTLER = { subject: 'system', via: 'timeout' } as const;

function instantsOf(interaction: Interaction): number[] {
  const { expiresAt, remindAt, escalateAt } = interaction;
  return [expiresAt, remindAt, escalateAt].filter((at) => typeof at === 'number');
}

export function nextDeadline(state: SessionState | null): number | null {
  if (state === null) return null;
  let next: number | null = null;
  for (const interaction of state.open.values()) {
    for (const at of instantsOf(interaction)) {
      if (next === null || at < next) next = at;
    }
  }
  return next;
}

export function isDue(state: SessionState | null, now: number): boolean {
  const next = nextDeadline(state);
  return next !== null && next <= now;
}

export function dueEvents(state: SessionState, kinds: KindRegistry, now: number): DraftEvent[] {
  return listOpenInteractions(state).flatMap((interaction) =>
    dueEventsOf(state, kinds, interaction, now),
  );
}

function dueEventsOf(
  state: SessionState,
  kinds: KindRegistry,
  interaction: Interaction,
  now: number,
): DraftEvent[] {
  const { expiresAt, remindAt, escalateAt, onExpire } = interaction;
  const isOver = expiresAt !== null && expiresAt <= now;
  if (isOver && onExpire !== 'keep') return expireInteraction(state, kinds, interaction, now);
  const events: DraftEvent[] = [];
  if (remindAt !== undefined && remindAt <= now) events.push(reminderEvent(interaction));
  if (escalateAt !== undefined && escalateAt <= now) events.push(escalatedEvent(interaction));
  if (isOver) events.push(overdueEvent(interaction));
  return events;
}

function reminderEvent(interaction: Interaction): DraftEvent {
  return {
    type: 'interaction_update',
    ...attachmentFields(interaction),
    payload: { ...interactionFields(interaction), change: 'reminder' },
  };
}

/** From here on the next audience may answer as well. */
function escalatedEvent(interaction: Interaction): DraftEvent {
  const { audience, escalateTo } = interaction;
  const joined = escalateTo && joinAudiences(audience, escalateTo);
  return {
    type: 'interaction_update',
    ...attachmentFields(interaction),
    payload: {
      ...interactionFields(interaction),
      change: 'escalated',
      ...(joined !== undefined && { audience: joined }),
      ...(escalateTo !== undefined && { escalatedTo: escalateTo }),
    },
  };
}

function overdueEvent(interaction: Interaction): DraftEvent {
  return {
    type: 'interaction_update',
    ...attachmentFields(interaction),
    payload: {
      ...interactionFields(interaction),
      change: 'overdue',
      expiresAt: null,
      by: TIMEOUT_SETTLER,
    },
  };
}

function expireInteraction(
  state: SessionState,
  kinds: KindRegistry,
  interaction: Interaction,
  now: number,
): DraftEvent[] {
  const { onExpire } = interaction;
  if (typeof onExpire === 'object') {
    const kind = findKind(kinds, interaction);
    const parsed = kind.answer.safeParse(onExpire.answer);
    const effect = parsed.success ? kind.interpret(interaction, parsed.data) : undefined;
    if (effect?.ok === true && effect.type === 'settle') {
      return settleByAnswer(state.info, kinds, interaction, effect, {
        now,
        by: TIMEOUT_SETTLER,
        defaulted: true,
      });
    }
  }
  return settleByDeadline(kinds, interaction, now);
}
