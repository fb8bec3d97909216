/** The entry of the audit list that one event makes, and the actor in it. */
import type { Settler } from '../protocol/schema/actor.ts';
import type { SessionEvent } from '../protocol/schema/event.ts';
import type { CitedRule, RuleScope } from '../protocol/schema/cited-rule.ts';
import { describePattern } from '../protocol/rule-words.ts';
import type { Rule } from '../protocol/schema/rule.ts';
import type { AuditEntry } from '../protocol/schema/workspace.ts';
import type { SessionState } from './state.ts';

export function toAuditActor({
  subject,
  via,
  credential,
  key,
}: Settler): Pick<AuditEntry, 'subject' | 'via' | 'by'> {
  const by = credential !== undefined && key !== undefined ? { credential, key } : undefined;
  return { subject, via, ...(by && { by }) };
}

/** Changes of an interaction that are decisions of a person; the settlement is an entry of its own. */
const AUDITED: ReadonlySet<string> = new Set(['undone', 'vote', 'vote_withdrawn', 'handed_over']);

/** What the list says of a rule that was made. */
export function ruleFields(rule: Rule, ruleScope: RuleScope): Partial<AuditEntry> {
  const { id, toolName, effect, reason } = rule;
  return {
    rule: id,
    ruleScope,
    toolName,
    pattern: describePattern(rule),
    ...(effect !== undefined && { effect }),
    ...(reason !== undefined && { reason }),
  };
}

function citationFields({ rule, scope, pattern, createdBy }: CitedRule): Partial<AuditEntry> {
  return {
    rule,
    ...(scope !== undefined && { ruleScope: scope }),
    ...(pattern !== undefined && { pattern }),
    ...(createdBy !== undefined && { named: createdBy }),
  };
}

/** Covers every decision, and every change of what may run without a decision. */
export function toAuditEntry(state: SessionState, event: SessionEvent): AuditEntry | undefined {
  const base = { at: event.at, sessionId: state.info.id, seq: event.seq };
  if (event.type === 'interaction_response') {
    const { payload } = event;
    return {
      ...base,
      what: 'interaction',
      ...toAuditActor(payload.settledBy),
      interactionId: payload.interactionId,
      toolName: payload.toolName,
      kind: payload.kind,
      outcome: payload.outcome,
      ...(payload.reason !== undefined && { reason: payload.reason }),
      digest: payload.authorizedDigest ?? payload.inputDigest,
    };
  }
  if (event.type === 'interaction_update' && AUDITED.has(event.payload.change)) {
    const { payload } = event;
    const { change, votes, handover } = payload;
    const quorum = state.open.get(payload.interactionId)?.quorum?.approvals;
    return {
      ...base,
      what: 'interaction',
      ...toAuditActor(payload.by ?? { subject: 'system', via: 'system' }),
      interactionId: payload.interactionId,
      toolName: payload.toolName,
      kind: payload.kind,
      change,
      ...(change === 'vote' && votes !== undefined && { approvals: votes.length }),
      ...(change === 'vote' && quorum !== undefined && { quorum }),
      ...(change === 'handed_over' && handover !== undefined && { to: handover.to }),
    };
  }
  if (event.type === 'tool_call' && event.payload.decided !== undefined) {
    const { by, behavior } = event.payload.decided;
    return {
      ...base,
      what: 'gate',
      subject: 'rule' in by ? `rule ${by.rule}` : `mode ${by.mode}`,
      via: 'rule',
      ...('rule' in by && citationFields(by)),
      toolName: event.payload.toolName,
      outcome: behavior === 'allow' ? 'approved' : 'denied',
    };
  }
  if (event.type === 'session_status' && event.payload.status === 'deleted') {
    const { by } = event.payload;
    return {
      ...base,
      what: 'session',
      ...toAuditActor(by ?? { subject: 'system', via: 'system' }),
      change: 'deleted',
    };
  }
  if (event.type === 'session_updated') {
    const { by, permissionMode, ruleAdded, ruleRevoked, archived } = event.payload;
    if (archived !== undefined) {
      const change = archived ? 'archived' : 'unarchived';
      return { ...base, what: 'session', ...toAuditActor(by), change };
    }
    if (permissionMode === undefined && ruleAdded === undefined && ruleRevoked === undefined) {
      return undefined;
    }
    return {
      ...base,
      what: 'settings',
      ...toAuditActor(by),
      ...(permissionMode !== undefined && { permissionMode }),
      ...(ruleAdded !== undefined && ruleFields(ruleAdded, 'session')),
      ...(ruleRevoked !== undefined && { rule: ruleRevoked }),
    };
  }
  return undefined;
}
