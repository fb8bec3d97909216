/** `holdpoint acp` between an editor and an agent of a few lines, against a server. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { HttpTransport } from '../../src/client/index.ts';
import { emptyFolder, runCli, startCli } from '../support/cli.ts';
import { keyWith } from '../support/http/credentials.ts';
import { ADMIN_KEY, sharedServer } from '../support/http/server.ts';

const server = await sharedServer();
const person = new HttpTransport({ url: server.url, token: ADMIN_KEY });
const env = { HOLDPOINT_URL: server.url, HOLDPOINT_TOKEN: await keyWith('agent') };

/** Asks at the first line of its editor, passes the answer on to the editor, and ends with 7. */
const AGENT = `
import { createInterface } from 'node:readline';
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
const toolCall = { toolCallId: 'call_1', kind: 'execute', rawInput: { command: 'ls' } };
for await (const line of createInterface(process.stdin)) {
  const { id, result } = JSON.parse(line);
  if (result === undefined) {
    const params = { sessionId: 'one', toolCall, options };
    send({ id: 1, method: 'session/request_permission', params });
  } else {
    send({ method: 'session/update', params: result.outcome });
    process.exit(7);
  }
}
`;

function agentFile(): string {
  const file = path.join(emptyFolder(), 'agent.mjs');
  writeFileSync(file, AGENT);
  return file;
}

it('[CLI-1, ADP-1] asks for the agent, passes its lines on, and ends with its code', async () => {
  const stdin = new PassThrough();
  const args = ['acp', '--session', 'editor', '--', process.execPath, agentFile()];
  const running = startCli(args, { env, stdin });
  stdin.write('{"jsonrpc":"2.0","method":"go"}\n');
  const asked = await vi.waitFor(
    async () => {
      const [first] = (await person.snapshot('editor')).open;
      if (first === undefined) throw new Error('Nobody was asked');
      return first;
    },
    { timeout: 30_000, interval: 50 },
  );
  expect(asked.request.input).toEqual({ command: 'ls' });
  await person.answer('editor', asked.interactionId, { choice: 'yes' });
  expect(await running.code).toBe(7);
  expect(running.out()).toBe(
    '{"jsonrpc":"2.0","method":"session/update","params":{"outcome":"selected","optionId":"yes"}}\n',
  );
});

it('[GATE-4] starts no agent without a credential, and explains an agent that does not exist', async () => {
  const missing = await runCli(['acp', '--', process.execPath, agentFile()], {
    env: { HOLDPOINT_URL: server.url.replace('127.0.0.1', 'example.invalid') },
  });
  expect(missing).toMatchObject({ code: 2, out: '' });
  const unknown = await runCli(['acp', '--', 'no-such-agent'], { env });
  expect(unknown).toMatchObject({ code: 2, out: '' });
  expect(unknown.err).toContain('no-such-agent could not be started');
  const nothing = await runCli(['acp', 'agent'], { env });
  expect(nothing).toMatchObject({ code: 2, out: '' });
  expect(nothing.err).toContain('Put the agent after --');
});
