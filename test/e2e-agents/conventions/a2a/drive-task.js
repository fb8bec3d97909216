/** A client of A2A that begins a task, or goes on with one, and follows it to its end. */
import { SendMessageRequest, TaskState } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { setTimeout as sleep } from 'node:timers/promises';

const OVER = [
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
];

export async function driveTask(url, text, { taskId, keep } = {}) {
  const client = await new ClientFactory().createFromUrl(url);
  const ids = taskId === undefined ? {} : { taskId };
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...ids };
  let task = await client.sendMessage(SendMessageRequest.fromJSON({ message }));
  keep?.(task.id);
  while (!OVER.includes(task.status.state)) {
    await sleep(100);
    task = await client.getTask({ tenant: '', id: task.id });
  }
  const words = task.status.message?.parts.map(({ content }) => content?.value).join('\n');
  console.log(TaskState[task.status.state], words);
}
