/** The tools `ask_human` and `check_answer`: questions, forms and plans for a person, and their answers. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import {
  acknowledge,
  EnsuredSession,
  type PendingAsk,
  waitForInteraction,
} from '../../client/agent/ask-until-settled.ts';
import { ASK_BACKOFF, type Holdpoint } from '../../client/agent/holdpoint.ts';
import type { NotAllowed } from '../../client/agent/outcomes.ts';
import type { AskOptions, Question } from '../../client/agent/requests.ts';
import { GIVE_UP_AFTER_SECONDS } from '../../client/agent/retry-until.ts';
import type { Transport } from '../../client/transport.ts';
import { decidingFields } from '../../protocol/deciding.ts';
import type { Interaction } from '../../protocol/types.ts';
import { askInRounds, type ToolCallContext, type RoundResult } from './ask-in-rounds.ts';
import { DECIDING_INPUT, decidingOf } from './deciding-input.ts';
import {
  failedResult,
  readQuestionId,
  refusedCall,
  settledResult,
  waitingResult,
} from './question-result.ts';
import type { ToolHost } from './tool-host.ts';

/** A question of a model that has gone away ends by itself; settings of the session or the deployment win. */
const ASK_TIMEOUT_SECONDS = 3_600;
/** A look at an answer does not wait for a server that is away. */
const ACKNOWLEDGE_WITHIN_SECONDS = 10;

const AskedOption = z.union([
  z.string(),
  z.strictObject({ label: z.string(), description: z.string().optional() }),
]);

const OneQuestionInput = {
  question: z.string(),
  header: z.string().describe('One or two words beside the question.').optional(),
  options: z
    .array(AskedOption)
    .describe('Choices. Without them the person writes text; they may always type another answer.')
    .optional(),
  multiple: z.boolean().describe('Several choices are possible.').optional(),
};

export const AskHumanInput = z.strictObject({
  question: z.string().describe('The question. For several at once use `questions`.').optional(),
  header: OneQuestionInput.header,
  options: OneQuestionInput.options,
  multiple: OneQuestionInput.multiple,
  questions: z
    .array(z.strictObject(OneQuestionInput))
    .describe('One to four questions, answered together.')
    .optional(),
  form: z
    .strictObject({
      title: z.string().optional(),
      description: z.string().optional(),
      schema: z
        .record(z.string(), z.unknown())
        .describe('A flat JSON Schema: an object of strings, numbers, booleans and choices.'),
    })
    .describe('A form that the person fills in.')
    .optional(),
  plan: z
    .string()
    .describe('A plan in Markdown that the person approves or sends back.')
    .optional(),
  question_id: z
    .string()
    .describe('Waits on for a question that was asked before; nothing else is given with it.')
    .optional(),
  session: z
    .string()
    .describe('The Holdpoint session to ask in; leave it out for the usual one.')
    .optional(),
  timeout_seconds: z
    .number()
    .int()
    .describe('When the question expires; an hour if nothing else is set.')
    .optional(),
  ...DECIDING_INPUT,
});
type AskHumanInput = z.output<typeof AskHumanInput>;

export const CheckAnswerInput = z.strictObject({
  question_id: z.string().describe('As ask_human returned it.'),
});

const GIVE_ONE =
  'Give exactly one of question, questions, form, plan or question_id; options, header and multiple belong to question.';
const APPROVALS_OF_PLAN =
  'approvals belong to a plan: a question and a form have one answer. For a call of a tool use approve.';
const WRONG_ID = 'This is no question_id: it looks like session/call_1~1.';

export function askHuman(call: ToolCallContext, args: AskHumanInput): Promise<RoundResult> {
  const ask = askerOf(args, call.host);
  if (typeof ask === 'string') return Promise.resolve(refusedCall(ask));
  const { _meta: meta } = call.context.mcpReq;
  const toolUseId = meta?.['claudecode/toolUseId'];
  const waited = args.question_id === undefined ? undefined : readQuestionId(args.question_id);
  return askInRounds(call, {
    args,
    session: waited?.sessionId ?? args.session,
    // To wait on is a call of its own; the question has the id of the call that asked it.
    toolUseId:
      waited === undefined && typeof toolUseId === 'string' ? toolUseId : waited?.interactionId,
    ask,
    waiting: waitingResult,
  });
}

type Ask = (holdpoint: Holdpoint, how: AskOptions) => Promise<CallToolResult>;

/** Or the sentence that says what is wrong with the arguments. */
function askerOf(args: AskHumanInput, host: ToolHost): Ask | string {
  const { question, questions, form, plan, question_id: id } = args;
  const given = [question, questions, form, plan, id].filter((one) => one !== undefined);
  const isBare = args.options ?? args.header ?? args.multiple;
  if (given.length !== 1 || (question === undefined && isBare !== undefined)) return GIVE_ONE;
  if (args.approvals !== undefined && plan === undefined) return APPROVALS_OF_PLAN;
  const deciding = decidingOf(args, host.deciding);
  const timing = {
    defaultTimeoutSeconds: ASK_TIMEOUT_SECONDS,
    ...(args.timeout_seconds !== undefined && { timeoutSeconds: args.timeout_seconds }),
  };
  if (id !== undefined) {
    const waited = readQuestionId(id);
    return waited === undefined
      ? WRONG_ID
      : (holdpoint) => waitOn(holdpoint, waited.interactionId, host);
  }
  if (form !== undefined)
    return (holdpoint, how) =>
      toSettledResult(
        holdpoint,
        holdpoint.form(form, { ...how, ...timing, ...decidingFields('form', deciding) }),
      );
  if (plan !== undefined)
    return (holdpoint, how) =>
      toSettledResult(
        holdpoint,
        holdpoint.reviewPlan(plan, {
          ...how,
          ...timing,
          ...decidingFields('plan_review', deciding),
        }),
      );
  const { header, options, multiple } = args;
  const asked = questions ?? [{ question: question ?? '', header, options, multiple }];
  return (holdpoint, how) =>
    toSettledResult(
      holdpoint,
      holdpoint.ask(asked.map(askedQuestion), {
        ...how,
        ...timing,
        ...decidingFields('question', deciding),
      }),
    );
}

type GivenQuestion = z.output<z.ZodObject<typeof OneQuestionInput>>;

function askedQuestion({ question, header, options, multiple }: GivenQuestion): Question {
  return {
    question,
    ...(header !== undefined && { header }),
    options: options ?? [],
    multiSelect: multiple ?? false,
  };
}

interface Ended {
  readonly outcome: string;
  readonly interaction?: Interaction;
}

async function toSettledResult(
  holdpoint: Holdpoint,
  ended: Promise<Ended | NotAllowed>,
): Promise<CallToolResult> {
  const { interaction } = await ended;
  if (interaction === undefined) return failedResult(undefined);
  return settledResult(await holdpoint.session(), interaction);
}

async function waitOn(
  holdpoint: Holdpoint,
  interactionId: string,
  host: ToolHost,
): Promise<CallToolResult> {
  const session = await holdpoint.session();
  const { transport } = holdpoint;
  const ask = pendingAsk(transport, session, host);
  return settledResult(session, await waitForInteraction(ask, interactionId));
}

function pendingAsk(
  transport: Transport,
  session: string,
  {
    giveUpAfterSeconds = GIVE_UP_AFTER_SECONDS,
    away,
  }: Pick<ToolHost, 'giveUpAfterSeconds' | 'away'>,
): PendingAsk {
  return {
    transport,
    session: new EnsuredSession(transport, { session }),
    timing: ASK_BACKOFF,
    onRetry: undefined,
    giveUpAfterMs: giveUpAfterSeconds * 1_000,
    giveUpOpenAfterMs: Number.POSITIVE_INFINITY,
    away,
    // The end of this call does not take back a question that another call has asked.
    signal: undefined,
    onOpened: undefined,
  };
}

/** Looks without waiting. */
export async function checkAnswer(
  { host }: ToolCallContext,
  { question_id: id }: z.output<typeof CheckAnswerInput>,
): Promise<CallToolResult> {
  const asked = readQuestionId(id);
  if (asked === undefined) return refusedCall(WRONG_ID);
  const { sessionId, interactionId } = asked;
  try {
    const interaction = await host.transport.interaction(sessionId, interactionId);
    if (interaction.status === 'open') return waitingResult({ sessionId, interaction });
    await acknowledge(
      pendingAsk(host.transport, sessionId, { giveUpAfterSeconds: ACKNOWLEDGE_WITHIN_SECONDS }),
      interaction,
      {},
    );
    return settledResult(sessionId, interaction);
  } catch (cause) {
    return failedResult(cause);
  }
}
