/** `holdpoint mcp`: the tools for an MCP client that starts programs, over stdin and stdout. */
import { Writable } from 'node:stream';
import { type CliAction, readDeciding } from '../cli-command.ts';
import { findAgentIds } from '../agent-shell.ts';
import { EXIT } from '../exit-code.ts';
import { planSession } from '../find-session.ts';
import type { Output } from '../printer.ts';
import { agentAccess, nonEmpty, transportOf } from '../server-access.ts';

export const mcp: CliAction = async (call) => {
  const { args, terminal, err } = call;
  const { env, cwd, stdin } = terminal;
  const transport = transportOf(await agentAccess(call), terminal);
  const { cli } = findAgentIds(env, cwd, args.text('cli-session'));
  const named = args.text('session') ?? nonEmpty(env['HOLDPOINT_SESSION']);
  let found: Promise<string> | undefined;
  const find = async (): Promise<string> => {
    const plan = await planSession(transport, { named, cli, cwd, title: args.text('title') });
    return plan.session ?? (await transport.createSession({ title: plan.title })).id;
  };
  // Loaded here, because the other commands do not need it.
  const { serveToolsOverStdio } = await import('../../integrations/mcp/serve-stdio.ts');
  const ended = new Promise((resolve) => stdin.once('close', resolve));
  const serving = serveToolsOverStdio({
    transport,
    // A server that could not be reached is asked again with the next call.
    session: () => (found ??= find().catch(forget)),
    streams: { stdin, stdout: toStream(terminal.stdout) },
    deciding: readDeciding(args),
    version: '0',
    warn: (message, evidence) => err.print({ text: `${message}: ${String(evidence)}` }),
  });
  const stop = terminal.onInterrupt(() => stdin.destroy());
  await ended;
  stop();
  await serving.close();
  return EXIT.ok;

  function forget(cause: unknown): never {
    found = undefined;
    throw cause;
  }
};

function toStream(output: Output): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      output.write(chunk.toString('utf8'));
      done();
    },
  });
}
