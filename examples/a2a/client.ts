import { createInterface } from 'node:readline/promises';
import { SendMessageRequest, type Task, TaskState } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';

const { A2A_URL = 'http://127.0.0.1:41241', A2A_TASK } = process.env;
const client = await new ClientFactory().createFromUrl(A2A_URL);
const terminal = createInterface({ input: process.stdin, output: process.stdout });

async function send(part: object, to?: Task): Promise<Task> {
  const ids = to ? { taskId: to.id, contextId: to.contextId } : {};
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [part], ...ids };
  const reply = await client.sendMessage(SendMessageRequest.fromJSON({ message }));
  if (!('status' in reply)) throw new Error('The agent replied without a task');
  return reply;
}

const words = process.argv[2] ?? 'Ask me which files to list, and list them.';
let task = A2A_TASK
  ? await client.getTask({ tenant: '', id: A2A_TASK })
  : await send({ text: words });
while (task.status?.state === TaskState.TASK_STATE_INPUT_REQUIRED) {
  const parts = task.status.message?.parts.map(({ content }) => content) ?? [];
  for (const part of parts) if (part?.$case === 'text') console.log(part.value);
  const asked = parts.find((part) => part?.$case === 'data')?.value.holdpoint;
  const typed = await terminal.question('yes, no, or the answer as JSON: ');
  if (!asked) {
    task = await send({ text: typed }, task);
    continue;
  }
  const plain = { decision: typed === 'yes' ? 'approve' : 'deny' };
  const answer = typed.startsWith('{') ? JSON.parse(typed) : plain;
  const { interactionId, inputDigest } = asked;
  const holdpoint = { interactionId, inputDigest, answer };
  task = await send({ data: { holdpoint } }, task);
}
for (const { content } of task.status?.message?.parts ?? []) console.log(content?.value);
terminal.close();
