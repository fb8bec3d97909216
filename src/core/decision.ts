/**
 * A decision. Its input, beside state and command, are the facts; its result is the events to write, the state after
 * them, the reply and the effects, or a rejection with its evidence.
 */
import type { AttachedFile } from '../protocol/schema/attached-file.ts';
import type { AudienceRule, VoterStanding } from '../protocol/schema/audience-rule.ts';
import type { Rejection } from '../protocol/errors.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { CitedRule } from '../protocol/schema/cited-rule.ts';
import type { Rule } from '../protocol/schema/rule.ts';
import type { PermissionMode, Timeouts } from '../protocol/schema/session.ts';
import type { HistoryExtent } from '../protocol/schema/history.ts';
import type { SessionDraft } from './session-draft.ts';
import type { Opener } from '../protocol/schema/actor.ts';
import type { Caller } from '../protocol/caller.ts';
import type { Interaction, WholeInput } from '../protocol/schema/interaction.ts';
import type { Membership } from './audience.ts';
import type { KindRegistry } from './kinds/kind.ts';
import type { DraftEvent, SessionEvent } from '../protocol/schema/event.ts';

/** The input of a decision beside state and command. */
export interface Facts {
  readonly now: number;
  /** An unused id; one command needs at most one. */
  readonly freshId: string;
  readonly caller: Caller;
  /** Deadlines of the deployment and the workspace. */
  readonly timeouts: Timeouts;
  readonly kinds: KindRegistry;
  /** The setting of the workspace, else of the deployment. Absent: self-approval is forbidden. */
  readonly forbidSelfApproval?: boolean;
  /** The mode that the workspace gives to new sessions. */
  readonly permissionMode?: PermissionMode;
  /** Groups of the caller; absent: none are known. */
  readonly membership?: Membership;
  /** What the workspace says of those who voted on open requests; absent: nothing, so that all of them count. */
  readonly voters?: readonly VoterStanding[];
  /** Of the workspace, for openings; absent: it has none. */
  readonly audienceRules?: readonly AudienceRule[];
  /** Likewise: what the gate decides by, beside the rules of the session. */
  readonly workspaceRules?: readonly Rule[];
  /** Tools of a built-in agent may be at private addresses. */
  readonly allowPrivateTools?: boolean;
  /** The workspace and session being created; known before the state is. */
  readonly address: { readonly workspace: string; readonly id: string };
  /** The record a command names, or the latest of the tool call it names, open or settled. */
  readonly record?: Interaction;
  /**
   * For an opening with an `agentInstance`: settled requests with its digest whose outcome no call has acknowledged, oldest
   * first.
   */
  readonly unacknowledged?: readonly Interaction[];
  /** For an opening whose input is held beside its record: the bytes of those that the session holds already. */
  readonly heldBytes?: number;
  /** For a batch: of each opening, in their order. */
  readonly openings?: readonly OpeningFacts[];
  /** For a message or an answer with `attachments`: those that the session has. */
  readonly attachedFiles?: readonly AttachedFile[];
  /** For a decision that is taken back. */
  readonly aftermath?: Aftermath;
  /** In a session with a built-in agent: the last opener for each tool call whose result an append reports. */
  readonly askers?: ReadonlyMap<string, Opener>;
}

/** What one opening of a batch needs to know by itself. */
export type OpeningFacts = Pick<Facts, 'freshId' | 'record' | 'unacknowledged' | 'heldBytes'>;

/** What happened after a decision. */
export interface Aftermath {
  /** The events since; absent if there are more than are read. */
  readonly events?: readonly SessionEvent[];
  /** An agent that may act on the decision is connected. */
  readonly hasAgent: boolean;
}

type GateDecider = CitedRule | { readonly mode: PermissionMode };

export type GateVerdict =
  | {
      readonly behavior: 'allow';
      readonly updatedInput: JsonObject;
      readonly by: GateDecider;
    }
  | {
      readonly behavior: 'allow';
      readonly wholeInput: WholeInput;
      readonly by: GateDecider;
    }
  | {
      readonly behavior: 'deny';
      readonly message: string;
      readonly by: GateDecider;
    };

/** An opened request, or what the gate decided about it. */
export type OpenedReply =
  | { readonly type: 'interaction'; readonly interactionId: string; readonly created?: boolean }
  | { readonly type: 'gate'; readonly decision: GateVerdict };

/** The reply to the sender; the session fills in records from the state after the commit. */
export type CommandReply =
  | { readonly type: 'session' }
  | OpenedReply
  | { readonly type: 'openings'; readonly results: readonly (OpenedReply | Rejection)[] }
  | { readonly type: 'answered-by-text'; readonly interactionId: string; readonly adjust: boolean }
  | { readonly type: 'turn'; readonly messageId: string; readonly turnId?: string }
  | { readonly type: 'retried'; readonly turnId: string }
  | { readonly type: 'queued'; readonly messageId: string }
  | { readonly type: 'cancelled'; readonly count: number }
  | ({ readonly type: 'history' } & HistoryExtent)
  /** The head is kept for a repeat of the request; absent in results of older versions. */
  | { readonly type: 'done'; readonly head?: number };

export interface Decision extends SessionDraft {
  readonly ok: true;
  readonly reply: CommandReply;
}

export type DecisionResult = Decision | Rejection;

export function accept({ events, state, records }: SessionDraft, reply: CommandReply): Decision {
  return { ok: true, events, state, records, reply };
}

/** The session carries these out only after the events are written. */
export interface Effects {
  /** The reply to the sender waits until the workspace knows of the events. */
  readonly mustReportFirst: boolean;
  /** Everything the session holds goes, and every connection is closed. */
  readonly isDeleted: boolean;
  /** People who do not look at this session miss it: they are asked, or their list lacks a session or its new title. */
  readonly isUrgent: boolean;
}

export function findEffects(events: readonly DraftEvent[]): Effects {
  return {
    mustReportFirst: events.some(mustBeKnownFirst),
    isDeleted: events.some(isDeletion),
    isUrgent: events.some(isMissedByPeople),
  };
}

/** A request, what asks for it again or asks others, and what the list of sessions shows. */
function isMissedByPeople(event: DraftEvent): boolean {
  if (event.type === 'interaction_request' || event.type === 'session_started') return true;
  if (event.type === 'session_updated') {
    return 'title' in event.payload || 'archived' in event.payload;
  }
  if (event.type !== 'interaction_update') return false;
  return ['reminder', 'escalated', 'handed_over'].includes(event.payload.change);
}

/**
 * After these events no client returns to a session that crashed before its report: a deleted session would stay in the
 * list, and the agent of a detached question has left. A new session is not among them, because its client returns to
 * it next. Reporting first doubled the cost of creating a session; with sixteen agents creating sessions without pause,
 * workerd left some of their connections unread for seconds.
 */
function mustBeKnownFirst(event: DraftEvent): boolean {
  const isDetached = event.type === 'interaction_request' && event.payload.detached === true;
  return isDetached || isDeletion(event) || isListedEvent(event);
}

/** The list is read next, and would show the session where it was before. */
function isListedEvent(event: DraftEvent): boolean {
  if (event.type !== 'session_updated') return false;
  return (event.payload.archived ?? event.payload.title) !== undefined;
}

function isDeletion(event: DraftEvent): boolean {
  return event.type === 'session_status' && event.payload.status === 'deleted';
}
