/**
 * Applies one event to a session. Pure, total, and the only way in which state changes.
 *
 * 1. Applying the whole log, with the settings of the agent beside it, gives the same state as loading the stored rows.
 * 2. An event carries everything it implies; applying it looks nothing up.
 * 3. An interaction leaves `open` with its response and never returns.
 * 4. An event that was applied already changes nothing, so a log may be replayed twice.
 */
import type { AgentSettings } from '../protocol/schema/agent-settings.ts';
import type { EventOf, SessionEvent } from '../protocol/schema/event.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import { foldRecord, isRecordEvent, type RecordEvent } from '../protocol/interaction-record.ts';
import { addUsage } from '../protocol/add-usage.ts';
import { foldSummaries } from '../protocol/summaries.ts';
import type { SessionInfo, SessionState } from './state.ts';
import { isLive } from './rules/match-rule.ts';
import { recordImport, withCliSession } from '../protocol/cli-sessions.ts';
import { removeAllTurns, removeFailedTurns, removeEndedTurns, addStartedTurn } from './turns.ts';

export interface SessionAddress {
  readonly workspace: string;
  readonly id: string;
}

/** `agent` comes separately: readers of the event may not see all settings of the agent. */
export function createState(
  address: SessionAddress,
  event: SessionEvent,
  agent: AgentSettings | null = null,
): SessionState {
  if (event.type !== 'session_started') throw new Error('A log begins with session_started');
  const { title, permissionMode, timeouts, metadata, labels } = event.payload;
  const info: SessionInfo = {
    workspace: address.workspace,
    id: address.id,
    createdAt: event.at,
    deletedAt: null,
    title: title ?? null,
    permissionMode,
    timeouts: timeouts ?? {},
    metadata: metadata ?? {},
    ...(labels !== undefined && { labels }),
    agent,
    turn: null,
    queued: [],
  };
  return { info, head: event.seq, open: new Map(), rules: [] };
}

export interface EvolveResult {
  readonly state: SessionState;
  /** The record that the event changes, as the event leaves it. */
  readonly record?: Interaction;
}

export function evolve(state: SessionState, event: SessionEvent): EvolveResult {
  if (event.seq <= state.head) return { state };
  const next = { ...state, head: event.seq, info: infoAfter(state.info, event) };
  if (!isRecordEvent(event)) return { state: evolveSettings(next, event) };
  const record = foldRecord(state.open.get(event.payload.interactionId), event);
  if (record === undefined) return { state: next };
  const open = new Map(state.open);
  if (record.status === 'open') open.set(record.interactionId, record);
  else open.delete(record.interactionId);
  return { state: { ...next, open }, record };
}

/** What people should see again is no longer archived. */
function infoAfter(info: SessionInfo, { type }: SessionEvent): SessionInfo {
  const returns = type === 'interaction_request' || type === 'user_message';
  return returns && info.archived === true ? { ...info, archived: false } : info;
}

/** An end that is reported twice ends no turn the second time: its tokens would count twice. */
function infoAfterEnd(before: SessionInfo, event: EventOf<'turn_ended'>): SessionInfo {
  const info = removeEndedTurns(before, event);
  const usage = addUsage(info.usage, event.payload.usage);
  return info === before || usage === undefined ? info : { ...info, usage };
}

function withoutCompaction(info: SessionInfo): SessionInfo {
  const { compaction: _, ...rest } = info;
  return rest;
}

function evolveSettings(
  next: SessionState,
  event: Exclude<SessionEvent, RecordEvent>,
): SessionState {
  switch (event.type) {
    case 'session_updated':
      return withSettings(next, event);
    case 'session_status':
      return event.payload.status === 'deleted'
        ? { ...next, info: { ...next.info, deletedAt: event.at } }
        : next;
    case 'turn_started':
      return { ...next, info: addStartedTurn(next.info, event) };
    case 'turn_ended':
      return { ...next, info: infoAfterEnd(next.info, event) };
    case 'error':
      return { ...next, info: removeFailedTurns(next.info, event) };
    case 'context_cleared':
      return { ...next, info: { ...withoutCompaction(removeAllTurns(next.info)), queued: [] } };
    case 'conversation_compacted':
    case 'conversation_restored': {
      const summaries = foldSummaries(next.info.compaction?.summaries, event);
      const isHeldOff = event.type === 'conversation_restored';
      return {
        ...next,
        info: { ...next.info, compaction: { summaries, ...(isHeldOff && { isHeldOff }) } },
      };
    }
    case 'history_imported':
      return {
        ...next,
        info: {
          ...next.info,
          cliSessions: recordImport(next.info.cliSessions, event.payload),
        },
      };
    case 'session_started':
    case 'user_message':
    case 'assistant_text':
    case 'thinking':
    case 'tool_call':
    case 'tool_result':
    case 'interaction_pending':
      return next;
  }
}

function withSettings(state: SessionState, event: EventOf<'session_updated'>): SessionState {
  const { ruleAdded, ruleRevoked, by: _by, ...changes } = event.payload;
  let { rules } = state;
  if (ruleRevoked !== undefined) rules = rules.filter((rule) => rule.id !== ruleRevoked);
  // Expired rules go with the next one: the list stays within its limit without a timer.
  if (ruleAdded !== undefined) {
    rules = [...rules.filter((rule) => isLive(rule, event.at)), ruleAdded];
  }
  const { title, permissionMode, timeouts, metadata, labels, archived, queued, cliSession } =
    changes;
  const info: SessionInfo = {
    ...state.info,
    ...(title !== undefined && { title }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(timeouts !== undefined && { timeouts }),
    ...(metadata !== undefined && { metadata }),
    ...(labels !== undefined && { labels }),
    ...(archived !== undefined && { archived }),
    ...(queued !== undefined && { queued }),
    ...(cliSession !== undefined && {
      cliSessions: withCliSession(state.info.cliSessions, cliSession),
    }),
  };
  return { ...state, rules, info };
}
