import { createInterface } from 'node:readline/promises';
import { InProcessHost } from 'holdpoint/in-process';
import { anthropic, demoModel } from 'holdpoint/in-process/anthropic';

const apiKey = process.env['ANTHROPIC_API_KEY'];
const host = new InProcessHost({ model: apiKey ? anthropic({ apiKey }) : demoModel() });
const person = host.transport({ subject: 'mia', scopes: ['read', 'answer', 'send'] });
const { id } = await host.transport().createSession({ agent: {} });

const terminal = createInterface({ input: process.stdin, output: process.stdout });
for await (const event of person.sendMessage(id, 'Please write a short file')) {
  if (event.type === 'text_delta') process.stdout.write(event.text);
  if (event.type === 'approval_required') {
    const reply = await terminal.question(`\n${event.toolName} ${event.input}\nAllow it? [y/n] `);
    if (reply === 'y') await person.approveTool(id, event.toolCallId);
    else await person.denyTool(id, event.toolCallId, 'Not today');
  }
  if (event.type === 'done') console.log(`\nThe turn ended: ${event.reason}`);
}
for (const { path } of await person.files(id)) console.log(`The agent wrote ${path}`);
terminal.close();
host.close();
