/**
 * The race table: the required result of a command, from the log at the moment when the session receives it. The model
 * reads the log by itself, without the session.
 *
 * The table has no entry for a command whose outcome depends on more than the log.
 */
import { BatchTable } from './batch-table.ts';
import type { InteractionModel } from './interaction-model.ts';
import { firstMark } from './marks.ts';
import { expectedOpening, latestOf } from './opening-table.ts';
import type { GeneratedCommand } from './operation.ts';
import type { SessionModel } from './session-model.ts';

export interface Expected {
  /** `ok`, or the codes of a refusal that may come. */
  readonly codes: readonly string[];
  /** The ending that a refusal must name. */
  readonly outcome?: string;
  /** The interaction that an acceptance must name. */
  readonly interactionId?: string;
  /** Of a batch: what each of its openings must get. */
  readonly openings?: BatchTable;
}

/** `fits`: the mark of the request for which the answer was made. */
export function expectedOf(
  model: SessionModel,
  { command, caller, fits }: GeneratedCommand,
  now: number,
): Expected | undefined {
  if (command.type === 'session.create') {
    if (model.head === 0) return { codes: ['ok'] };
    return { codes: [model.exists ? 'session_exists' : 'session_deleted'] };
  }
  if (!model.exists) return { codes: ['not_found'] };
  switch (command.type) {
    case 'interaction.open':
      return expectedOpening(latestOf(model, command.common.toolCallId, now), command);
    case 'interactions.open':
      return { codes: ['ok'], openings: new BatchTable(model, command, now) };
    case 'interaction.answer': {
      const { target } = command;
      const record =
        'interactionId' in target
          ? model.interactions.get(target.interactionId)
          : model.latest.get(target.toolCallId);
      // Another interaction may have the same id: a crash can lose the one that the answer was made for.
      const isMeant = record !== undefined && fits === firstMark(record.asked.request);
      return about(record, now, isMeant ? ['ok'] : undefined);
    }
    case 'interaction.cancel': {
      const record = model.interactions.get(command.interactionId);
      // Another agent may have the id by now: a crash can lose the question that the cancel was made for.
      return isForeign(record, caller) ? { codes: ['forbidden'] } : about(record, now, ['ok']);
    }
    case 'interaction.complete':
      // No link is opened here, and only a link is completed.
      return model.interactions.has(command.interactionId)
        ? { codes: ['wrong_kind', 'forbidden'] }
        : { codes: ['not_found'] };
    case 'interaction.extend':
      return extension(model.interactions.get(command.interactionId), now);
    case 'session.update':
    case 'session.clear':
    case 'session.delete':
    case 'turn.interrupt':
    case 'interactions.cancel':
      return { codes: ['ok'] };
    case 'events.append':
      return { codes: model.runs.hasOthersThan(caller) ? ['ok', 'forbidden'] : ['ok'] };
    case 'rule.revoke':
      return { codes: [model.rules.has(command.ruleId) ? 'ok' : 'not_found'] };
    default:
      return undefined;
  }
}

/** Asked by another agent; a person may end what any agent asks. */
function isForeign(
  record: InteractionModel | undefined,
  { scopes, subject }: GeneratedCommand['caller'],
): boolean {
  if (record === undefined || scopes.includes('answer')) return false;
  return record.asked.openedBy.subject !== subject;
}

function about(
  record: InteractionModel | undefined,
  now: number,
  whenOpen: readonly string[] | undefined,
): Expected | undefined {
  if (record === undefined) return { codes: ['not_found'] };
  const state = record.stateAt(now);
  if ('outcome' in state) return { codes: ['already_settled'], outcome: state.outcome };
  return whenOpen && { codes: whenOpen, interactionId: record.id };
}

function extension(record: InteractionModel | undefined, now: number): Expected | undefined {
  const hasNoDeadline = record?.deadline === null || record?.isOver(now) === true;
  const whenOpen = hasNoDeadline
    ? 'invalid_request'
    : record?.isExtended === true
      ? 'already_extended'
      : 'ok';
  return about(record, now, [whenOpen]);
}
