/**
 * Canaries: unique secrets, searched for in everything that the service sends, prints or stores.
 *
 * A bug here looks like a token in a log line, an error that repeats its request, or a readable key on the disk of the
 * operator.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { API_ROUTES } from '../../src/http/routes/index.ts';
import { type Ask, ask, send } from '../support/http/call.ts';
import { withAlteredSignature } from '../support/http/credentials.ts';
import { readVisibleState, openSampleSession } from '../support/http/sample-session.ts';
import { rawRequest, sendRaw } from '../support/http/raw.ts';
import { ADMIN_KEY, SECRET, startServer } from '../support/http/server.ts';
import { openSocket } from '../support/http/web-socket.ts';

const server = await startServer();
const sample = await openSampleSession(server);
const at = `/v1/sessions/${sample.session}`;

async function mint(route: string, body: JsonObject): Promise<{ id: string; secret: string }> {
  const minted = await ask(server, { method: 'POST', path: route, json: body });
  const { key, secret, id, token } = minted as {
    key?: { id: string };
    secret?: string;
    id?: string;
    token?: string;
  };
  return { id: key?.id ?? id ?? '', secret: secret ?? token ?? '' };
}

const all = ['read', 'answer', 'send', 'agent', 'admin'];
const key = await mint('/v1/keys', { name: 'canary', scopes: all });
const person = await mint('/v1/tokens', { scopes: ['read', 'answer', 'send'] });
const inSession = await mint(`${at}/tokens`, { scopes: ['read', 'agent'] });
const revoked = await mint('/v1/keys', { name: 'gone', scopes: all });
await ask(server, { method: 'DELETE', path: `/v1/keys/${revoked.id}` });
const TOKENS = [key, person, inSession, revoked].map(({ secret }) => secret);

/** The whole secrets, and the parts that suffice alone or identify their source. */
const CANARIES = [
  SECRET,
  ADMIN_KEY,
  ...TOKENS.flatMap((token) => [token, token.slice(token.indexOf('.') + 1)]),
];

function expectNoCanary(where: string, text: string): void {
  const found = CANARIES.filter((canary) => text.includes(canary));
  expect(found, `in ${where}`).toEqual([]);
}

async function expectNoCanaryIn(request: Ask): Promise<number> {
  const reply = await send(server, request);
  const headers = [...reply.headers].flat().join('\n');
  expectNoCanary(`${request.method} ${request.path.slice(0, 40)}`, reply.text + headers);
  return reply.status;
}

it('[AUTH-1] accepts each created token, so that its absence elsewhere means something', async () => {
  for (const { secret } of [key, person, inSession]) {
    const reply = await send(server, { method: 'GET', path: at, token: secret });
    expect(reply.status).toBe(200);
  }
  expect((await send(server, { method: 'GET', path: at, token: revoked.secret })).status).toBe(401);
});

it('[AUTH-1] repeats no credential in an error, wherever a caller put it', async () => {
  for (const secret of [...TOKENS, ADMIN_KEY, SECRET]) {
    const inUrl = encodeURIComponent(secret);
    const misplaced: Ask[] = [
      { method: 'GET', path: at, token: withAlteredSignature(`hp_x.${secret}`) },
      { method: 'GET', path: at, token: `${secret}${secret}` },
      { method: 'GET', path: at, token: null, headers: { Authorization: `Basic ${secret}` } },
      { method: 'GET', path: at, token: null, headers: { Authorization: secret } },
      { method: 'GET', path: `${at}?token=${inUrl}` },
      { method: 'GET', path: `${at}/events?after=${inUrl}` },
      { method: 'GET', path: `/v1/inbox?after=${inUrl}` },
      { method: 'GET', path: `${at}/interactions?status=settled&before=${inUrl}` },
      { method: 'GET', path: `/v1/sessions/${inUrl}` },
      { method: 'GET', path: `/${inUrl}` },
      { method: 'PUT', path: `/v1/sessions/${inUrl}` },
      { method: 'GET', path: `${at}/interactions/${inUrl}` },
      { method: 'DELETE', path: `/v1/keys/${inUrl}` },
      { method: 'DELETE', path: `/v1/tokens/${inUrl}` },
      { method: 'POST', path: `${at}/clear`, headers: { 'Idempotency-Key': `!${secret}` } },
      { method: 'POST', path: '/v1/tokens', json: { scopes: [secret] } },
      { method: 'POST', path: '/v1/tokens', json: { scopes: ['read'], token: secret } },
      { method: 'POST', path: '/v1/tokens', body: `{"token":"${secret}"` },
      { method: 'POST', path: '/v1/tokens', body: secret },
    ];
    for (const request of misplaced) {
      expect(await expectNoCanaryIn(request)).toBeGreaterThanOrEqual(400);
    }
  }
});

it('[AUTH-1, AUTH-5] shows no credential in anything that can be read', async () => {
  for (const { secret } of [key, person]) {
    await ask(server, {
      method: 'POST',
      path: `${at}/interactions/${sample.open.approval.id}/answer`,
      json: { decision: 'approve' },
      token: secret,
    }).catch(() => undefined);
    const text = { text: '/cancel' };
    await ask(server, { method: 'POST', path: `${at}/messages`, json: text, token: secret });
  }
  const readable = API_ROUTES.filter(({ method }) => method === 'GET')
    .map((route) => route.path.replace(':id', sample.session))
    .map((address) => address.replace(':iid', sample.open.approval.id));
  const pages = [...readable, `${at}/interactions?status=settled`, '/openapi.json', '/docs', '/'];
  for (const page of pages) {
    for (const token of [ADMIN_KEY, key.secret]) {
      expect(await expectNoCanaryIn({ method: 'GET', path: page, token })).toBeLessThan(500);
    }
  }
  const everything = await readVisibleState(server, sample);
  expectNoCanary('everything', JSON.stringify(everything));
});

it('[AUTH-1, WS-1] sends no credential on a socket, not even in its handshake', async () => {
  const sockets = await Promise.all(
    [...TOKENS, ADMIN_KEY].map((token) => openSocket(server, { session: sample.session, token })),
  );
  for (const socket of sockets) {
    await socket.until((frame) => frame.type === 'welcome' || frame.type === 'error');
    expectNoCanary('frames', JSON.stringify(socket.frames));
    expect(socket.subprotocol).toBe('holdpoint.v1');
    socket.close();
  }
});

it('[AUTH-1] prints no credential, not of a broken request and not when it stops', async () => {
  for (const secret of [ADMIN_KEY, key.secret]) {
    for (const text of [
      rawRequest(`GET ${at}`, [`Authorization : Bearer ${secret}`]),
      rawRequest(`GET ${at}`, [`Authorization: Bearer ${secret}\0`]),
      rawRequest(`POST ${at}/clear`, [`Authorization: Bearer ${secret}`, 'Content-Length: -1']),
      rawRequest(
        `POST ${at}/clear`,
        [`Authorization: Bearer ${secret}`, 'Transfer-Encoding: chunked'],
        `zz\r\n${secret}\r\n0\r\n\r\n`,
      ),
    ]) {
      await sendRaw(server.port, text);
    }
  }
  await server.restart('stop');
  await server.restart('kill');
  expect(server.output()).not.toBe('');
  expectNoCanary('the output', server.output());
});

it('[AUTH-1] writes no credential to the disk', () => {
  const files = readdirSync(server.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  expect(files.some((file) => file.endsWith('.sqlite'))).toBe(true);
  const contents = files.map((file) => readFileSync(file, 'latin1'));
  expect(contents.join('')).toContain(key.id);
  for (const [index, content] of contents.entries()) expectNoCanary(files[index] ?? '', content);
});
