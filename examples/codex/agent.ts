import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { connect } from 'holdpoint/client';
import { codexPeople } from 'holdpoint/codex';

const holdpoint = connect({ title: 'Codex' });
const people = codexPeople(holdpoint);
const codex = spawn('codex', ['app-server'], { stdio: ['pipe', 'pipe', 'ignore'] });
const send = (message: object) => codex.stdin.write(`${JSON.stringify(message)}\n`);
const text = process.argv[2] ?? 'Ask me which files to list, and list them.';

const clientInfo = { name: 'holdpoint-example', title: null, version: '1.0.0' };
const capabilities = { experimentalApi: true };
send({ id: 'hello', method: 'initialize', params: { clientInfo, capabilities } });
send({ method: 'initialized' });
const rights = { approvalPolicy: 'untrusted', sandbox: 'workspace-write' };
send({ id: 'thread', method: 'thread/start', params: rights });
for await (const line of createInterface(codex.stdout)) {
  const message = JSON.parse(line);
  void people(message).then((reply) => reply && send(reply));
  if (message.id === 'thread') {
    const input = [{ type: 'text', text, text_elements: [] }];
    const params = { threadId: message.result.thread.id, input };
    send({ id: 'turn', method: 'turn/start', params });
  }
  const item = message.method === 'item/completed' ? message.params.item : undefined;
  if (item?.type === 'agentMessage') console.log(item.text);
  if (message.method === 'turn/completed') break;
}
codex.kill();
await holdpoint.close();
