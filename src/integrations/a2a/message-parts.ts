/**
 * The parts of messages in which a request goes to a client of A2A, and in which the client answers.
 *
 * A request is a text for people and a data part for programs:
 * `{holdpoint: {sessionId, interactionId, toolCallId, toolName, kind, request, wholeInput?, approvals?, inputDigest, expiresAt,
 * url?}}`. An
 * answer is a data part `{holdpoint: {interactionId, inputDigest, answer}}`, with the body of the answer route, or text.
 */
import { describeVotes } from '../../protocol/deciding.ts';
import { visibleText } from '../../protocol/escapes.ts';
import { isObject, isText, type Interaction, type JsonObject } from '../../protocol/types.ts';
import { type A2aMessage, type A2aPart, ROLE } from './a2a-types.ts';

/** A request as a client was shown it. */
export interface RequestInTask {
  readonly sessionId: string;
  readonly interactionId: string;
  readonly inputDigest: string;
}

/** Whatever was asked, and the `by` of its outcome. */
export interface AskedOutcome {
  readonly outcome: string;
  readonly by: object;
}

/** What a message of a client says about a request. */
export interface ClientReply {
  /** Both are missing if the message names no request. */
  readonly interactionId: string | undefined;
  readonly inputDigest: string | undefined;
  readonly answer: JsonObject | undefined;
  readonly text: string;
}

export function textPart(value: string): A2aPart {
  return partOf('text', value, 'text/plain');
}

function dataPart(holdpoint: JsonObject): A2aPart {
  return partOf('data', { holdpoint }, 'application/json');
}

export function requestParts(
  sessionId: string,
  record: Interaction,
  page: string | undefined,
): readonly A2aPart[] {
  const { interactionId, toolCallId, toolName, kind, request, inputDigest, expiresAt } = record;
  const place = new URLSearchParams({ session: sessionId, interaction: interactionId });
  const url = page === undefined ? {} : { url: `${page.replace(/\/$/, '')}/#${place.toString()}` };
  const ids = { sessionId, interactionId, toolCallId, toolName, kind, inputDigest, expiresAt };
  const { wholeInput } = record;
  const missing = wholeInput === undefined ? {} : { wholeInput: { ...wholeInput } as JsonObject };
  const votes = record.quorum === undefined ? {} : { approvals: approvalsOf(record) };
  return [
    textPart(requestWords(record)),
    dataPart({ ...ids, request, ...missing, ...votes, ...url }),
  ];
}

/** The request of a message that the bridge wrote; undefined for any other. */
export function readRequestPart(message: A2aMessage | undefined): RequestInTask | undefined {
  if (message?.role !== ROLE.agent) return undefined;
  const { sessionId, interactionId, inputDigest } = holdpointData(message) ?? {};
  if (!isText(sessionId) || !isText(interactionId) || !isText(inputDigest)) return undefined;
  return { sessionId, interactionId, inputDigest };
}

export function readClientReply(message: A2aMessage): ClientReply {
  const { interactionId, inputDigest, answer } = holdpointData(message) ?? {};
  const texts = message.parts.map(({ content }) =>
    content?.$case === 'text' ? content.value : '',
  );
  return {
    interactionId: isText(interactionId) ? interactionId : undefined,
    inputDigest: isText(inputDigest) ? inputDigest : undefined,
    answer: isObject(answer) ? answer : undefined,
    text: texts.filter((text) => isText(text) && text.trim() !== '').join('\n'),
  };
}

function holdpointData({ parts }: A2aMessage): JsonObject | undefined {
  for (const { content } of parts) {
    if (content?.$case !== 'data' || !isObject(content.value)) continue;
    const { holdpoint } = content.value;
    if (isObject(holdpoint)) return holdpoint;
  }
  return undefined;
}

function partOf($case: string, value: unknown, mediaType: string): A2aPart {
  return { content: { $case, value }, metadata: undefined, filename: '', mediaType };
}

/** Of how many people, and who has given one. */
function approvalsOf({ quorum, votes = [] }: Interaction): JsonObject {
  return { needed: quorum?.approvals ?? 1, given: votes.map(({ by }) => by.subject) };
}

/** All of the request, for a client that shows only text. What is invisible, or would reorder the rest, is an escape. */
function requestWords({ kind, toolName, request, quorum, votes }: Interaction): string {
  const { description, input, questions, plan, title, message, url } = request;
  const lines: unknown[] = [title, description, message, url];
  if (kind === 'approval') lines.push(`May ${toolName} run?`, JSON.stringify(input));
  if (kind === 'question' && Array.isArray(questions)) {
    lines.push(...questions.map((one: unknown) => (isObject(one) ? one.question : undefined)));
  }
  if (kind === 'plan_review') lines.push('Is this plan right?', plan);
  if (quorum !== undefined) lines.push(`${describeVotes(quorum, votes)}.`);
  const filled = lines.filter(isText).filter((line) => line.trim() !== '');
  return filled.length === 0 ? 'An answer is needed.' : visibleText(filled.join('\n'));
}

export function wordsOfOutcome({ outcome, by }: AskedOutcome): string {
  const subject: unknown = Reflect.get(by, 'subject');
  return `The request was ${outcome}${isText(subject) && subject !== '' ? ` by ${subject}` : ''}.`;
}
