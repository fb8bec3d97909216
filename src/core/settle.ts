/**
 * Every ending of an interaction, written down the same way.
 *
 * The response is logged first and `interaction_pending {pending: false}` immediately after it, so
 * that live and replayed order agree; a reprompt leaves the second out, because the tool call still
 * waits. Answers given before an ending that is not an answer stay in the record.
 */
import type { Settler } from '../protocol/schema/actor.ts';
import type { DraftEvent, EventOf } from '../protocol/schema/event.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { inputDigest } from './digest/digests.ts';
import type { Given, Kind, Kinds } from './kinds/kind.ts';
import { kindOf } from './kinds/find-kind.ts';
import type { SessionInfo } from './state.ts';

type Settlement = Omit<
  EventOf<'interaction_response'>['payload'],
  'interactionId' | 'toolCallId' | 'toolName' | 'kind' | 'inputDigest'
>;

type Attached = Pick<Interaction, 'toolCallId' | 'turnId' | 'responseId'>;
type Asked = Attached & Pick<Interaction, 'interactionId' | 'toolName' | 'presentation'>;

/** The fields that attach an event to its turn, response and tool call. */
export function attachedTo(interaction: Attached) {
  return {
    ...(interaction.turnId !== undefined && { turnId: interaction.turnId }),
    ...(interaction.responseId !== undefined && { responseId: interaction.responseId }),
    toolCallId: interaction.toolCallId,
  };
}

export function aboutOf(interaction: Interaction) {
  const { interactionId, toolCallId, toolName, kind } = interaction;
  return { interactionId, toolCallId, toolName, kind };
}

export function pendingEvent(interaction: Asked, pending: boolean): DraftEvent {
  const { toolCallId, toolName, presentation, interactionId } = interaction;
  return {
    type: 'interaction_pending',
    ...attachedTo(interaction),
    payload: { toolCallId, toolName, pending, presentation, interactionId },
  };
}

function response(interaction: Interaction, settlement: Settlement): DraftEvent {
  return {
    type: 'interaction_response',
    ...attachedTo(interaction),
    payload: { ...aboutOf(interaction), inputDigest: interaction.inputDigest, ...settlement },
  };
}

/** What the agent will be told, so that one that only listens to events hears it too. */
function denialMessage(kind: Kind, interaction: Interaction, settlement: Settlement) {
  const reply = kind.reply({ ...interaction, ...settlement, status: 'settled' });
  return reply.behavior === 'deny' ? { message: reply.message } : {};
}

export function settleGiven(
  info: SessionInfo,
  kinds: Kinds,
  interaction: Interaction,
  given: Extract<Given, { type: 'settle' }>,
  at: { readonly now: number; readonly by: Settler; readonly defaulted?: boolean },
): DraftEvent[] {
  const { ok: _ok, type: _type, keepRule: _keepRule, permissionMode: _mode, ...said } = given;
  const kind = kindOf(kinds, interaction);
  const authorized = given.updatedInput && {
    authorizedDigest: digestOf(info, kind, interaction, given.updatedInput),
  };
  const settlement: Settlement = {
    ...said,
    ...authorized,
    ...(at.defaulted === true && { defaulted: true }),
    settledBy: at.by,
    settledAt: at.now,
  };
  return [
    response(interaction, { ...settlement, ...denialMessage(kind, interaction, settlement) }),
    pendingEvent(interaction, false),
  ];
}

/** What was not edited has its digest already. */
function digestOf(
  info: SessionInfo,
  kind: Kind,
  { interactionId, toolName, request, inputDigest: shown }: Interaction,
  input: JsonObject,
): string {
  if (input === kind.input(request)) return shown;
  return inputDigest(
    { workspace: info.workspace, session: info.id, interactionId, toolName },
    input,
  );
}

export function settleCancelled(
  kinds: Kinds,
  interaction: Interaction,
  at: { readonly now: number; readonly by: Settler; readonly reason?: string | undefined },
): DraftEvent[] {
  const settlement: Settlement = {
    action: 'cancel',
    outcome: 'cancelled',
    settledBy: at.by,
    settledAt: at.now,
    ...(at.reason !== undefined && { reason: at.reason }),
  };
  const kind = kindOf(kinds, interaction);
  return [
    response(interaction, { ...settlement, ...denialMessage(kind, interaction, settlement) }),
    pendingEvent(interaction, false),
  ];
}

export function settleExpired(kinds: Kinds, interaction: Interaction, now: number): DraftEvent[] {
  const settlement: Settlement = {
    action: 'cancel',
    outcome: 'expired',
    settledBy: { subject: 'system', via: 'timeout' },
    settledAt: now,
  };
  const kind = kindOf(kinds, interaction);
  return [
    response(interaction, { ...settlement, ...denialMessage(kind, interaction, settlement) }),
    pendingEvent(interaction, false),
  ];
}

/** A reprompt: the old one ends and says what took its place; the tool call goes on waiting. */
export function settleSuperseded(
  interaction: Interaction,
  replacedBy: string,
  at: { readonly now: number; readonly by: Settler },
): DraftEvent {
  return response(interaction, {
    action: 'cancel',
    outcome: 'superseded',
    replacedBy,
    settledBy: at.by,
    settledAt: at.now,
  });
}
