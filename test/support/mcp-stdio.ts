/** One call of a tool over stdin and stdout, by the wire and without a client library. */
import { PassThrough } from 'node:stream';
import type { Message } from './mcp-wire.ts';

export interface ToolStreams {
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
}

/** The text of the result. */
export async function callOverStdio(
  serve: (streams: ToolStreams) => { close(): Promise<void> },
  params: object,
): Promise<string> {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough() };
  const serving = serve(streams);
  const replied = new Promise<Message>((resolve) => {
    streams.stdout.on('data', (chunk: Buffer) => {
      const message = JSON.parse(chunk.toString()) as Message;
      if (message.id === 2) resolve(message);
    });
  });
  const write = (message: object) =>
    streams.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'test', version: '1' };
  write({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  });
  write({ method: 'notifications/initialized' });
  write({ id: 2, method: 'tools/call', params });
  const { result } = await replied;
  await serving.close();
  return result?.content?.[0]?.text ?? '';
}
