/** The export of the audit list. A bug here is a file that a person with a login cannot have, while one with a key can. */
import { afterEach, expect, it, vi } from 'vitest';
import { COOKIE } from '../../../src/protocol/credential-headers.ts';
import { serverAdmin } from '../../../src/web/settings/admin/admin-requests.ts';

afterEach(() => vi.restoreAllMocks());

it.each([
  [COOKIE, null, 'web'],
  ['hp_token', 'Bearer hp_token', null],
])('[TEAM-1, TEAM-4] is asked for with the credential %s', async (token, bearer, client) => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('{}\n'));
  const file = await serverAdmin({ token }).exportAudit({ text: 'a b' }, 'jsonl');
  expect(await file.text()).toBe('{}\n');
  const [[address, init] = []] = fetched.mock.calls;
  expect(address).toBe('/v1/audit/export?format=jsonl&text=a+b');
  const headers = new Headers(init?.headers);
  expect(headers.get('Authorization')).toBe(bearer);
  expect(headers.get('X-Holdpoint-Client')).toBe(client);
});
