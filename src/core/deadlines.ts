/**
 * When time is next to act on a session, and what it does then.
 *
 * In time is `now < expiresAt`: at the very instant of the deadline it is over. The alarm is only a
 * nudge; the same `dueEvents` runs before every command and read, so a late alarm changes nothing.
 * Time never approves: it denies, gives the answer the opener declared, or marks as overdue.
 */
import type { DraftEvent } from '../protocol/schema/event.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import { kindOf } from './kinds/find-kind.ts';
import type { Kinds } from './kinds/kind.ts';
import { aboutOf, attachedTo, settleExpired, settleGiven } from './settle.ts';
import { openInOrder, type SessionState } from './state.ts';

const BY_TIME = { subject: 'system', via: 'timeout' } as const;

function timesOf(interaction: Interaction): number[] {
  const { expiresAt, remindAt, escalateAt } = interaction;
  return [expiresAt, remindAt, escalateAt].filter((at) => typeof at === 'number');
}

export function nextDeadline(state: SessionState | null): number | null {
  if (state === null) return null;
  let next: number | null = null;
  for (const interaction of state.open.values()) {
    for (const at of timesOf(interaction)) {
      if (next === null || at < next) next = at;
    }
  }
  return next;
}

export function isDue(state: SessionState | null, now: number): boolean {
  const next = nextDeadline(state);
  return next !== null && next <= now;
}

export function dueEvents(state: SessionState, kinds: Kinds, now: number): DraftEvent[] {
  return openInOrder(state).flatMap((interaction) => dueOf(state, kinds, interaction, now));
}

function dueOf(
  state: SessionState,
  kinds: Kinds,
  interaction: Interaction,
  now: number,
): DraftEvent[] {
  const { expiresAt, remindAt, escalateAt, onExpire } = interaction;
  const isOver = expiresAt !== null && expiresAt <= now;
  if (isOver && onExpire !== 'keep') return expire(state, kinds, interaction, now);
  const events: DraftEvent[] = [];
  if (remindAt !== undefined && remindAt <= now) events.push(mark(interaction, 'reminder'));
  if (escalateAt !== undefined && escalateAt <= now) events.push(mark(interaction, 'escalated'));
  if (isOver) events.push(overdue(interaction));
  return events;
}

function mark(interaction: Interaction, change: 'reminder' | 'escalated'): DraftEvent {
  return {
    type: 'interaction_update',
    ...attachedTo(interaction),
    payload: { ...aboutOf(interaction), change },
  };
}

function overdue(interaction: Interaction): DraftEvent {
  return {
    type: 'interaction_update',
    ...attachedTo(interaction),
    payload: { ...aboutOf(interaction), change: 'overdue', expiresAt: null, by: BY_TIME },
  };
}

function expire(
  state: SessionState,
  kinds: Kinds,
  interaction: Interaction,
  now: number,
): DraftEvent[] {
  const { onExpire } = interaction;
  if (typeof onExpire === 'object') {
    const kind = kindOf(kinds, interaction);
    const parsed = kind.answer.safeParse(onExpire.answer);
    const given = parsed.success ? kind.give(interaction, parsed.data) : undefined;
    if (given?.ok === true && given.type === 'settle') {
      return settleGiven(state.info, kinds, interaction, given, {
        now,
        by: BY_TIME,
        defaulted: true,
      });
    }
  }
  return settleExpired(kinds, interaction, now);
}
