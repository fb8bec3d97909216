/**
 * Begins the run of an AG-UI client: gives its answers, sends its message, and follows what comes of them (AGUI-2).
 *
 * 1. All of the input is checked before any of it counts. What is refused before the run starts is an ordinary rejection.
 * 2. Each answer is the command of the answer route, with its checks. A refused answer does not stop the others; if all are
 *    refused, the first refusal is the response.
 * 3. A message is sent only once nothing is open: as text it could answer a question that its writer has not seen.
 * 4. `payload` is the body of the answer route. An approval may also be answered as AG-UI recommends, with `approved` and
 *    `editedArgs`. `cancelled` cancels the interaction: it is neither an answer nor a denial.
 * 5. The same answer to the same interrupt counts once, in whichever run it comes; so does a message by its id.
 * 6. Nothing else of the input is used: the session has its own conversation, tools and state.
 */
import * as z from '../../protocol/schema/zod.ts';
import { COMMAND_SCOPES, hasAnyScope, rejectMissingScope } from '../../core/authority.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { RouteCall } from '../route.ts';
import { subscribeToLog } from '../streaming/subscribe.ts';
import { hashText } from '../../core/digest.ts';
import { canonicalize } from '../../protocol/canonical-json.ts';
import { isObject, isText, type JsonObject, type Interaction } from '../../protocol/types.ts';
import type { Command, Context } from '../../protocol/schema/command.ts';
import { InteractionId, SessionId } from '../../protocol/schema/ids.ts';
import { JsonObjectSchema } from '../../protocol/schema/interaction.ts';
import { createRunStream } from './agui-streams.ts';
import { type Refusal, RunFollower } from './run-follower.ts';
import { isMessageOfLog } from './content-of-event.ts';

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

const ResumeEntryBody = z.looseObject({
  interruptId: InteractionId,
  status: z.enum(['resolved', 'cancelled']),
  payload: z.unknown().optional(),
});
type ResumeEntryBody = z.output<typeof ResumeEntryBody>;

const AguiMessage = z.looseObject({
  id: z.string(),
  role: z.string(),
  content: z.unknown().optional(),
});

export const RunAgentInput = z
  .looseObject({
    threadId: SessionId.describe('The id of the session.'),
    runId: z
      .string()
      .min(1)
      .max(LIMITS.nameChars)
      .describe('Comes back in `RUN_STARTED` and `RUN_FINISHED`.'),
    messages: z
      .array(AguiMessage)
      .default([])
      .describe('The last one is sent to the session if it is a message of the user and new.'),
    resume: z
      .array(ResumeEntryBody)
      .max(LIMITS.openInteractions)
      .refine(
        (entries) => new Set(entries.map((one) => one.interruptId)).size === entries.length,
        'Answer each interrupt once',
      )
      .default([])
      .describe('Answers to interrupts.'),
    tools: z.array(JsonObjectSchema).optional(),
    context: z.array(JsonObjectSchema).optional(),
    state: z.unknown().optional(),
    forwardedProps: z.unknown().optional(),
  })
  .meta({ id: 'RunAgentInput', description: 'Of AG-UI 1.0; other fields are allowed.' });
export type RunAgentInput = z.output<typeof RunAgentInput>;

type Idempotency = NonNullable<Context['idempotency']>;

interface KeyedCommand {
  readonly command: Command;
  readonly idempotency: Idempotency;
}

interface KeyedAnswer extends KeyedCommand {
  readonly interruptId: string;
}

/** The answers in their order, or the problem of the first malformed one: then none of them is given. */
export function readAnswers({ resume }: RunAgentInput): KeyedAnswer[] | Rejection {
  const answers: KeyedAnswer[] = [];
  for (const [at, entry] of resume.entries()) {
    const command = commandOfEntry(entry, `resume.${at}.payload`);
    if ('ok' in command) return command;
    const { interruptId, status, payload = null } = entry;
    const bodyHash = hashText(
      canonicalize({ interruptId, status, payload: payload as JsonObject }),
    );
    // With the payload in the key, another answer to what is still open is no misuse of the key of the first one.
    answers.push({ interruptId, command, idempotency: answerKeyOf(bodyHash, bodyHash) });
  }
  return answers;
}

function commandOfEntry(
  { interruptId, status, payload }: ResumeEntryBody,
  path: string,
): Command | Rejection {
  if (status === 'cancelled') {
    const reason = isObject(payload) && isText(payload.reason) ? payload.reason : undefined;
    const why = reason === undefined ? {} : { reason: reason.slice(0, LIMITS.reasonChars) };
    return { type: 'interaction.cancel', interactionId: interruptId, ...why };
  }
  if (!isObject(payload)) return invalid(path, 'Use a JSON object');
  if (payload.question !== undefined) {
    // A repeat of one step cannot be told from the same choice made again.
    return invalid(path, 'Answer all questions at once, with `answers`');
  }
  const answer = answerInOurWords(payload);
  if (answer === undefined) return invalid(path, 'Use either `approved` or `decision`');
  return { type: 'interaction.answer', target: { interactionId: interruptId }, answer };
}

/** An approval in the words of AG-UI becomes one in ours; every other answer stays as it is. */
function answerInOurWords(payload: JsonObject): JsonObject | undefined {
  if (!Object.hasOwn(payload, 'approved')) return payload;
  const { approved, editedArgs, ...rest } = payload;
  if (typeof approved !== 'boolean' || Object.hasOwn(rest, 'decision')) return undefined;
  const edited = editedArgs === undefined ? {} : { updatedInput: editedArgs };
  return { ...rest, ...edited, decision: approved ? 'approve' : 'deny' };
}

function invalid(path: string, message: string): Rejection {
  return reject('invalid_request', `${path}: ${message}`, { issues: [{ path, message }] });
}

/** The last message if a person has just written it. A client sends all messages with every run. */
export function readNewMessage({ messages }: RunAgentInput): KeyedCommand | Rejection | undefined {
  const last = messages.at(-1);
  if (last === undefined || last.role !== 'user' || isMessageOfLog(last.id)) return undefined;
  const path = `messages.${messages.length - 1}.content`;
  const text = textOfContent(last.content);
  if (text === undefined) return invalid(path, 'Only text can be sent');
  if (text.trim() === '' || text.length > LIMITS.textChars) {
    return invalid(path, `Use 1 to ${LIMITS.textChars} characters`);
  }
  const idempotency = answerKeyOf(hashText(last.id), hashText(text));
  return { command: { type: 'message.send', text }, idempotency };
}

function answerKeyOf(name: string, bodyHash: string): Idempotency {
  return { key: `agui ${name}`, bodyHash };
}

/** Undefined for pictures, files and everything else that is no text. */
function textOfContent(content: unknown): string | undefined {
  if (isText(content)) return content;
  if (!Array.isArray(content)) return undefined;
  const parts: readonly unknown[] = content;
  const texts = parts.map((part) =>
    isObject(part) && part.type === 'text' && isText(part.text) ? part.text : undefined,
  );
  return texts.includes(undefined) ? undefined : texts.join('\n');
}
