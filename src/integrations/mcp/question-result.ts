/**
 * What a tool returns to the model: the state of one question, as JSON.
 *
 * Everything that a person or an agent wrote is a JSON string within it, so an answer that looks like an instruction, a
 * result or another tool call stays a value of the field `answers`.
 */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { choicesByText } from '../../client/agent/outcomes.ts';
import { describeNotAsked } from '../../client/agent/not-asked.ts';
import { ClientError } from '../../client/errors.ts';
import { describeVotes } from '../../protocol/deciding.ts';
import type { AttachedFile, Interaction, JsonObject } from '../../protocol/types.ts';
import type { OpenQuestion } from './round.ts';

const STILL_WAITING =
  'The question is still open. Call ask_human again with only this question_id to wait on, or check_answer to look. Do not ask the same question anew.';

/** A session and one of its interactions, as the command line writes it. */
export function writeQuestionId({ sessionId, interaction }: OpenQuestion): string {
  return `${sessionId}/${interaction.interactionId}`;
}

export function readQuestionId(
  text: string,
): { readonly sessionId: string; readonly interactionId: string } | undefined {
  const [, sessionId, interactionId] = /^([^/\s]{1,128})\/([^/\s]{1,140})$/.exec(text) ?? [];
  if (sessionId === undefined || interactionId === undefined) return undefined;
  return { sessionId, interactionId };
}

/** "1 of 2 approvals: ann", where several people must approve. */
export function describeWaiting({ quorum, votes }: Pick<Interaction, 'quorum' | 'votes'>): string {
  return quorum === undefined
    ? 'No person has answered yet'
    : `${describeVotes(quorum, votes)}; more people must approve`;
}

export function waitingResult(question: OpenQuestion): CallToolResult {
  return jsonResult({
    status: 'waiting',
    question_id: writeQuestionId(question),
    message: `${describeWaiting(question.interaction)}. ${STILL_WAITING}`,
  });
}

/** The outcome of a settled record, whatever its kind. */
export function settledResult(sessionId: string, interaction: Interaction): CallToolResult {
  const { kind, outcome, answers, values, decision, reason, reply, request } = interaction;
  // The agent goes on with a changed plan, so the word `denied` alone would mislead it.
  const isSentBack = kind === 'plan_review' && outcome === 'denied';
  const questions = Array.isArray(request.questions)
    ? (request.questions as unknown as AskedRound[])
    : [];
  return jsonResult({
    status: outcome ?? 'cancelled',
    question_id: writeQuestionId({ sessionId, interaction }),
    ...(answers !== undefined && { answers: choicesByText(questions, answers) }),
    ...(values !== undefined && { values }),
    ...(decision !== undefined && { decision }),
    ...(isSentBack && { decision: 'adjust' }),
    ...(reason !== undefined && { reason }),
    ...(reply?.behavior === 'deny' && { message: reply.message }),
    ...(reply?.attachments && { attached_files: reply.attachments.map(describeFile) }),
    ...(interaction.defaulted === true && { is_default: true }),
    ...(interaction.replacedBy !== undefined && { replaced_by: interaction.replacedBy }),
  });
}

/** The bytes are one request away, with the credential of the agent. */
function describeFile({ name, mediaType, bytes, path }: AttachedFile): JsonObject {
  return { name, media_type: mediaType, bytes, path };
}

interface AskedRound {
  readonly question: string;
  readonly options: readonly { readonly label: string }[];
}

function jsonResult(state: JsonObject | Record<string, unknown>): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(state) }],
    structuredContent: state,
  };
}

/** The model must not take it for an answer. */
export function failedResult(cause: unknown): CallToolResult {
  const why = cause instanceof ClientError ? cause.message : 'something went wrong';
  return { isError: true, content: [{ type: 'text', text: `There is no answer: ${why}` }] };
}

export function notAskedResult(cause: unknown): CallToolResult {
  return refusedCall(describeNotAsked(cause));
}

export function refusedCall(message: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: message }] };
}
