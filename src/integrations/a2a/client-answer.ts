/**
 * The answer of an A2A client to the request that its task shows.
 *
 * 1. It goes to Holdpoint with a credential of its own that may answer, which the server refuses if it is that of the agent.
 * 2. It names the request and the digest that the client was shown, so that it never answers another one. Words alone answer
 *    only the first request of a task, because later words may have been written for it, and none that is not shown whole.
 * 3. An answer that does not count has a text that says why, and who was first. It changes nothing.
 */
import { ClientError } from '../../client/errors.ts';
import type { Transport } from '../../client/transport.ts';
import type { Interaction } from '../../protocol/types.ts';
import type { ClientReply, RequestInTask } from './message-parts.ts';

export interface ReplyPorts {
  answers(): Transport | undefined;
  readonly page: string | undefined;
  /** Whether this task has shown that request. */
  wasShown(interactionId: string): boolean;
  /** Whether words can mean only this request, because the task has shown no other, and has shown all of this one. */
  readonly isPlain: boolean;
  session(): Promise<string>;
  /** With the credential of the agent. */
  read(sessionId: string, interactionId: string): Promise<Interaction>;
}

/** The record after an answer that counted, else why it did not. */
export async function answerRequest(
  reply: ClientReply,
  shown: RequestInTask | undefined,
  ports: ReplyPorts,
): Promise<Interaction | string> {
  try {
    return await answerShown(reply, shown, ports);
  } catch (cause) {
    if (!(cause instanceof ClientError)) return 'The answer could not be delivered.';
    const isLate = cause.code === 'already_settled' && shown !== undefined;
    if (!isLate) return `The answer does not count: ${cause.message}`;
    return ports.read(shown.sessionId, shown.interactionId).then(wordsOfEnd, () => cause.message);
  }
}

async function answerShown(
  reply: ClientReply,
  shown: RequestInTask | undefined,
  ports: ReplyPorts,
): Promise<Interaction | string> {
  const { interactionId, inputDigest, answer, text } = reply;
  if (interactionId !== undefined && interactionId !== shown?.interactionId) {
    if (!ports.wasShown(interactionId)) return 'This task has asked no such request.';
    return wordsOfEnd(await ports.read(await ports.session(), interactionId));
  }
  if (shown === undefined) return 'The agent is at work, and asks nothing at the moment.';
  const transport = ports.answers();
  if (transport === undefined) {
    return `This agent takes no answers from you. People answer in Holdpoint${ports.page === undefined ? '' : `: ${ports.page}`}.`;
  }
  if (interactionId === undefined && (answer !== undefined || !ports.isPlain)) {
    return 'Name the request that you answer: send interactionId and inputDigest as they were shown, in the data part.';
  }
  if (interactionId !== undefined && inputDigest !== shown.inputDigest) {
    return 'The inputDigest is not that of the request, so you were shown another one. Read the request again.';
  }
  if (answer !== undefined) {
    const body = { ...answer, inputDigest: shown.inputDigest };
    const settled = await transport.answer(shown.sessionId, shown.interactionId, body);
    return settled.isMine ? settled.interaction : wordsOfEnd(settled.interaction);
  }
  // These would act on the whole session.
  if (text.trimStart().startsWith('/')) return 'Commands are no answers.';
  if (text === '') return 'The message holds no answer.';
  await transport.answerText(shown.sessionId, shown.interactionId, text);
  return ports.read(shown.sessionId, shown.interactionId);
}

function wordsOfEnd({ status, outcome, settledBy }: Interaction): string {
  if (status === 'open') return 'Another request is asked now.';
  return `The request was ${outcome} by ${settledBy?.subject ?? 'Holdpoint'} before; this answer does not count.`;
}
