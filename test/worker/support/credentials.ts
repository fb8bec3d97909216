/** Keys and tokens for tests, each made the way a client would, but for the first key of a workspace. */
import { env } from 'cloudflare:test';
import { HmacCredentials } from '../../../src/platform/hmac-credentials.ts';
import { type Reply, call, must } from './api.ts';
import type { TestSession } from './session.ts';

export interface Minted {
  readonly token: string;
  readonly id: string;
  readonly expiresAt: number;
}

interface Wanted {
  readonly subject?: string;
  readonly ttlSeconds?: number;
}

export async function createKey(scopes: readonly string[], name = 'A key') {
  const { key, secret } = await must('POST', '/v1/keys', { body: { name, scopes } });
  if (key === undefined || secret === undefined) throw new Error('No key');
  return { id: key.id, token: secret };
}

/** No route makes the first key of another workspace. */
export function keyOfWorkspace(workspace: string): Promise<string> {
  const { HOLDPOINT_SECRET: signing, HOLDPOINT_ADMIN_KEY: admin } = env;
  return new HmacCredentials({ signing, admin }, Date.now).sign({
    kind: 'key',
    id: `key_of_${workspace}`,
    workspace,
    subject: 'tester',
    scopes: ['admin'],
    expiresAt: null,
    mintedBy: [],
  });
}

/** With whichever credential; for one session when it is given. */
export function mint(
  token: string | undefined,
  scopes: readonly string[],
  { session, ...wanted }: Wanted & { readonly session?: TestSession } = {},
): Promise<Reply> {
  const path = session === undefined ? '/v1/tokens' : `${session.path}/tokens`;
  return call('POST', path, {
    body: { scopes, ...wanted },
    ...(token !== undefined && { token }),
  });
}

export async function minted(...wanted: Parameters<typeof mint>): Promise<Minted> {
  const { status, text, body } = await mint(...wanted);
  const { token, id, expiresAt } = body;
  if (token === undefined || id === undefined || expiresAt === undefined) {
    throw new Error(`No token: ${status} ${text}`);
  }
  return { token, id, expiresAt };
}
