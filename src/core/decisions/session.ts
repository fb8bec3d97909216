/** Creates a session, changes its settings, extends a deadline, adds or revokes a rule. */
import { openerOf, settlerOf } from '../../protocol/caller.ts';
import type { CommandOf } from '../../protocol/schema/command.ts';
import { reject } from '../../protocol/errors.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { agentSettingsProblem, viewAgent } from '../tools/agent-settings.ts';
import { rejectUninvolved } from '../audience.ts';
import { rejectUnlessAdmin } from '../authority.ts';
import { accept, type DecisionResult, type Facts } from '../decision.ts';
import { digestRule } from '../digest.ts';
import { rejectDeletedId, rejectSettled, UNKNOWN_INTERACTION } from '../rejections.ts';
import { makeRule } from '../rules/make-rule.ts';
import { draftNewSession, draftEvents } from '../session-draft.ts';
import { interactionFields, attachmentFields } from '../settle.ts';
import type { SessionState } from '../state.ts';

export function createSession(
  state: SessionState | null,
  command: CommandOf<'session.create'>,
  facts: Facts,
): DecisionResult {
  if (state !== null) {
    return state.info.deletedAt === null
      ? reject('session_exists', `Session "${state.info.id}" exists already`)
      : rejectDeletedId(state.info.id);
  }
  const { title, timeouts, metadata, labels, agent } = command;
  const rules = { allowPrivateTools: facts.allowPrivateTools === true, kinds: facts.kinds };
  const problem = agent && agentSettingsProblem(agent, rules);
  if (problem !== undefined) return reject('invalid_request', `agent.${problem}`);
  const started: DraftEvent = {
    type: 'session_started',
    payload: {
      permissionMode: command.permissionMode ?? facts.permissionMode ?? 'default',
      ...(title !== undefined && { title }),
      ...(timeouts !== undefined && { timeouts }),
      ...(metadata !== undefined && { metadata }),
      ...(labels !== undefined && { labels }),
      ...(agent !== undefined && { agent: viewAgent(agent) }),
      createdBy: openerOf(facts.caller),
    },
  };
  return accept(draftNewSession(facts.address, started, facts.now, agent), { type: 'session' });
}

export function updateSession(
  state: SessionState,
  command: CommandOf<'session.update'>,
  facts: Facts,
): DecisionResult {
  const { title, permissionMode, timeouts, metadata, labels, archived } = command.changes;
  const event: DraftEvent = {
    type: 'session_updated',
    payload: {
      ...(title !== undefined && { title }),
      ...(permissionMode !== undefined && { permissionMode }),
      ...(timeouts !== undefined && { timeouts }),
      ...(metadata !== undefined && { metadata }),
      ...(labels !== undefined && { labels }),
      ...(archived !== undefined && { archived }),
      by: settlerOf(facts.caller),
    },
  };
  return accept(draftEvents(state, [event], facts.now), { type: 'session' });
}

/** Extends an interaction once, by its original time. */
export function extendInteraction(state: SessionState, facts: Facts): DecisionResult {
  const { record } = facts;
  if (record === undefined) {
    return UNKNOWN_INTERACTION;
  }
  if (record.status === 'settled') return rejectSettled(record);
  const outsider = rejectUninvolved(facts, record);
  if (outsider !== undefined) return outsider;
  if (record.expiresAt === null || record.timeoutMs === null) {
    return reject('invalid_request', 'This interaction has no deadline to extend');
  }
  if (record.extendedBy !== undefined) {
    return reject(
      'already_extended',
      'This interaction was already extended; it can be extended only once',
      {
        expiresAt: record.expiresAt,
      },
    );
  }
  const expiresAt = record.expiresAt + record.timeoutMs;
  if (expiresAt - record.openedAt > LIMITS.timeoutMaxSeconds * 1_000) {
    return reject(
      'invalid_request',
      'With this extension the interaction would be open for more than 365 days in all. Ask again instead.',
    );
  }
  const event: DraftEvent = {
    type: 'interaction_update',
    ...attachmentFields(record),
    payload: {
      ...interactionFields(record),
      change: 'extended',
      expiresAt,
      by: settlerOf(facts.caller),
    },
  };
  return accept(draftEvents(state, [event], facts.now), {
    type: 'interaction',
    interactionId: record.interactionId,
  });
}

export function addRule(
  state: SessionState,
  { rule: { input, ...wanted } }: CommandOf<'rule.add'>,
  facts: Facts,
): DecisionResult {
  const digest = input && { inputDigest: digestRule(wanted.toolName, input) };
  const made = makeRule(state, { ...wanted, ...digest }, {}, facts);
  if (made !== undefined && 'ok' in made) return made;
  const payload = made && { ruleAdded: made, by: settlerOf(facts.caller) };
  const events: DraftEvent[] = payload ? [{ type: 'session_updated', payload }] : [];
  return accept(draftEvents(state, events, facts.now), { type: 'done' });
}

export function revokeRule(
  state: SessionState,
  command: CommandOf<'rule.revoke'>,
  facts: Facts,
): DecisionResult {
  const rule = state.rules.find(({ id }) => id === command.ruleId);
  if (rule === undefined) return reject('not_found', 'There is no such rule in this session');
  // Without it more is allowed than before.
  const isStrict = rule.effect === 'deny' || rule.effect === 'ask';
  const refused = isStrict ? rejectUnlessAdmin(facts.caller) : undefined;
  if (refused !== undefined) return refused;
  const event: DraftEvent = {
    type: 'session_updated',
    payload: {
      ruleRevoked: command.ruleId,
      by: settlerOf(facts.caller),
    },
  };
  return accept(draftEvents(state, [event], facts.now), { type: 'done' });
}
