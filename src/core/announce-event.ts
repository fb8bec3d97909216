/** The announcement of one event of the log, if the event has one; see `protocol/schema/announcement.ts`. */
import type { Announcement } from '../protocol/schema/announcement.ts';
import type { EventOf, SessionEvent } from '../protocol/schema/event.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { LIMITS } from '../protocol/limits.ts';

/** `open` is the interaction of the event, unless it has settled since. */
export function announceEvent(event: SessionEvent, open?: Interaction): Announcement | undefined {
  const { seq, at, turnId } = event;
  switch (event.type) {
    case 'interaction_request':
      return announceRequest(event);
    case 'interaction_update':
      return announceUpdate(event, open);
    case 'interaction_response':
      return announceResponse(event);
    case 'turn_ended': {
      const { reason, by } = event.payload;
      const named = turnId === undefined ? {} : { turnId };
      return { type: 'turn.ended', seq, at, ...named, reason, ...(by && { by }) };
    }
    case 'session_started': {
      const { title, createdBy } = event.payload;
      const named = title === undefined ? {} : { title };
      return { type: 'session.created', seq, at, ...named, createdBy };
    }
    case 'session_status': {
      const { status, by } = event.payload;
      if (status !== 'deleted') return undefined;
      return { type: 'session.deleted', seq, at, ...(by && { by }) };
    }
    case 'session_updated':
    case 'turn_started':
    case 'user_message':
    case 'assistant_text':
    case 'thinking':
    case 'tool_call':
    case 'tool_result':
    case 'interaction_pending':
    case 'history_imported':
    case 'context_cleared':
    case 'conversation_compacted':
    case 'conversation_restored':
    case 'error':
      return undefined;
    default:
      // A new event type must be listed above.
      event satisfies never;
      return undefined;
  }
}

type InteractionEvent = EventOf<
  'interaction_request' | 'interaction_update' | 'interaction_response'
>;

function announcedFields({ seq, at, turnId, responseId, payload }: InteractionEvent) {
  const { interactionId, toolCallId, toolName, kind, audience } = payload;
  return {
    seq,
    at,
    interactionId,
    toolCallId,
    toolName,
    kind,
    ...(audience !== undefined && { audience }),
    ...(turnId !== undefined && { turnId }),
    ...(responseId !== undefined && { responseId }),
  };
}

function announceRequest(event: EventOf<'interaction_request'>): Announcement {
  const { presentation, inputDigest, openedBy, expiresAt, replaces, undoes, quorum } =
    event.payload;
  return {
    type: 'interaction.requested',
    ...announcedFields(event),
    presentation,
    request: requestForLists(event.payload),
    inputDigest,
    openedBy,
    expiresAt,
    ...(replaces !== undefined && { replaces }),
    ...(undoes !== undefined && { undoes }),
    ...(quorum !== undefined && { quorum }),
  };
}

function announceUpdate(
  event: EventOf<'interaction_update'>,
  open: Interaction | undefined,
): Announcement | undefined {
  const { change, expiresAt, by, votes } = event.payload;
  // For a person the request stays the same; a decision that is taken back is announced with the request that follows.
  if (change === 'reassigned' || change === 'undone') return undefined;
  const about = announcedFields(event);
  if (change === 'reminder') {
    const deadline = open && { expiresAt: open.expiresAt };
    return { type: 'interaction.reminder', ...about, ...deadline };
  }
  // Who looks at a request now is over before a message about it is read.
  if (change === 'claimed' || change === 'released') return undefined;
  if (change === 'escalated' || change === 'handed_over') return announceEscalation(event, open);
  return {
    type: 'interaction.updated',
    ...about,
    change,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(votes !== undefined && { approvedBy: votes.map((vote) => vote.by.subject) }),
    ...(by && { by }),
  };
}

/**
 * Those who are asked from here on have seen no request yet, so the announcement holds it. Once others were asked in
 * their place, it does not: a report would hold the request as often as it was handed over.
 */
function announceEscalation(
  event: EventOf<'interaction_update'>,
  open: Interaction | undefined,
): Announcement {
  const { handover, by } = event.payload;
  const escalatedTo = handover?.to ?? event.payload.escalatedTo;
  const about = announcedFields(event);
  const asked = open &&
    !isHandedOn(event, open) && {
      presentation: open.presentation,
      request: requestForLists(open),
      inputDigest: open.inputDigest,
      openedBy: open.openedBy,
      expiresAt: open.expiresAt,
    };
  const audience = escalatedTo && { audience: escalatedTo };
  const handed = handover && {
    ...(by && { by }),
    ...(handover.note !== undefined && { note: handover.note }),
  };
  return { type: 'interaction.escalated', ...about, ...audience, ...asked, ...handed };
}

/** To those who are no longer asked. A handover of an older version does not say who they are. */
export function announceHandover(event: SessionEvent): Announcement | undefined {
  if (event.type !== 'interaction_update') return undefined;
  const { handover, audience: to, by } = event.payload;
  if (event.payload.change !== 'handed_over' || handover?.from === undefined) return undefined;
  const { audience: _now, ...about } = announcedFields(event);
  const former = handover.from !== null && { audience: handover.from };
  return {
    type: 'interaction.handed_over',
    ...about,
    ...former,
    to: to ?? handover.to,
    ...(by && { by }),
  };
}

function isHandedOn(event: EventOf<'interaction_update'>, { handover }: Interaction): boolean {
  const own = event.payload.handover;
  if (handover === undefined) return false;
  return own === undefined
    ? event.at < handover.at
    : JSON.stringify(own) !== JSON.stringify(handover);
}

function announceResponse(event: EventOf<'interaction_response'>): Announcement {
  const { outcome, settledBy, reason, defaulted, inputDigest, authorizedDigest, replacedBy } =
    event.payload;
  const { choice, stop } = event.payload.decision ?? {};
  return {
    type: 'interaction.resolved',
    ...announcedFields(event),
    outcome,
    settledBy,
    ...(reason !== undefined && { reason }),
    ...(typeof choice === 'string' && { choice }),
    ...(stop === true && { stop }),
    ...(defaulted !== undefined && { defaulted }),
    inputDigest,
    ...(authorizedDigest !== undefined && { authorizedDigest }),
    ...(replacedBy !== undefined && { replacedBy }),
  };
}

/**
 * Lists and reports leave out larger requests, and each whose input is not shown whole: what is answered from a list or a
 * message must be all of it. A client reads such a request from its session.
 */
export function requestForLists({
  request,
  wholeInput,
}: Pick<Interaction, 'request' | 'wholeInput'>): JsonObject | null {
  const fits =
    wholeInput === undefined && JSON.stringify(request).length <= LIMITS.inboxRequestChars;
  return fits ? request : null;
}
