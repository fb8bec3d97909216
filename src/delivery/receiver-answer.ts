/**
 * Answers of the receiver of a target: posted with its signature or its key, or in the response to a delivery.
 *
 * The session decides about an answer as about any other. Decided here is only who sent it and which request it is for:
 * a delivery names one interaction and the digest of the input that was sent, and the answer is bound to both.
 */
import { requestIn } from '../core/delivery/webhook-body.ts';
import {
  isAnswerKey,
  messageProblem,
  type SignedMessage,
} from '../core/delivery/webhook-signature.ts';
import { ERRORS, reject } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Caller } from '../protocol/caller.ts';
import type { InboundAnswer } from '../protocol/schema/target.ts';
import type { AnswerResult, StoredDelivery, TargetConfig, TargetPorts } from './ports.ts';

export interface InboundMessage extends SignedMessage {
  /** The `Authorization` header. */
  readonly authorization: string | null;
  readonly content: InboundAnswer;
}

type AnswerPorts = Pick<TargetPorts, 'store' | 'answer' | 'now'>;

const DISABLED = reject(
  'forbidden',
  'This target is disabled, so its receiver may not answer until an administrator enables it',
);
const NOTHING_TO_ANSWER = reject('not_found', 'This delivery asks for no answer');
const UNBOUND = reject(
  'invalid_request',
  'inputDigest: send the `inputDigest` that the delivery has beside this address',
);
const REPEATED = reject(
  'message_repeated',
  'A message with this webhook-id was received before; sign another one with its own id',
);

export async function receiveAnswer(
  ports: AnswerPorts,
  config: TargetConfig,
  {
    message,
    findDelivery,
  }: { message: InboundMessage; findDelivery: () => StoredDelivery | undefined },
): Promise<AnswerResult> {
  const { store, now } = ports;
  const messageId = message.authorization === null ? message.id : null;
  const problem = credentialProblem(config, message, now());
  if (problem !== undefined) return reject('unauthenticated', problem);
  if (!config.isEnabled || store.disabled() !== undefined) return DISABLED;
  const delivery = findDelivery();
  if (!delivery?.announcement || !requestIn(delivery.announcement)) return NOTHING_TO_ANSWER;
  // A signature says nothing of the address: the same message would answer any other delivery of this target.
  if ((message.content.inputDigest ?? message.content.answer.inputDigest) === undefined)
    return UNBOUND;
  if (messageId === null) return sendAnswer(ports, config, delivery, message.content);
  if (store.hasReceived(messageId)) return REPEATED;
  // Before the answer is sent: the same message may arrive again in the meantime.
  store.write(() => {
    store.removeReceivedBefore(now() - 3 * LIMITS.messageAgeMs);
    store.addReceived(messageId, now());
  });
  const forget = () => store.write(() => store.removeReceived(messageId));
  try {
    const result = await sendAnswer(ports, config, delivery, message.content);
    // Nothing happened, and the receiver may send the same message again.
    if (!result.ok && ERRORS[result.code].retry !== 'never') forget();
    return result;
  } catch (cause) {
    forget();
    throw cause;
  }
}

function credentialProblem(
  { secrets }: TargetConfig,
  message: InboundMessage,
  now: number,
): string | undefined {
  if (message.authorization === null) return messageProblem(secrets, message, now);
  const key = /^Bearer (\S{1,200})$/i.exec(message.authorization)?.[1];
  const isKey = key !== undefined && isAnswerKey(secrets, key, now);
  return isKey ? undefined : 'The key is not the one of this target';
}

/** Without a person it is the receiver itself. The caller may only answer, and counts as one party with the credential that made the target. */
export function sendAnswer(
  { answer: send }: Pick<AnswerPorts, 'answer'>,
  { id, workspace, audience, maker }: TargetConfig,
  { sessionId, announcement }: StoredDelivery,
  { answer, inputDigest }: InboundAnswer,
  person?: Pick<Caller, 'subject' | 'via'>,
): Promise<AnswerResult> {
  const requested = announcement && requestIn(announcement);
  if (!requested) return Promise.resolve(NOTHING_TO_ANSWER);
  const caller: Caller = {
    credential: id,
    subject: audience ?? id,
    via: 'api',
    ...person,
    scopes: ['answer'],
    key: maker.key ?? maker.credential,
    root: maker.root ?? maker.credential,
  };
  const digest = inputDigest ?? answer.inputDigest ?? requested.inputDigest;
  return send({
    workspace,
    sessionId,
    interactionId: requested.interactionId,
    answer: { ...answer, inputDigest: digest },
    caller,
  });
}
