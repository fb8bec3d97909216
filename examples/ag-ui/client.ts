import { createInterface } from 'node:readline/promises';
import { HttpAgent } from '@ag-ui/client';

const { HOLDPOINT_URL, HOLDPOINT_TOKEN, HOLDPOINT_SESSION: threadId = 'demo' } = process.env;
const agent = new HttpAgent({
  url: `${HOLDPOINT_URL}/v1/sessions/${threadId}/agui`,
  headers: { Authorization: `Bearer ${HOLDPOINT_TOKEN}` },
  threadId,
});
const terminal = createInterface({ input: process.stdin, output: process.stdout });

let { newMessages } = await agent.runAgent();
while (agent.pendingInterrupts.length > 0) {
  const resume = [];
  for (const { id, message, metadata } of agent.pendingInterrupts) {
    console.log(message, JSON.stringify(metadata));
    const words = await terminal.question('yes, no, or the answer as JSON: ');
    const payload = words.startsWith('{') ? JSON.parse(words) : { approved: words === 'yes' };
    resume.push({ interruptId: id, status: 'resolved' as const, payload });
  }
  ({ newMessages } = await agent.runAgent({ resume }));
  for (const { role, content } of newMessages) console.log(`${role}:`, content);
}
terminal.close();
