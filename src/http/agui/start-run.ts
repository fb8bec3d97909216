/**
 * Begins the run of an AG-UI client: gives its answers, sends its message, and follows what comes of them (AGUI-2).
 *
 * 1. All of the input is checked before any of it counts. What is refused before the run starts is an ordinary rejection.
 * 2. Each answer is the command of the answer route, with its checks. A refused answer does not stop the others; if all are
 *    refused, the first refusal is the response.
 * 3. A message is sent only once nothing is open: as text it could answer a question that its writer has not seen.
 */
import { COMMAND_SCOPES, hasAnyScope, rejectMissingScope } from '../../core/authority.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Interaction } from '../../protocol/types.ts';
import type { RouteCall } from '../route.ts';
import { subscribeToLog } from '../streaming/subscribe.ts';
import { createRunStream } from './agui-streams.ts';
import { type Refusal, RunFollower } from './run-follower.ts';
import {
  type KeyedAnswer,
  type KeyedCommand,
  readAnswers,
  readNewMessage,
  type RunAgentInput,
} from './run-input.ts';

export type StartRunCall = RouteCall<{ id: string }, unknown, RunAgentInput>;

export async function startRun(call: StartRunCall): Promise<Response | Rejection> {
  const { body, params, session } = call;
  if (body.threadId !== params.id) return OTHER_THREAD;
  const answers = readAnswers(body);
  if ('ok' in answers) return answers;
  const message = readNewMessage(body);
  if (message !== undefined && 'ok' in message) return message;
  const missing = missingScope(call, answers, message);
  if (missing !== undefined) return missing;
  const before = await session.snapshot();
  if (!before.ok) return before;
  // Subscribes first: a rejection after an answer counts would look as if the answer was refused.
  const joined = await subscribeToLog(call, before.value.head, true);
  if (!joined.ok) return joined;
  const follower = new RunFollower(body, before.value);
  const given = await giveInput(call, { answers, message }, follower);
  if ('ok' in given) {
    joined.socket.close(1000, 'done');
    return given;
  }
  return createRunStream({
    socket: joined.socket,
    follower,
    first: follower.begin(given),
    idleMs: LIMITS.aguiIdleSeconds * 1_000,
  });
}

const OTHER_THREAD = reject('invalid_request', 'threadId: Use the id of the session', {
  issues: [{ path: 'threadId', message: 'Use the id of the session' }],
});

interface AguiCommands {
  readonly answers: readonly KeyedAnswer[];
  readonly message: KeyedCommand | undefined;
}

function missingScope(
  { identity }: StartRunCall,
  answers: readonly KeyedAnswer[],
  message: KeyedCommand | undefined,
): Rejection | undefined {
  // Also for a cancel, which an agent may do elsewhere: here it is a person who abandons a question.
  const needed = [
    ...(answers.length > 0 ? [COMMAND_SCOPES['interaction.answer']] : []),
    ...(message === undefined ? [] : [COMMAND_SCOPES['message.send']]),
  ];
  const missing = needed.find((anyOf) => !hasAnyScope(identity.caller, anyOf));
  return missing && rejectMissingScope(missing);
}

/** The refusals, or the first one if nothing of the input counts. */
async function giveInput(
  call: StartRunCall,
  { answers, message }: AguiCommands,
  follower: RunFollower,
): Promise<readonly Refusal[] | Rejection> {
  const refused: { of: Refusal['of']; rejection: Rejection }[] = [];
  for (const answer of answers) {
    const rejection = await giveRunAnswer(call, answer, follower);
    if (rejection !== undefined) refused.push({ of: answer.interruptId, rejection });
  }
  const [first] = refused;
  if (first !== undefined && refused.length === answers.length) return first.rejection;
  if (message !== undefined && !follower.isWaiting) {
    const rejection = await sendRunMessage(call, message, follower);
    if (rejection !== undefined && answers.length === 0) return rejection;
    if (rejection !== undefined) refused.push({ of: 'message', rejection });
  }
  return refused.map(({ of, rejection: { code, message: why } }) => ({ of, code, message: why }));
}

async function giveRunAnswer(
  { session, context }: StartRunCall,
  { command, idempotency, interruptId }: KeyedAnswer,
  follower: RunFollower,
): Promise<Rejection | undefined> {
  const given = await session.handle(command, { ...context, idempotency });
  if (!given.ok) {
    const isSettled = given.code === 'already_settled';
    if (isSettled) follower.noteSettled(interruptId);
    // What has ended without this person needs no end: a client abandons an expired interrupt so that its thread goes on.
    return isSettled && command.type === 'interaction.cancel' ? undefined : given;
  }
  const { interaction } = JSON.parse(given.json) as { interaction: Interaction };
  follower.expectAnswer(interaction);
  return undefined;
}

async function sendRunMessage(
  { session, context }: StartRunCall,
  { command, idempotency }: KeyedCommand,
  follower: RunFollower,
): Promise<Rejection | undefined> {
  const sent = await session.handle(command, { ...context, idempotency });
  if (!sent.ok) return sent;
  const { messageId } = JSON.parse(sent.json) as { messageId?: string };
  if (messageId !== undefined && !sent.replayed) follower.expectMessage(messageId);
  return undefined;
}
