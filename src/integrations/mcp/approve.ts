/**
 * The tool `approve`: the permission prompt of Claude Code (`--permission-prompt-tool`), and of any agent that calls it.
 *
 * It decides as `canUseTool` of the Claude Agent SDK does, with AskUserQuestion and ExitPlanMode, and returns that value as
 * text, which is what Claude Code reads. Every failure is a denial (GATE-4).
 */
import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { ClientError } from '../../client/errors.ts';
import { isObject } from '../../protocol/types.ts';
import { readOddDoubles } from '../../protocol/odd-input.ts';
import { createCanUseTool } from '../claude/can-use-tool.ts';
import { DECIDING_INPUT, decidingOf } from './deciding-input.ts';
import { askInRounds, type ToolCallContext, type RoundResult } from './ask-in-rounds.ts';
import { type OpenQuestion, RoundOverError } from './round.ts';
import { describeWaiting, writeQuestionId } from './question-result.ts';

export const ApproveInput = z.looseObject({
  tool_name: z.string(),
  // By reference: a schema of records would drop the name `__proto__`.
  input: z.unknown().refine(isObject, 'Use a JSON object').meta({ type: 'object' }),
  tool_use_id: z.string().describe("The agent's id of the call.").optional(),
  ...DECIDING_INPUT,
});

export function approve(
  call: ToolCallContext,
  args: z.output<typeof ApproveInput>,
): Promise<RoundResult> {
  const { tool_name: toolName, tool_use_id: toolUseId } = args;
  const { inputText } = call.host;
  const deciding = decidingOf(args, call.host.deciding);
  const hasDeciding = Object.values(deciding).some((one) => one !== undefined && one !== false);
  const input = inputText === undefined ? args.input : readOddDoubles(inputText);
  if (input === undefined) return Promise.resolve(textResult(INEXACT));
  return askInRounds(call, {
    args: { toolName, input, toolUseId, ...(hasDeciding && { deciding }) },
    toolUseId,
    waiting: stillOpen,
    async ask(client, { toolCallId, signal }) {
      const { warn } = call.host;
      const canUseTool = createCanUseTool({
        client,
        deciding,
        onDenied(_toolName, cause) {
          const isFault = !(cause instanceof ClientError || cause instanceof RoundOverError);
          if (isFault) warn('A tool failed', cause);
        },
      });
      return textResult(await canUseTool(toolName, input, { toolUseID: toolCallId, signal }));
    },
  });
}

/** The result is JSON that the agent reads again, as another number. */
const INEXACT = {
  behavior: 'deny',
  message:
    'The input has a number that programs read as another one, so nobody was asked and nothing was run. Send it as text.',
};

/** Not allowed yet is not allowed. The same call finds the question again. */
function stillOpen(question: OpenQuestion): CallToolResult {
  const message = `${describeWaiting(question.interaction)}, so this was not run. The question is still open (${writeQuestionId(question)}).`;
  return textResult({ behavior: 'deny', message });
}

function textResult(decision: object): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(decision) }] };
}
