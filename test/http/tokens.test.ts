/**
 * Creating a token.
 *
 * A bug here is a valid token that is in no list: an administrator could not find it, and so could not revoke it.
 */
import { expect, it } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import type { Grant } from '../../src/http/ports.ts';
import type { WorkspaceStub } from '../../src/http/stubs.ts';
import { reject } from '../../src/protocol/errors.ts';
import type { NewToken } from '../../src/workspace/store.ts';
import { ANYBODY, fakePorts, GOOD } from '../support/http/fake-ports.ts';
import { requestTo } from '../support/http/request-to.ts';

const WANTED = { scopes: ['read', 'read', 'answer'], subject: 'mia', ttlSeconds: 60 };

async function asks(recordToken: WorkspaceStub['recordToken'], scopes = ANYBODY.caller.scopes) {
  const signed: Grant[] = [];
  const caller = { ...ANYBODY.caller, key: 'key_1', root: 'key_1', scopes };
  const ports = fakePorts({
    workspace: () => ({ recordToken }) as unknown as WorkspaceStub,
    credentials: {
      verify: async () => ({ ...ANYBODY, caller }),
      sign: async (grant) => {
        signed.push(grant);
        return 'hp_token';
      },
    },
  });
  const response = await createApp(ports).fetch(
    requestTo('/v1/tokens', {
      method: 'POST',
      headers: { ...GOOD, 'Content-Type': 'application/json' },
      body: JSON.stringify(WANTED),
    }),
  );
  return { response, signed, text: await response.text() };
}

it('[AUTH-5] records a token with its chain and expiry before it signs the token', async () => {
  const recorded: NewToken[] = [];
  const { response, signed } = await asks(async (token) => {
    recorded.push(token);
    return { ok: true };
  });
  expect(response.status).toBe(201);
  const [token] = recorded;
  expect(token).toEqual({
    id: signed[0]?.id,
    subject: 'mia',
    scopes: ['read', 'answer'],
    session: null,
    expiresAt: signed[0]?.expiresAt,
    maker: 'key_1',
    chain: [signed[0]?.id, 'key_1'],
  });
});

it('[AUTH-5] returns no token that the workspace could not record', async () => {
  const refused = await asks(async () => reject('limit_reached', 'Too many'));
  const broken = await asks(() => Promise.reject(new Error('out of reach')));
  expect([refused.response.status, broken.response.status]).toEqual([429, 500]);
  for (const { text, signed } of [refused, broken]) {
    expect(text).not.toContain('hp_');
    expect(signed).toEqual([]);
  }
});

it.each([
  { scopes: ['admin'] as const, isAdmin: true, isOwnRoot: true },
  { scopes: ['read', 'answer'] as const, isAdmin: false, isOwnRoot: false },
])(
  '[AUTH-8] a token begins a line of its own if an administrator makes it: $isAdmin',
  async (how) => {
    const asAdmin: boolean[] = [];
    const { signed } = await asks(async (_token, _by, isAdmin) => {
      asAdmin.push(isAdmin);
      return { ok: true };
    }, how.scopes);
    expect(asAdmin).toEqual([how.isAdmin]);
    expect(signed[0]?.root).toBe(how.isOwnRoot ? signed[0]?.id : 'key_1');
  },
);
