/**
 * What a model reads where its call reached no server, on every way in that runs in the process of the agent.
 *
 * A bug here looks like a model that takes a server which is away for a decision, or one that is told something else by
 * each way.
 */
import { expect, it, onTestFinished, vi } from 'vitest';
import { ClientError } from '../../src/client/errors.ts';
import { connect } from '../../src/client/agent/connect.ts';
import type { Holdpoint } from '../../src/client/agent/holdpoint.ts';
import { acpHandlers } from '../../src/integrations/acp/index.ts';
import { askHumanTool, toolApproval } from '../../src/integrations/ai-sdk/index.ts';
import { claude } from '../../src/integrations/claude/index.ts';
import { answerInterrupts } from '../../src/integrations/langgraph/index.ts';
import { serveTools } from '../../src/integrations/mcp/index.ts';
import { answerInterruptions } from '../../src/integrations/openai-agents/index.ts';
import { altered, HURRY, pair, SESSION } from '../support/agent.ts';
import { QUESTIONS } from '../support/sdk-questions.ts';
import { callOverStdio } from '../support/mcp-stdio.ts';

const SENTENCE =
  'Nobody could be asked, so this was not run: http://127.0.0.1:9 was not reached (connect ECONNREFUSED 127.0.0.1:9). Does the server run, and is this its address?';
const CALL = { toolCallId: 'call_1', toolName: 'run', input: { command: 'ls' } };

const WAYS: Readonly<Record<string, (holdpoint: Holdpoint) => Promise<string | undefined>>> = {
  'AI SDK, approval': async (holdpoint) => {
    const status = await toolApproval(holdpoint)({ toolCall: CALL });
    return status?.reason;
  },
  'AI SDK, ask_human': (holdpoint) =>
    askHumanTool(holdpoint).execute({ questions: QUESTIONS }, { toolCallId: 'call_1' }),
  'OpenAI Agents': async (holdpoint) => {
    let rejected: string | undefined;
    const state = {
      approve: () => expect.fail('It was approved'),
      reject: (_item: object, { message }: { message: string }) => void (rejected = message),
    };
    const item = { name: 'run', arguments: '{}', rawItem: { callId: 'call_1' } };
    await answerInterruptions(holdpoint, { interruptions: [item], state });
    return rejected;
  },
  'Claude Agent SDK': async (holdpoint) => {
    const { canUseTool } = claude(holdpoint, { onDenied: () => undefined });
    const result = await canUseTool('Bash', { command: 'ls' }, { toolUseID: 'toolu_1' });
    return result?.behavior === 'deny' ? result.message : undefined;
  },
  LangGraph: async (holdpoint) => {
    const value = {
      actionRequests: [{ name: 'run', args: {} }],
      reviewConfigs: [{ actionName: 'run', allowedDecisions: ['approve', 'reject'] }],
    };
    const resumed = await answerInterrupts(holdpoint, { __interrupt__: [{ id: 'i1', value }] });
    const answer = resumed?.['i1'] as { decisions: { message: string }[] } | undefined;
    return answer?.decisions[0]?.message;
  },
  ACP: async (holdpoint) => {
    const params = {
      sessionId: 's',
      toolCall: { toolCallId: 'call_1', rawInput: {} },
      options: [{ optionId: 'no', name: 'No', kind: 'reject_once' }],
    };
    const { outcome, _meta } = await acpHandlers(holdpoint).requestPermission({ params });
    expect(outcome).toEqual({ outcome: 'selected', optionId: 'no' });
    return _meta?.holdpoint.message;
  },
  'MCP, ask_human': (holdpoint) =>
    overStdio(holdpoint, { name: 'ask_human', arguments: { question: 'Deploy?' } }),
  'MCP, approve': async (holdpoint) => {
    const args = { tool_name: 'Bash', input: {}, tool_use_id: 'toolu_1' };
    const text = await overStdio(holdpoint, { name: 'approve', arguments: args });
    return (JSON.parse(text) as { message?: string }).message;
  },
};

it.each(Object.entries(WAYS))('[GATE-5] %s says the same sentence', async (_way, ask) => {
  const { agentTransport } = pair();
  const refused = new ClientError({
    code: 'unreachable',
    message: 'http://127.0.0.1:9 was not reached',
    retry: 'now',
    cause: Object.assign(new TypeError('fetch failed'), {
      cause: { message: 'connect ECONNREFUSED 127.0.0.1:9' },
    }),
  });
  const away = () => Promise.reject(refused);
  const transport = altered(agentTransport, { open: away, openAll: away });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const ended = new AbortController();
  const asked = ask(connect({ transport, session: SESSION, timing: HURRY })).finally(() =>
    ended.abort(),
  );
  while (!ended.signal.aborted) {
    await vi.advanceTimersByTimeAsync(1_000);
    // A stream delivers its lines between two steps of the clock.
    await new Promise(setImmediate);
  }
  expect(await asked).toBe(SENTENCE);
});

function overStdio(holdpoint: Holdpoint, params: object): Promise<string> {
  return callOverStdio(
    (streams) => serveTools(holdpoint, { streams, warn: () => undefined }),
    params,
  );
}
