/** An agent that speaks ACP with the real SDK: its model is the scripted one, and it asks before each command. */
import { execSync } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { agent, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';

const OPTIONS = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
  { optionId: 'never', name: 'Never allow', kind: 'reject_always' },
];

async function replyOf(input) {
  const response = await fetch(`${process.env.OPENAI_BASE_URL}/responses`, {
    method: 'POST',
    body: JSON.stringify({ input }),
  });
  return (await response.json()).output;
}

async function runTool(client, sessionId, { call_id: toolCallId, name, arguments: text }) {
  const rawInput = JSON.parse(text);
  if (name === 'ask_human') {
    const form = { mode: 'form', sessionId, message: 'Please decide.', ...rawInput };
    const { action, content } = await client.request(methods.client.elicitation.create, form);
    return JSON.stringify({ action, content });
  }
  const toolCall = { toolCallId, title: rawInput.command, kind: 'execute', rawInput };
  const request = { sessionId, toolCall, options: OPTIONS };
  const { outcome, _meta } = await client.request(
    methods.client.session.requestPermission,
    request,
  );
  if (!['allow', 'always'].includes(outcome.optionId)) {
    return `${outcome.outcome} ${outcome.optionId ?? ''} ${_meta?.holdpoint?.message ?? ''}`;
  }
  return execSync(rawInput.command, { encoding: 'utf8' });
}

agent({ name: 'scripted' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentCapabilities: {},
  }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: crypto.randomUUID() }))
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    const input = [{ role: 'user', content: prompt }];
    for (;;) {
      const output = await replyOf(input);
      const calls = output.filter(({ type }) => type === 'function_call');
      if (calls.length === 0) return { stopReason: 'end_turn' };
      for (const call of calls) {
        const result = await runTool(client, sessionId, call);
        input.push(call, { type: 'function_call_output', call_id: call.call_id, output: result });
      }
    }
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
