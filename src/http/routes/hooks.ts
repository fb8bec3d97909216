/** Hooks of Claude Code: one route for every event, as its settings can name one. */
import * as z from '../../protocol/schema/zod.ts';
import { HOOK_INPUT, readHook } from '../../integrations/hooks/read-hook.ts';
import { readAudienceNames } from '../../protocol/deciding.ts';
import { reject } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { Audience } from '../../protocol/schema/audience.ts';
import { JsonObjectSchema } from '../../protocol/schema/interaction.ts';
import { HELD_INPUT_LIMITS } from '../body.ts';
import { answerHook } from '../hooks/answer-hook.ts';
import { HOOKS_TAG, route } from '../route.ts';
import { WholeNumber } from './params.ts';

const HookWait = WholeNumber.refine(
  (seconds) => seconds >= 1 && seconds <= LIMITS.hookWaitMaxSeconds,
  `Use 1 to ${LIMITS.hookWaitMaxSeconds}`,
).describe(
  `Seconds for which the request is held; ${LIMITS.hookWaitSeconds} if left out. The \`timeout\` in the settings must be longer.`,
);
const Approvals = WholeNumber.refine(
  (count) => count >= 1 && count <= LIMITS.quorumApprovals,
  `Use 1 to ${LIMITS.quorumApprovals}`,
).describe('How many people must approve a call or a plan; one denial ends it.');
const AskedNames = z
  .string()
  .transform((names) => readAudienceNames(names) ?? {})
  .pipe(Audience)
  .describe('Who is asked, with commas: `ann,group:ops`; everyone if left out.');
const CommandCall = z
  .string()
  .regex(/^hook\.[A-Za-z0-9-]{16,64}$/, 'Use hook. and 16 to 64 letters and digits')
  .describe(
    'For `holdpoint hook`, which waits by itself: the response is not held, and 202 names the open question. The id is that of the call, where the hook names none.',
  );
const HookBody = z
  .looseObject({
    hook_event_name: z.string(),
    session_id: z.string(),
    prompt_id: z.string().optional(),
    cwd: z.string().optional(),
    tool_name: z.string().optional(),
    tool_input: JsonObjectSchema.optional(),
    tool_use_id: z.string().optional(),
  })
  .meta({ id: 'ClaudeCodeHook', description: 'What Claude Code sends; other fields are allowed.' });

const HookOutputBody = z
  .looseObject({ hookSpecificOutput: JsonObjectSchema.optional() })
  .meta({ id: 'HookOutput', description: 'In the form of the event; `{}` is no opinion.' });

const OpenedHookBody = z
  .strictObject({ sessionId: z.string(), interactionId: z.string(), toolCallId: z.string() })
  .meta({ id: 'OpenedHook', description: 'Where the command waits for the outcome.' });

export const hookRoutes = [
  route({
    method: 'POST',
    path: '/v1/hooks/claude-code',
    operationId: 'answerClaudeCodeHook',
    tag: HOOKS_TAG,
    summary: 'Answer a hook of Claude Code: ask a person and wait',
    description:
      '`PreToolUse`, `PermissionRequest` and `Elicitation` are asked in the session of the conversation, which begins if there is none. `Stop` and `Notification` are noted in it. Every other event has the answer `{}`. The settings must have `"onFailure": "block"`: without it a tool runs while the server is out of reach.',
    access: { in: 'either', anyOf: ['agent'] },
    query: z.strictObject({
      wait: HookWait.optional(),
      defer: z
        .enum(['1'])
        .optional()
        .describe('After that time a `PreToolUse` hook defers the call instead of denying it.'),
      approvals: Approvals.optional(),
      notRequester: z.enum(['1']).optional().describe('Who asks may not decide.'),
      for: AskedNames.optional(),
      program: z.enum(['claude-code', 'codex']).optional().describe('Whose hook it is.'),
      call: CommandCall.optional(),
    }),
    body: JsonObjectSchema,
    documentedBody: HookBody,
    bodyLimits: HELD_INPUT_LIMITS,
    oddInput: [HOOK_INPUT],
    responses: {
      200: { description: 'The output of the hook', schema: HookOutputBody },
      202: { description: 'The open question of a command', schema: OpenedHookBody },
      404: { description: 'The token of a session, and the conversation belongs to another one' },
    },
    errorCodes: ['not_found', 'limit_reached'],
    async handle(call) {
      const { program = 'claude-code', call: commandCall } = call.query;
      const reading = readHook(call.body, program, call.inputText);
      if (!reading.ok) return reject('invalid_request', reading.message);
      const { wait: waitSeconds = LIMITS.hookWaitSeconds, defer } = call.query;
      const { approvals, notRequester, for: audience } = call.query;
      const caller = { ...call.context.caller, via: 'hook' } as const;
      const { request, ports, identity, workspace, context } = call;
      const asker = { request, ports, identity, workspace, context: { ...context, caller } };
      const answer = await answerHook(asker, reading.hook, {
        waitSeconds,
        mayDefer: defer !== undefined,
        deciding: { approvals, audience, notRequester: notRequester !== undefined },
        commandCall,
      });
      if (!answer.ok) return answer;
      return 'opened' in answer
        ? { status: 202, json: answer.opened }
        : { status: 200, json: answer.output };
    },
  }),
];
