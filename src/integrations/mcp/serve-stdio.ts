/** The tools over stdin and stdout, for a client that starts this process. */
import {
  type StdioServerHandle,
  serveStdio,
  StdioServerTransport,
} from '@modelcontextprotocol/server/stdio';
import type { Readable, Writable } from 'node:stream';
import { Away } from '../../client/agent/away.ts';
import { freshKey } from '../../client/requests/http-calls.ts';
import type { Deciding } from '../../protocol/deciding.ts';
import type { Transport } from '../../client/transport.ts';
import type { ToolHost } from './tool-host.ts';
import { createToolServer, type ServerInfo } from './tool-server.ts';

export interface StdioOptions extends ServerInfo {
  readonly transport: Transport;
  /** Where calls ask that name no session; called with the first one. */
  readonly session: () => Promise<string>;
  /** Default: those of the process. */
  readonly streams?: { readonly stdin: Readable; readonly stdout: Writable };
  /** Of every request. */
  readonly deciding?: Deciding | undefined;
  readonly warn: (message: string, evidence: unknown) => void;
}

export function serveToolsOverStdio({
  transport,
  session,
  streams,
  deciding,
  warn,
  ...info
}: StdioOptions): StdioServerHandle {
  const host: ToolHost = {
    transport,
    session,
    deciding,
    // One client has this connection, and its state ends with it.
    holder: 'stdio',
    stateKey: new TextEncoder().encode(freshKey() + freshKey()),
    away: new Away(),
    warn,
  };
  return serveStdio((context) => createToolServer(context, host, info), {
    ...(streams !== undefined && {
      transport: new StdioServerTransport(streams.stdin, streams.stdout),
    }),
    onerror: (error) => warn('A message could not be served', error),
  });
}
