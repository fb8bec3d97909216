/**
 * `holdpoint acp -- AGENT`: an ACP agent whose requests for a person go to Holdpoint, for any editor that starts it.
 *
 * Stdout belongs to the protocol: only lines of the agent are written there.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { connect } from '../../client/agent/connect.ts';
import { AcpProxy } from '../../integrations/acp/index.ts';
import { LineSplitter } from '../../integrations/transcripts/line-splitter.ts';
import type { CliAction } from '../cli-command.ts';
import { CliError, EXIT, type ExitCode, usageError } from '../exit-code.ts';
import { agentAccess, nonEmpty, transportOf } from '../server-access.ts';

/** For an agent that stores its session at the end. */
const AGENT_END_MS = 1_000;

export const acp: CliAction = async (call) => {
  const { args, terminal } = call;
  const [program, ...words] = args.rest;
  if (program === undefined || args.positionals.length > 0) {
    throw usageError('Put the agent after --: holdpoint acp -- claude-agent-acp');
  }
  // Before the agent starts: without a credential nothing of it may run.
  const access = await agentAccess(call);
  const holdpoint = connect({
    transport: transportOf(access, terminal),
    session: args.text('session') ?? nonEmpty(terminal.env['HOLDPOINT_SESSION']),
    title: args.text('title') ?? program,
    onRetry: ({ error }) => call.err.print({ text: error.message, style: 'yellow' }),
  });
  const agent = spawn(program, words, {
    cwd: terminal.cwd,
    env: terminal.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const release = terminal.onInterrupt((signal) => agent.kill(signal));
  const proxy = new AcpProxy(holdpoint, {
    toEditor: (line) => void terminal.stdout.write(`${line}\n`),
    toAgent: (line) => void agent.stdin.write(`${line}\n`),
  });
  // A write to an agent that has ended; its end is reported below.
  agent.stdin.on('error', () => undefined);
  const endAgent = (cause: unknown) => {
    call.err.print({ text: String(cause), style: 'red' });
    agent.kill();
  };
  splitLines(agent.stdout, (line) => proxy.fromAgent(line)).catch(endAgent);
  splitLines(terminal.stdin, (line) => proxy.fromEditor(line)).then(() => {
    // The editor is gone: its questions stay open for the agent that it starts next, and this one must not outlive it.
    holdpoint.transport.close();
    agent.stdin.end();
    setTimeout(() => agent.kill(), AGENT_END_MS).unref();
  }, endAgent);
  try {
    const [code] = (await once(agent, 'close')) as [number | null];
    return (code ?? EXIT.refused) as ExitCode;
  } catch (cause) {
    const { message } = cause as Error;
    throw new CliError(`${program} could not be started: ${message}`, EXIT.usage, 'usage');
  } finally {
    release();
    holdpoint.transport.close();
  }
};

/** Takes each line as it arrives. Resolves at the end of the stream; what follows the last line feed is a line too. */
async function splitLines(stream: Readable, take: (line: string) => void): Promise<void> {
  const splitter = new LineSplitter();
  stream.setEncoding('utf8');
  for await (const chunk of stream as AsyncIterable<string>) {
    for (const { text } of splitter.push(chunk)) take(checkLine(text));
  }
  const rest = checkLine(splitter.unfinished.text);
  if (rest !== '') take(rest);
}

function checkLine(line: string | undefined): string {
  if (line === undefined) throw new Error('A line of the protocol is over 64 MiB');
  return line;
}
