/**
 * `fetch` for addresses that others configured, on Node: the name is looked up, and the connection goes to an address
 * that was judged, never to the result of a second lookup. Nothing else of a name can be trusted: who owns it may let it
 * lead to a public address at first and to this machine a moment later.
 *
 * It follows no redirect and keeps no connection. In a Worker the runtime refuses private addresses, and a page has no
 * lookup; there `nodeLookup` finds no Node.
 */
import { isPublicAddress, PrivateAddressError } from '../../core/outgoing-address.ts';
import { IP_LITERAL } from '../../core/outgoing-url.ts';

interface LookedUpAddress {
  readonly address: string;
  readonly family: number;
}

export interface PublicFetchPorts {
  readonly lookup: (host: string) => Promise<readonly LookedUpAddress[]>;
  readonly isPublic: (address: string) => boolean;
  readonly request: (url: string, options: NodeRequestOptions) => NodeRequest;
}

/** Undefined where there is no Node. */
export function nodePorts(): PublicFetchPorts | undefined {
  const { process } = globalThis as { readonly process?: Partial<NodeProcess> };
  if (process?.getBuiltinModule === undefined) return undefined;
  const { lookup } = process.getBuiltinModule('node:dns/promises') as NodeDns;
  const http = process.getBuiltinModule('node:http') as NodeHttp;
  const https = process.getBuiltinModule('node:https') as NodeHttp;
  return {
    lookup: (host) => lookup(host, { all: true }),
    isPublic: isPublicAddress,
    request: (url, options) => (url.startsWith('https:') ? https : http).request(url, options),
  };
}

export function publicFetch({ lookup, isPublic, request }: PublicFetchPorts) {
  const lookupPublic: NodeLookup = (host, { all }, done) => {
    lookup(host).then(
      (found) => {
        const [first] = found;
        // One private address among public ones is refused too: Node tries them all.
        if (first === undefined || !found.every(({ address }) => isPublic(address))) {
          done(new PrivateAddressError());
        } else if (all === true) done(null, found);
        else done(null, first.address, first.family);
      },
      (cause: Error) => done(cause),
    );
  };
  return async (url: string, init: RequestInit): Promise<Response> => {
    const { hostname } = new URL(url);
    // Node looks up names alone.
    if (IP_LITERAL.test(hostname) && !isPublic(hostname.replaceAll(/[[\]]/g, ''))) {
      throw new PrivateAddressError();
    }
    const { method = 'GET', headers, body, signal } = init;
    const message = await new Promise<NodeMessage>((resolve, reject) => {
      const sent = request(url, {
        method,
        headers: { ...Object.fromEntries(new Headers(headers)), 'accept-encoding': 'identity' },
        // A pooled connection was made for another request, perhaps by a program that judges nothing.
        agent: false,
        lookup: lookupPublic,
        ...(signal && { signal }),
      });
      sent.on('response', resolve);
      sent.on('error', reject);
      sent.end(typeof body === 'string' ? body : undefined);
    });
    return responseOf(message);
  };
}

const WITHOUT_BODY = new Set([204, 205, 304]);

function responseOf(message: NodeMessage): Response {
  const { statusCode: status = 0, headersDistinct } = message;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  try {
    if (!WITHOUT_BODY.has(status)) return new Response(streamOf(message), { status, headers });
    message.destroy();
    return new Response(null, { status, headers });
  } catch (cause) {
    // A status that no response may have, such as 999.
    message.destroy();
    throw cause;
  }
}

function streamOf(message: NodeMessage): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = message[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => message.destroy(),
  });
}

/** What is used of Node. The types of a Worker are the ones here, and have none of it. */
interface NodeProcess {
  getBuiltinModule(name: string): unknown;
}

interface NodeDns {
  lookup(host: string, options: { readonly all: true }): Promise<readonly LookedUpAddress[]>;
}

interface NodeHttp {
  request(url: string, options: NodeRequestOptions): NodeRequest;
}

type NodeLookup = (
  host: string,
  options: { readonly all?: boolean },
  done: (
    problem: Error | null,
    address?: string | readonly LookedUpAddress[],
    family?: number,
  ) => void,
) => void;

interface NodeRequestOptions {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: false;
  readonly lookup: NodeLookup;
  readonly signal?: AbortSignal;
}

interface NodeRequest {
  on(event: 'response', listener: (message: NodeMessage) => void): unknown;
  on(event: 'error', listener: (problem: Error) => void): unknown;
  end(body?: string): unknown;
}

interface NodeMessage extends AsyncIterable<Uint8Array<ArrayBuffer>> {
  readonly statusCode?: number;
  readonly headersDistinct: Readonly<Record<string, readonly string[] | undefined>>;
  destroy(): void;
}
