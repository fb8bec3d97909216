/**
 * Writes the events of every ending of an interaction.
 *
 * The response comes first and `interaction_pending {pending: false}` immediately after it, so that live and replayed
 * order agree. A reprompt omits the second event, because the tool call still waits. Answers to single questions stay
 * in the record when the interaction ends without a final answer.
 */
import type { AttachedFile } from '../protocol/schema/attached-file.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import type { DraftEvent, EventOf } from '../protocol/schema/event.ts';
import type { Interaction, Vote } from '../protocol/schema/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { digestInput } from './digest.ts';
import { type Kind, type KindRegistry, type SettleEffect, findKind } from './kinds/kind.ts';
import type { SessionInfo } from './state.ts';

type Settlement = Omit<
  EventOf<'interaction_response'>['payload'],
  'interactionId' | 'toolCallId' | 'toolName' | 'kind' | 'audience' | 'inputDigest'
>;

type CallAttachment = Pick<Interaction, 'toolCallId' | 'turnId' | 'responseId'>;
type PendingCall = CallAttachment &
  Pick<Interaction, 'interactionId' | 'toolName' | 'presentation'>;

/** The fields that attach an event to its turn, response and tool call. */
export function attachmentFields(interaction: CallAttachment) {
  return {
    ...(interaction.turnId !== undefined && { turnId: interaction.turnId }),
    ...(interaction.responseId !== undefined && { responseId: interaction.responseId }),
    toolCallId: interaction.toolCallId,
  };
}

export function interactionFields(interaction: Interaction) {
  const { interactionId, toolCallId, toolName, kind, audience } = interaction;
  return { interactionId, toolCallId, toolName, kind, ...(audience !== undefined && { audience }) };
}

export function pendingEvent(interaction: PendingCall, pending: boolean): DraftEvent {
  const { toolCallId, toolName, presentation, interactionId } = interaction;
  return {
    type: 'interaction_pending',
    ...attachmentFields(interaction),
    payload: { toolCallId, toolName, pending, presentation, interactionId },
  };
}

function responseEvent(interaction: Interaction, settlement: Settlement): DraftEvent {
  return {
    type: 'interaction_response',
    ...attachmentFields(interaction),
    payload: {
      ...interactionFields(interaction),
      inputDigest: interaction.inputDigest,
      ...settlement,
    },
  };
}

/** The message for the agent, so that an agent that only reads events receives it too. */
function settledDenial(kind: Kind, interaction: Interaction, settlement: Settlement) {
  const reply = kind.reply({ ...interaction, ...settlement, status: 'settled' });
  return reply.behavior === 'deny' ? { message: reply.message } : {};
}

export function settleByAnswer(
  info: SessionInfo,
  kinds: KindRegistry,
  interaction: Interaction,
  effect: SettleEffect,
  at: {
    readonly now: number;
    readonly by: Settler;
    readonly defaulted?: boolean;
    readonly votes?: readonly Vote[];
    readonly attachments?: readonly AttachedFile[];
  },
): DraftEvent[] {
  const { ok: _ok, type: _type, keepRule: _keepRule, permissionMode: to, ...settled } = effect;
  const kind = findKind(kinds, interaction);
  const authorizedDigest = digestAuthorized(info, kind, interaction, effect);
  const from = info.permissionMode;
  const settlement: Settlement = {
    ...settled,
    ...(authorizedDigest !== undefined && { authorizedDigest }),
    ...(to !== undefined && to !== from && { modeChange: { from, to } }),
    ...(at.votes !== undefined && { votes: [...at.votes] }),
    ...(at.attachments !== undefined && { attachments: [...at.attachments] }),
    ...(at.defaulted === true && { defaulted: true }),
    settledBy: at.by,
    settledAt: at.now,
  };
  return [
    responseEvent(interaction, { ...settlement, ...settledDenial(kind, interaction, settlement) }),
    pendingEvent(interaction, false),
  ];
}

/** Of the exact input that the answer lets run; undefined where it lets none run. */
export function digestAuthorized(
  info: SessionInfo,
  kind: Kind,
  interaction: Interaction,
  { outcome, updatedInput }: Pick<SettleEffect, 'outcome' | 'updatedInput'>,
): string | undefined {
  const isHeld = interaction.wholeInput !== undefined && outcome === 'approved';
  if (isHeld) return interaction.inputDigest;
  return updatedInput && digestAuthorizedInput(info, kind, interaction, updatedInput);
}

/** An input without an edit keeps the digest it was shown with. */
function digestAuthorizedInput(
  info: SessionInfo,
  kind: Kind,
  { interactionId, toolName, request, inputDigest: shown }: Interaction,
  input: JsonObject,
): string {
  if (input === kind.input(request)) return shown;
  return digestInput(
    { workspace: info.workspace, session: info.id, interactionId, toolName },
    input,
  );
}

export function settleByCancel(
  kinds: KindRegistry,
  interaction: Interaction,
  at: {
    readonly now: number;
    readonly by: Settler;
    readonly reason?: string | undefined;
    readonly elsewhere?: Settlement['elsewhere'];
  },
): DraftEvent[] {
  const settlement: Settlement = {
    action: 'cancel',
    outcome: 'cancelled',
    settledBy: at.by,
    settledAt: at.now,
    ...(at.reason !== undefined && { reason: at.reason }),
    ...(at.elsewhere !== undefined && { elsewhere: at.elsewhere }),
  };
  const kind = findKind(kinds, interaction);
  return [
    responseEvent(interaction, { ...settlement, ...settledDenial(kind, interaction, settlement) }),
    pendingEvent(interaction, false),
  ];
}

export function settleByDeadline(
  kinds: KindRegistry,
  interaction: Interaction,
  now: number,
): DraftEvent[] {
  const settlement: Settlement = {
    action: 'cancel',
    outcome: 'expired',
    settledBy: { subject: 'system', via: 'timeout' },
    settledAt: now,
  };
  const kind = findKind(kinds, interaction);
  return [
    responseEvent(interaction, { ...settlement, ...settledDenial(kind, interaction, settlement) }),
    pendingEvent(interaction, false),
  ];
}

/** The replaced interaction ends and names its replacement; the tool call goes on waiting. */
export function settleByReprompt(
  interaction: Interaction,
  replacedBy: string,
  at: { readonly now: number; readonly by: Settler },
): DraftEvent {
  return responseEvent(interaction, {
    action: 'cancel',
    outcome: 'superseded',
    replacedBy,
    settledBy: at.by,
    settledAt: at.now,
  });
}
