/** Creates credentials on a running server, as an administrator does. */
import { attempt } from './attempt.ts';

export const TEST_BINDINGS = {
  HOLDPOINT_SECRET: 'test-secret-that-is-long-enough-000000',
  HOLDPOINT_ADMIN_KEY: 'test-admin-key-000000000000000000000000',
  HOLDPOINT_RATE_LIMIT: '0',
};

export async function makeKey(origin: string, name: string, scopes: string[]): Promise<string> {
  return make(origin, '/v1/keys', { name, scopes }, 'secret');
}

export async function makeToken(
  origin: string,
  subject: string,
  scopes: string[],
): Promise<string> {
  return make(origin, '/v1/tokens', { subject, scopes }, 'token');
}

async function make(
  origin: string,
  path: string,
  body: Record<string, string | string[]>,
  part: 'secret' | 'token',
): Promise<string> {
  const token = TEST_BINDINGS.HOLDPOINT_ADMIN_KEY;
  const made = await attempt(origin, { method: 'POST', path, token, body });
  const value = made.type === 'answered' ? made.body[part] : undefined;
  if (value === undefined) throw new Error(`POST ${path}: ${JSON.stringify(made)}`);
  return value;
}
