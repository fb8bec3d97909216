/**
 * Requests to HTTP tools, signed as Standard Webhooks says, and the secret with which a workspace's tools check them.
 *
 * The secret is derived from the secret of the deployment: nothing has to be stored, one workspace cannot sign for
 * another, and the derived secret does not reveal the deployment's. An administrator hands it to the operator of the
 * tool.
 *
 * A repeated request has the id and the body of the first one, `isRepeat` apart, and a time of its own: a receiver that
 * remembers ids runs a call once, and a receiver that checks the time refuses a replayed request.
 */
import type { HttpToolCall } from '../../agent/tools/ports.ts';
import { encodeBase64 } from '../../protocol/base64.ts';

type Bytes = Uint8Array<ArrayBuffer>;
/** Node's types declare the class as a value alone. */
type Key = InstanceType<typeof CryptoKey>;

/** The line break keeps this apart from every text that the deployment's secret signs elsewhere. */
const PURPOSE = 'holdpoint http tools\n';

/** In the form of Standard Webhooks, which their libraries take. */
export async function toolSigningSecret(secret: string, workspace: string): Promise<string> {
  return `whsec_${encodeBase64(await deriveKey(secret, workspace))}`;
}

/** The keys of workspaces. The last one is kept: the calls of a workspace come one after another. */
export class ToolKeys {
  readonly #secret: string;
  #last: { readonly workspace: string; readonly key: Key } | undefined;

  constructor(secret: string) {
    this.#secret = secret;
  }

  async keyOf(workspace: string): Promise<Key> {
    if (this.#last?.workspace === workspace) return this.#last.key;
    const key = await importKey(await deriveKey(this.#secret, workspace));
    this.#last = { workspace, key };
    return key;
  }
}

export interface SignedRequest {
  readonly method: 'POST';
  readonly headers: Record<string, string>;
  readonly body: string;
}

export async function signedRequest(
  call: HttpToolCall,
  key: Key,
  now: number,
): Promise<SignedRequest> {
  const { toolName: tool, input, sessionId, turnId, toolCallId, isRepeat } = call;
  const body = JSON.stringify({ tool, input, sessionId, turnId, toolCallId, isRepeat });
  const seconds = Math.floor(now / 1_000);
  const signature = encodeBase64(await sign(key, `${toolCallId}.${seconds}.${body}`));
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': toolCallId,
      'webhook-id': toolCallId,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${signature}`,
    },
    body,
  };
}

async function deriveKey(secret: string, workspace: string): Promise<Bytes> {
  return sign(await importKey(encodeUtf8(secret)), `${PURPOSE}${workspace}`);
}

/** HMAC with SHA-256 of Web Crypto: the same in a Worker and in Node. */
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

function importKey(bytes: Bytes): Promise<Key> {
  return crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign']);
}

async function sign(key: Key, text: string): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encodeUtf8(text)));
}

function encodeUtf8(text: string): Bytes {
  return new Uint8Array(new TextEncoder().encode(text));
}
