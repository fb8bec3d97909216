/**
 * An MCP server over stdio with one tool, which asks where to deploy before it does. By hand, because
 * it is a page and a package for it would be many.
 */
import { createInterface } from 'node:readline';

const requestedSchema = {
  type: 'object',
  properties: { env: { type: 'string', enum: ['staging', 'production'] } },
  required: ['env'],
};

/** The call that waits for an answer of the person. */
let waiting;

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const HANDLERS = {
  initialize: ({ id, params }) =>
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'deploys', version: '1.0.0' },
      },
    }),
  'tools/list': ({ id }) =>
    send({
      id,
      result: { tools: [{ name: 'deploy', inputSchema: { type: 'object', properties: {} } }] },
    }),
  'tools/call'({ id }) {
    waiting = id;
    const params = { message: 'Where to?', requestedSchema };
    send({ id: 'elicitation-1', method: 'elicitation/create', params });
  },
  ping: ({ id }) => send({ id, result: {} }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  const handle = HANDLERS[message.method];
  if (handle !== undefined) handle(message);
  else if (message.id === 'elicitation-1') {
    const { action, content } = message.result;
    const text = action === 'accept' ? `Deployed to ${content.env}` : `Not deployed: ${action}`;
    send({ id: waiting, result: { content: [{ type: 'text', text }] } });
  } else if (message.id !== undefined && message.method !== undefined) {
    send({ id: message.id, error: { code: -32601, message: 'Not here' } });
  }
}
