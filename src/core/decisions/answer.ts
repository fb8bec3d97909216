/** Applies the answer of a person: all questions at once, one step, or one decision. The first settlement wins. */
import type { Settler } from '../../protocol/schema/actor.ts';
import { settlerOf } from '../../protocol/caller.ts';
import type { CommandOf } from '../../protocol/schema/command.ts';
import { type ReadResult, type Rejection, reject } from '../../protocol/errors.ts';
import { type AttachedFile, NamedFiles } from '../../protocol/schema/attached-file.ts';
import { schemaRejection } from '../../protocol/schema/rejection.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import type { Interaction } from '../../protocol/schema/interaction.ts';
import type { Json, JsonObject } from '../../protocol/json.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Rule } from '../../protocol/schema/rule.ts';
import { rejectOutsider } from '../audience.ts';
import { rejectRequester, rejectSelfApproval } from '../authority.ts';
import { findAttachedFiles } from '../find-attached-files.ts';
import { accept, type DecisionResult, type Facts } from '../decision.ts';
import { rejectSettled, replacesUndecided, rejectUnseen } from '../rejections.ts';
import { digestHeldRule, digestRule } from '../digest.ts';
import { type AnswerEffect, type Kind, type SettleEffect, findKind } from '../kinds/kind.ts';
import { drainQueue, draftEvents } from '../session-draft.ts';
import { allowsByItself } from '../rules/match-rule.ts';
import { makeRule } from '../rules/make-rule.ts';
import { isRepeatedAnswer } from '../repeated-answer.ts';
import { interactionFields, attachmentFields, settleByAnswer } from '../settle.ts';
import { type SessionState, workingFolder } from '../state.ts';
import { countVote } from '../votes.ts';

export function answerInteraction(
  state: SessionState,
  command: CommandOf<'interaction.answer'>,
  facts: Facts,
): DecisionResult {
  const { target } = command;
  const record = facts.record;
  const missing = 'missing' in target ? target.missing : undefined;
  if (record === undefined || ('kinds' in target && !target.kinds?.includes(record.kind))) {
    return reject('not_found', missing ?? 'There is no such interaction in this session');
  }
  if ('toolCallId' in target && mayBeUnseen(record, command.answer)) {
    return rejectAnswerer(facts, record) ?? rejectUnseen(record);
  }
  return applyAnswer(state, record, command.answer, facts, facts.caller.via);
}

function rejectAnswerer(facts: Facts, record: Interaction): Rejection | undefined {
  return (
    rejectRequester(facts, record) ??
    rejectSelfApproval(facts, record) ??
    rejectOutsider(facts, record)
  );
}

/** A tool call may ask several times, so its id alone does not say which request the person saw. */
function mayBeUnseen(record: Interaction, { inputDigest }: JsonObject): boolean {
  return record.status === 'open' && replacesUndecided(record) && inputDigest === undefined;
}

export function applyAnswer(
  state: SessionState,
  record: Interaction,
  answer: JsonObject,
  facts: Facts,
  via: Facts['caller']['via'],
): DecisionResult {
  const kind = findKind(facts.kinds, record);
  const { inputDigest: seenDigest, attachments: named, ...content } = answer;
  const attached = Array.isArray(named) && named.length === 0 ? undefined : named;
  if (record.status === 'settled') {
    return rejectSettled(record, isRepeatedAnswer(record, kind, content, facts.caller));
  }
  const refused = rejectAnswerer(facts, record);
  if (refused !== undefined) return refused;
  if (seenDigest !== undefined && typeof seenDigest !== 'string') {
    return reject('invalid_answer', 'inputDigest: use the digest as text');
  }
  if (seenDigest !== undefined && seenDigest !== record.inputDigest) {
    return rejectUnseen(record);
  }
  const parsed = kind.answer.safeParse(content);
  if (!parsed.success) {
    return belongsToAnotherKind(facts, kind, content)
      ? reject('wrong_kind', `This interaction is a ${kind.name}; send an answer for that kind`)
      : schemaRejection(parsed.error, 'invalid_answer');
  }
  const effect = kind.interpret(record, parsed.data);
  if (!effect.ok) return effect;
  const files = addAttachedFiles(record, attached, facts);
  if (!files.ok) return files;
  const attachments = files.value;
  const by = settlerOf(facts.caller, via);
  const reply = { type: 'interaction', interactionId: record.interactionId } as const;
  if (effect.type === 'advance') {
    const isDoubleClick =
      attached === undefined &&
      ((effect.change === 'feedback' && record.awaitingFeedback === true) ||
        (effect.change === 'link_opened' && record.linkOpened === true));
    const events = isDoubleClick ? [] : [updateEvent(record, effect, by, attachments)];
    return accept(draftEvents(state, events, facts.now), reply);
  }

  const counted = countVote(state, record, kind, effect, facts, by, attachments);
  if ('ok' in counted) return counted;
  if (!counted.isDecided) {
    if (attached !== undefined && counted.events.length === 0) return VOTED_ALREADY;
    return accept(draftEvents(state, counted.events, facts.now), reply);
  }
  const rule = createRule(state, record, kind, effect, facts);
  if (rule !== undefined && 'ok' in rule) return rule;
  const events = [
    ...settleByAnswer(state.info, facts.kinds, record, effect, {
      now: facts.now,
      by,
      ...(counted.votes !== undefined && { votes: counted.votes }),
      ...(attachments !== undefined && { attachments }),
    }),
    ...settingsEvents(state, effect, rule, by),
  ];
  return accept(drainQueue(draftEvents(state, events, facts.now), facts.now), reply);
}

const VOTED_ALREADY = reject(
  'invalid_answer',
  'Your approval counts already, and takes no more files; withdraw it first',
);

/** All that the answers to this request brought, with those of this one; undefined where there are none. */
function addAttachedFiles(
  { attachments: before = [] }: Interaction,
  named: Json | undefined,
  facts: Facts,
): ReadResult<readonly AttachedFile[] | undefined> {
  if (named === undefined) return { ok: true, value: before.length === 0 ? undefined : before };
  const ids = NamedFiles.safeParse({ attachments: named });
  if (!ids.success) return schemaRejection(ids.error, 'invalid_answer');
  const found = findAttachedFiles(ids.data.attachments, facts);
  if (!found.ok) return found;
  const isKnown = (file: AttachedFile) =>
    before.some(({ attachmentId }) => attachmentId === file.attachmentId);
  const all = [...before, ...found.value.filter((file) => !isKnown(file))];
  if (all.length > LIMITS.attachmentsPerMessage) {
    const max = LIMITS.attachmentsPerMessage;
    const message = `The answers to one request may bring ${max} files`;
    return reject('limit_reached', message, { limit: 'attachmentsPerMessage', max });
  }
  return { ok: true, value: all.length === 0 ? undefined : all };
}

function belongsToAnotherKind(facts: Facts, own: Kind, answer: JsonObject): boolean {
  return [...facts.kinds.values()].some(
    (kind) => kind !== own && kind.answer.safeParse(answer).success,
  );
}

export function updateEvent(
  record: Interaction,
  effect: Extract<AnswerEffect, { type: 'advance' }>,
  by: Settler,
  attachments?: readonly AttachedFile[],
): DraftEvent {
  const { ok: _ok, type: _type, ...changes } = effect;
  return {
    type: 'interaction_update',
    ...attachmentFields(record),
    payload: {
      ...interactionFields(record),
      ...changes,
      ...(attachments && { attachments: [...attachments] }),
      by,
    },
  };
}

/** The rule that a person chose to keep; undefined if the session has an equal rule already. */
function createRule(
  state: SessionState,
  record: Interaction,
  kind: Kind,
  effect: SettleEffect,
  facts: Facts,
): Rule | Rejection | undefined {
  if (effect.keepRule === undefined) return undefined;
  const { exact, ...choice } = effect.keepRule;
  const { toolName, wholeInput } = record;
  const input = effect.updatedInput ?? kind.input(record.request);
  const sha256 = wholeInput?.sha256;
  const inputDigest =
    sha256 === undefined ? digestRule(toolName, input) : digestHeldRule(toolName, sha256);
  const proposed = {
    effect: 'allow' as const,
    toolName,
    ...(exact === true && { inputDigest }),
    ...choice,
  };
  const about = { interactionId: record.interactionId };
  const made = makeRule(state, proposed, about, facts);
  if (made === undefined || 'ok' in made) return made;
  const folder = workingFolder(state.info);
  // The view of a held input leaves out what a pattern would have to see.
  const isPattern = made.command ?? made.path ?? made.host;
  const isHidden = isPattern !== undefined && sha256 !== undefined;
  if (isHidden || !allowsByItself(made, { toolName, input, sha256, folder })) return NOT_COVERED;
  return made;
}

const NOT_COVERED = reject(
  'invalid_values',
  'The rule would not allow the very input that it is made from',
  { fieldErrors: { rule: 'Does not cover this input' } },
);

function settingsEvents(
  state: SessionState,
  effect: SettleEffect,
  rule: Rule | undefined,
  by: Settler,
): DraftEvent[] {
  const mode = effect.permissionMode;
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
