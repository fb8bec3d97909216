/** The two official clients behind one interface: the SDK of the revisions up to 2025-11-25, and that of 2026-07-28. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JsonObject } from '../../src/protocol/json.ts';
import type { Era, ToolReply } from '../support/mcp-wire.ts';
import { PINS } from './packages.ts';

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: () => void;
}

export interface McpClient {
  /** Until the result as a model receives it: the new client joins the rounds by itself. */
  call(tool: string, args: JsonObject, options?: CallOptions): Promise<ToolReply>;
  close(): Promise<void>;
}

interface ConnectOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
}

export interface ClientKind {
  readonly era: Era;
  readonly title: string;
  connect(options: ConnectOptions): Promise<McpClient>;
}

/** What both packages have, as it is called here. */
interface PackageClient {
  connect(transport: object): Promise<void>;
  callTool(...args: readonly unknown[]): Promise<ToolReply>;
  close(): Promise<void>;
}
interface ClientPackage {
  readonly Client: new (info: object, options: object) => PackageClient;
}
interface TransportPackage {
  readonly StreamableHTTPClientTransport: new (url: URL, options: object) => object;
}

const INFO = { name: 'holdpoint-e2e', version: '1' };

export async function loadClients(folder: string): Promise<readonly ClientKind[]> {
  const load = async <Package>(file: string): Promise<Package> =>
    (await import(
      pathToFileURL(path.join(folder, 'node_modules/@modelcontextprotocol', file)).href
    )) as Package;
  const modern = await load<ClientPackage & TransportPackage>('client/dist/index.mjs');
  const legacy = await load<ClientPackage>('sdk/dist/esm/client/index.js');
  const legacyTransport = await load<TransportPackage>('sdk/dist/esm/client/streamableHttp.js');
  return [
    {
      era: 'legacy',
      title: `sdk ${PINS['@modelcontextprotocol/sdk']}, 2025-11-25`,
      async connect(options) {
        const client = new legacy.Client(INFO, {});
        await client.connect(transportOf(legacyTransport, options));
        return {
          call: (name, args, how = {}) =>
            client.callTool({ name, arguments: args }, undefined, { ...how }),
          close: () => client.close(),
        };
      },
    },
    {
      era: 'legacy',
      title: `client ${PINS['@modelcontextprotocol/client']} as it comes, 2025-11-25`,
      connect: (options) => connectModern(modern, options, {}),
    },
    {
      era: 'modern',
      title: `client ${PINS['@modelcontextprotocol/client']} with \`mode: 'auto'\`, 2026-07-28`,
      connect: (options) =>
        connectModern(modern, options, { versionNegotiation: { mode: 'auto' } }),
    },
  ];
}

async function connectModern(
  modern: ClientPackage & TransportPackage,
  options: ConnectOptions,
  settings: object,
): Promise<McpClient> {
  const client = new modern.Client(INFO, settings);
  await client.connect(transportOf(modern, options));
  return {
    call: (name, args, how = {}) => client.callTool({ name, arguments: args }, { ...how }),
    close: () => client.close(),
  };
}

function transportOf(from: TransportPackage, { url, headers, fetch }: ConnectOptions): object {
  return new from.StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers },
    fetch,
  });
}
