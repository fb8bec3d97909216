/** Calls of HTTP tools with everything that a test does not care about filled in. */
import type { HttpToolCall, ToolOutput } from '../../../src/agent/tools/ports.ts';
import { type HttpToolsOptions, httpTools } from '../../../src/platform/http-tools/http-tools.ts';
import { type Answer, type ToolReceiver, startToolReceiver } from '../../support/tool-receiver.ts';

export const SECRET = 'secret-of-a-deployment-in-a-test';

export const CALL: HttpToolCall = {
  workspace: 'main',
  sessionId: 'session-1',
  turnId: 'turn-1',
  toolCallId: 'toolu_01',
  toolName: 'deploy',
  url: 'https://tools.example.com/run',
  input: { version: '1.2', note: 'Grüße 👩‍💻' },
  timeoutMs: 5_000,
  isRepeat: false,
};

export interface Circumstances {
  readonly call?: Partial<HttpToolCall>;
  readonly options?: Partial<HttpToolsOptions>;
  readonly signal?: AbortSignal;
}

export function callTool({
  call = {},
  options = {},
  signal = new AbortController().signal,
}: Circumstances): Promise<ToolOutput> {
  const tools = httpTools({
    signingSecret: SECRET,
    fetch: (url, init) => fetch(url, init),
    now: () => Date.now(),
    allowPrivate: true,
    ...options,
  });
  return tools.call({ ...CALL, ...call }, signal);
}

export interface Answered {
  readonly output: ToolOutput;
  readonly receiver: ToolReceiver;
}

export async function callReceiver(
  answer: Answer,
  { call, ...rest }: Circumstances = {},
): Promise<Answered> {
  const receiver = await startToolReceiver(answer);
  const output = await callTool({ ...rest, call: { url: receiver.url, ...call } });
  return { output, receiver };
}
