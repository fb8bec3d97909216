/**
 * An open interaction as an interrupt of AG-UI: why the run stopped, in words, and the schema of the answer.
 *
 * A person must be able to decide by the interrupt alone: a program that only asks has no tool call in the log. So the
 * whole request is in `metadata.holdpoint`, with its digest, where the interrupt is described in full.
 */
import type { Interaction, JsonObject } from '../../protocol/types.ts';
import { readChoices } from '../../protocol/approval-choices.ts';
import { describeVotes } from '../../protocol/describe-votes.ts';
import { isObject, isText } from '../../protocol/guards.ts';
import { isoTime } from '../answer-links/utc-time.ts';
import type { AguiInterrupt } from './agui-event.ts';

/** In a list that names an interrupt again; the first time all of it is there. */
const SHORT_MESSAGE_CHARS = 300;

export function interruptOf(record: Interaction, isInFull: boolean): AguiInterrupt {
  const { interactionId: id, toolCallId, kind, toolName, inputDigest, request } = record;
  const message = promptOf(record) + wordsOfVotes(record);
  const about = { kind, toolName, inputDigest };
  const { openedBy, current, awaitingFeedback, wholeInput } = record;
  const details = {
    ...about,
    request,
    openedBy: openedBy.subject,
    ...(wholeInput !== undefined && { wholeInput }),
    ...(current !== undefined && { current }),
    ...(awaitingFeedback === true && { awaitingFeedback }),
    ...(record.quorum !== undefined && approvalDetails(record)),
  };
  return {
    id,
    reason: reasonOf(kind),
    message: isInFull
      ? message
      : promptOf(record).slice(0, SHORT_MESSAGE_CHARS) + wordsOfVotes(record),
    toolCallId,
    ...(isInFull && responseSchema(record)),
    ...expiry(record),
    metadata: { holdpoint: isInFull ? details : about },
  };
}

/** How far a request is that several people must approve. */
function wordsOfVotes({ quorum, votes }: Interaction): string {
  return quorum === undefined ? '' : `\n${describeVotes(quorum, votes)}`;
}

function approvalDetails({ quorum, votes = [] }: Interaction): JsonObject {
  return {
    approvals: { needed: quorum?.approvals ?? 1, given: votes.map(({ by }) => by.subject) },
  };
}

function reasonOf(kind: string): AguiInterrupt['reason'] {
  if (kind === 'approval') return 'tool_call';
  if (kind === 'plan_review') return 'holdpoint:plan_review';
  return kind === 'link' ? 'holdpoint:link' : 'input_required';
}

/** A client judges by the time alone, so one that may still be answered after its deadline names none. */
function expiry({ expiresAt, onExpire }: Interaction): { expiresAt?: string } {
  return expiresAt === null || onExpire === 'keep' ? {} : { expiresAt: isoTime(expiresAt) };
}

/** The words of the agent, for whoever answers. */
function promptOf({ kind, toolName, request }: Interaction): string {
  const { description, plan, title, message, questions } = request;
  const given = [description, plan, message, title].find(
    (text): text is string => isText(text) && text.trim() !== '',
  );
  if (kind === 'approval') return given === undefined ? `Allow ${toolName}?` : given;
  if (kind === 'question' && Array.isArray(questions)) {
    const asked: readonly unknown[] = questions;
    return asked
      .flatMap((one) => (isObject(one) && isText(one.question) ? one.question : []))
      .join('\n');
  }
  if (kind === 'link' && isText(request.url)) return `${given ?? toolName}\n${request.url}`;
  return given ?? `${toolName} asks`;
}

const TEXT = { type: 'string' };
const DECLINE = { decline: { const: true }, reason: TEXT };

/** The schema of `payload`: what the answer route takes for this kind. Nothing for a kind of a newer server. */
function responseSchema(record: Interaction): { responseSchema?: JsonObject } {
  const properties = answerProperties(record);
  if (properties === undefined) return {};
  const required = Object.hasOwn(properties, 'approved') ? { required: ['approved'] } : {};
  const inputDigest = { const: record.inputDigest };
  return {
    responseSchema: { type: 'object', properties: { ...properties, inputDigest }, ...required },
  };
}

function answerProperties({ kind, request, wholeInput }: Interaction): JsonObject | undefined {
  switch (kind) {
    case 'approval':
      return wholeInput === undefined
        ? approvalProperties(request)
        : { ...approvalProperties(request), read: { enum: ['whole', 'part'] } };
    case 'question': {
      const questions: readonly unknown[] = Array.isArray(request.questions)
        ? request.questions
        : [];
      const asked = Object.fromEntries(questions.map((one, at) => [String(at), answerField(one)]));
      const required = Object.keys(asked);
      return { answers: { type: 'object', properties: asked, required }, ...DECLINE };
    }
    case 'form': {
      const values = isObject(request.schema) ? request.schema : { type: 'object' };
      return { values, ...DECLINE };
    }
    case 'plan_review':
      return {
        decision: { enum: ['edit', 'clean_edit', 'default', 'adjust'] },
        feedback: TEXT,
      };
    case 'link':
      return { opened: { const: true }, done: { const: true }, ...DECLINE };
    default:
      return undefined;
  }
}

/** In the form that AG-UI recommends: the presence of `editedArgs` says that the input may be edited. */
function approvalProperties(request: JsonObject): JsonObject {
  const { allowEdit, inputSchema, offers } = request;
  const choices = readChoices(request);
  const args = isObject(inputSchema) ? inputSchema : { type: 'object' };
  return {
    approved: { type: 'boolean' },
    reason: TEXT,
    ...(allowEdit === true && { editedArgs: args }),
    ...(choices !== undefined && {
      choice: { oneOf: choices.map(({ id, label }) => ({ const: id, title: label })) },
    }),
    ...(Array.isArray(offers) && offers.includes('session') && { offer: { enum: offers } }),
  };
}

/** Other words than the options are an answer too. */
function answerField(asked: unknown): JsonObject {
  if (!isObject(asked)) return TEXT;
  const { question, options, multiSelect } = asked;
  const listed: readonly unknown[] = Array.isArray(options) ? options : [];
  const labels = listed.flatMap((one) => (isObject(one) && isText(one.label) ? one.label : []));
  const named = isText(question) ? { title: question } : {};
  const shown = labels.length > 0 ? { examples: labels } : {};
  if (multiSelect !== true) return { type: 'string', ...named, ...shown };
  return { type: 'array', ...named, items: { type: 'string', ...shown } };
}
