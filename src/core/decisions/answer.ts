/** A person answers: all at once, one step, or by pressing a button; the first settlement wins. */
import type { Settler } from '../../protocol/schema/actor.ts';
import { settlerOf } from '../../protocol/caller.ts';
import type { CommandOf } from '../../protocol/schema/command.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import { schemaRejection } from '../../protocol/schema/rejection.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import type { Interaction } from '../../protocol/schema/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Rule } from '../../protocol/schema/session.ts';
import { answersItself } from '../authority.ts';
import { accept, type Decided } from '../decision.ts';
import { ruleDigest } from '../digest/digests.ts';
import type { Facts } from '../facts.ts';
import type { Given, Kind } from '../kinds/kind.ts';
import { kindOf } from '../kinds/find-kind.ts';
import { drainQueue } from '../queued-messages.ts';
import { isRepeatedAnswer } from '../repeated-answer.ts';
import { draftEvents } from '../session-draft.ts';
import { aboutOf, attachedTo, settleGiven } from '../settle.ts';
import type { SessionState } from '../state.ts';
import { alreadySettled, isSwapped, refuseUnseen } from '../rejections.ts';

export function answerInteraction(
  state: SessionState,
  command: CommandOf<'interaction.answer'>,
  facts: Facts,
): Decided {
  const { target } = command;
  const record = facts.record;
  const missing = 'missing' in target ? target.missing : undefined;
  if (record === undefined || ('kinds' in target && !target.kinds?.includes(record.kind))) {
    return reject('not_found', missing ?? 'There is no such interaction in this session');
  }
  if ('toolCallId' in target && mayBeUnseen(record, command.answer)) {
    return answersItself(facts, record) ?? refuseUnseen(record);
  }
  return giveAnswer(state, record, command.answer, facts, facts.caller.via);
}

/** A tool call is more than one question: its name alone does not say which of them was seen. */
function mayBeUnseen(record: Interaction, { inputDigest }: JsonObject): boolean {
  return record.status === 'open' && isSwapped(record) && inputDigest === undefined;
}

export function giveAnswer(
  state: SessionState,
  record: Interaction,
  answer: JsonObject,
  facts: Facts,
  via: Facts['caller']['via'],
): Decided {
  const kind = kindOf(facts.kinds, record);
  const { inputDigest: seen, ...words } = answer;
  if (record.status === 'settled') {
    return alreadySettled(record, isRepeatedAnswer(record, kind, words, facts.caller));
  }
  const forbidden = answersItself(facts, record);
  if (forbidden !== undefined) return forbidden;
  if (seen !== undefined && typeof seen !== 'string') {
    return reject('invalid_answer', 'inputDigest: use the digest as text');
  }
  if (seen !== undefined && seen !== record.inputDigest) {
    return refuseUnseen(record);
  }
  const parsed = kind.answer.safeParse(words);
  if (!parsed.success) {
    return belongsToAnotherKind(facts, kind, words)
      ? reject('wrong_kind', `This interaction is a ${kind.name}; that answer is for another kind`)
      : schemaRejection(parsed.error, 'invalid_answer');
  }
  const given = kind.give(record, parsed.data);
  if (!given.ok) return given;
  const by = settlerOf(facts.caller, via);
  const reply = { type: 'interaction', interactionId: record.interactionId } as const;
  if (given.type === 'advance') {
    const isDoubleClick = given.change === 'feedback' && record.awaitingFeedback === true;
    const events = isDoubleClick ? [] : [updateEvent(record, given, by)];
    return accept(draftEvents(state, events, facts.now), reply);
  }

  const rule = ruleFrom(state, record, kind, given, facts);
  if (rule !== undefined && 'ok' in rule) return rule;
  const events = [
    ...settleGiven(state.info, facts.kinds, record, given, { now: facts.now, by }),
    ...settingsEvents(state, given, rule, by),
  ];
  return accept(drainQueue(draftEvents(state, events, facts.now), facts.now), reply);
}

function belongsToAnotherKind(facts: Facts, own: Kind, answer: JsonObject): boolean {
  return [...facts.kinds.values()].some(
    (kind) => kind !== own && kind.answer.safeParse(answer).success,
  );
}

function updateEvent(
  record: Interaction,
  given: Extract<Given, { type: 'advance' }>,
  by: Settler,
): DraftEvent {
  const { ok: _ok, type: _type, ...changes } = given;
  return {
    type: 'interaction_update',
    ...attachedTo(record),
    payload: { ...aboutOf(record), ...changes, by },
  };
}

type Settled = Extract<Given, { type: 'settle' }>;

/** The rule a person chose to keep; the one that says the same already is enough. */
function ruleFrom(
  state: SessionState,
  record: Interaction,
  kind: Kind,
  given: Settled,
  facts: Facts,
): Rule | Rejection | undefined {
  if (given.keepRule === undefined) return undefined;
  const digest =
    given.keepRule === 'exact'
      ? ruleDigest(record.toolName, given.updatedInput ?? kind.input(record.request))
      : undefined;
  const same = state.rules.some(
    (rule) => rule.toolName === record.toolName && rule.inputDigest === digest,
  );
  if (same) return undefined;
  if (state.rules.length >= LIMITS.rules) {
    return reject('limit_reached', 'This session has too many rules', {
      limit: 'rules',
      max: LIMITS.rules,
    });
  }
  return {
    id: facts.freshId,
    toolName: record.toolName,
    ...(digest !== undefined && { inputDigest: digest }),
    createdAt: facts.now,
    createdBy: facts.caller.subject,
    interactionId: record.interactionId,
  };
}

function settingsEvents(
  state: SessionState,
  given: Settled,
  rule: Rule | undefined,
  by: Settler,
): DraftEvent[] {
  const mode = given.permissionMode;
  const changesMode = mode !== undefined && mode !== state.info.permissionMode;
  if (rule === undefined && !changesMode) return [];
  return [
    {
      type: 'session_updated',
      payload: {
        ...(rule !== undefined && { ruleAdded: rule }),
        ...(changesMode && { permissionMode: mode }),
        by,
      },
    },
  ];
}
