/** [TEAM-8] A way into another workspace ends with the credential that made it, between real objects. */
import { expect, it } from 'vitest';
import { call, freshName, must } from './support/api.ts';
import { createKey } from './support/credentials.ts';
import { createSession } from './support/session.ts';
import { connect } from './support/socket.ts';

it('[TEAM-8, AUTH-7] closes what is open there as soon as the key of main is revoked', async () => {
  const maker = await createKey(['admin']);
  const workspace = freshName('team')
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '');
  const by = { token: maker.token };
  expect((await call('POST', '/v1/workspaces', { ...by, body: { name: workspace } })).status).toBe(
    201,
  );
  const path = `/v1/workspaces/${workspace}/keys`;
  const key = async (expiresAt?: number) => {
    const body = { name: 'olga', scopes: ['admin'], ...(expiresAt !== undefined && { expiresAt }) };
    return (await must('POST', path, { ...by, body })).secret ?? '';
  };
  const [entry, lasting] = [await key(Date.now() + 8 * 3_600_000), await key()];
  const session = await createSession({}, { workspace, token: entry });
  const [guest, resident] = [
    await connect(session, { token: entry }),
    await connect(session, { token: lasting }),
  ];
  await guest.next('welcome');
  await resident.next('welcome');
  expect((await call('DELETE', `/v1/keys/${maker.id}`)).status).toBe(204);
  expect((await guest.closed).code).toBe(4401);
  resident.send('ping');
  while ((await resident.nextText()) !== 'pong');
  resident.close();
});
