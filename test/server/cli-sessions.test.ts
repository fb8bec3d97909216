/**
 * Claims of CLI sessions by credentials that may not see each other. A bug here looks like an agent that takes over the
 * conversation of another one, or like a token that learns the ids of other sessions.
 */
import { expect, it } from 'vitest';
import { ask, send } from '../support/http/call.ts';
import { keyWith, sessionToken, sign } from '../support/http/credentials.ts';
import { cliOf, settledSampleSession } from '../support/http/sample-session.ts';
import { sharedServer } from '../support/http/server.ts';

const server = await sharedServer();
const mine = await settledSampleSession(server);
const foreign = await settledSampleSession(server);
const cli = cliOf(foreign.session);
const lookUp = `/v1/cli-sessions/${cli.provider}/${cli.cliSessionId}`;

function claim(token: string) {
  return send(server, {
    method: 'PUT',
    path: `/v1/sessions/${mine.session}/cli`,
    json: cli,
    token,
  });
}

it('[ALN-5] a key of the workspace learns which session has the CLI session', async () => {
  const refused = await claim(await keyWith('agent'));
  expect(refused.status).toBe(409);
  expect(JSON.parse(refused.text)).toMatchObject({
    error: { code: 'cli_session_taken', details: { session: foreign.session } },
  });
});

it('[ALN-5, AUTH-6] the token of another session does not', async () => {
  const token = await sessionToken(mine.session, 'agent', 'read');
  const refused = await claim(token);
  expect(refused.status).toBe(409);
  expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 'cli_session_taken' } });
  expect(refused.text).not.toContain(foreign.session);
  const found = await send(server, { method: 'GET', path: lookUp, token });
  const unknown = await send(server, { method: 'GET', path: `${lookUp}-unknown`, token });
  expect([found.status, unknown.status]).toEqual([404, 404]);
});

it('[ALN-5] another workspace has CLI sessions of its own', async () => {
  const token = await sign({ scopes: ['agent', 'read'], workspace: 'other' });
  const found = await send(server, { method: 'GET', path: lookUp, token });
  expect(found.status).toBe(404);
});

it('[ALN-1, LIM-1] a page of history may be larger than another body, and no larger than published', async () => {
  const path = `/v1/sessions/${foreign.session}/history`;
  const page = (chars: number) => ({
    ...cli,
    from: 0,
    prefixDigest: '',
    entries: Array.from({ length: 4 }, (_, index) => ({
      id: `line-${index}`,
      at: 1,
      type: 'thinking',
      payload: { text: 'x'.repeat(chars) },
    })),
  });
  const large = await ask(server, { method: 'POST', path, json: page(250_000) });
  expect(large).toMatchObject({ entries: 4, rev: 1 });
  const tooLarge = await send(server, { method: 'POST', path, json: page(262_144) });
  expect(tooLarge).toMatchObject({ status: 413 });
});
