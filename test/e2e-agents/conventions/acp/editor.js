/**
 * An editor that speaks ACP with the real SDK, and starts its agent through `holdpoint acp`. It would allow everything: a
 * request that reached it would show as an effect that nobody approved.
 */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';

const [prompt, effects, ...command] = process.argv.slice(2);
const [program, ...args] = command;
const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
child.once('exit', (code) => process.exit(code ?? 1));

await client({ name: 'editor' })
  .onRequest(methods.client.session.requestPermission, ({ params: { options } }) => {
    appendFileSync(effects, 'the editor was asked\n');
    return { outcome: { outcome: 'selected', optionId: options[0].optionId } };
  })
  .onNotification(methods.client.session.update, () => {})
  .connectWith(
    ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)),
    async (context) => {
      await context.request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: {},
      });
      const session = { cwd: process.cwd(), mcpServers: [] };
      const { sessionId } = await context.request(methods.agent.session.new, session);
      const text = { sessionId, prompt: [{ type: 'text', text: prompt }] };
      const { stopReason } = await context.request(methods.agent.session.prompt, text);
      console.log(stopReason);
    },
  );
process.exit(0);
