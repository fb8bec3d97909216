/**
 * Webhooks over real sockets: receivers that fail, stall and answer, and messages that are forged.
 *
 * A bug here looks like an approval that a stranger gave, or like a receiver that never learns of a request.
 * The file is long because its tests share one server and its receivers.
 */
import { afterAll, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import type { JsonObject } from '../../src/protocol/json.ts';
import { ask, expectRefused, send } from '../support/http/call.ts';
import { keyWith } from '../support/http/credentials.ts';
import { ADMIN_KEY, startServer } from '../support/http/server.ts';
import {
  type ReceivedWebhook,
  signedHeaders,
  startWebhookReceiver,
  type WebhookHandler,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';
import { inLongRun } from '../support/run-length.ts';
import { until } from '../support/until.ts';

const server = await startServer({ HOLDPOINT_PRIVATE_TOOLS: '1' }, { allowPrivateNetwork: true });
const agent = await keyWith('agent', 'read');
const receivers: WebhookReceiver[] = [];
afterAll(async () => {
  for (const receiver of receivers) await receiver.close();
});

interface TestTarget {
  readonly id: string;
  readonly secret: string;
  readonly key: string;
  readonly receiver: WebhookReceiver;
}

let sessions = 0;
const freshSession = () => `hooked-${(sessions += 1)}-x`;

async function targetFor(
  session: string,
  { handle, audience }: { handle?: WebhookHandler; audience?: string } = {},
): Promise<TestTarget> {
  const receiver = await startWebhookReceiver();
  receivers.push(receiver);
  if (handle !== undefined) receiver.handle = handle;
  const json = {
    type: 'webhook',
    url: receiver.url,
    filter: { sessions: session },
    ...(audience !== undefined && { audience }),
  };
  const made = (await ask(server, { method: 'POST', path: '/v1/targets', json })) as unknown as {
    target: { id: string };
    secret: string;
    key: string;
  };
  return { id: made.target.id, secret: made.secret, key: made.key, receiver };
}

async function createSession(id: string): Promise<void> {
  await ask(server, { method: 'POST', path: '/v1/sessions', json: { id } });
}

let calls = 0;
async function open(session: string, token = agent): Promise<string> {
  const toolCallId = `call-${(calls += 1)}`;
  const json = { kind: 'approval', toolCallId, toolName: 'Bash', input: { command: 'ls' } };
  const path = `/v1/sessions/${session}/interactions`;
  await ask(server, { method: 'POST', path, json, token });
  return `${toolCallId}~1`;
}

async function interaction(session: string, id: string): Promise<JsonObject> {
  const path = `/v1/sessions/${session}/interactions/${id}`;
  const reply = (await ask(server, { method: 'GET', path })) as unknown as {
    interaction: JsonObject;
  };
  return reply.interaction;
}

const webhookFor = ({ receiver }: TestTarget, type: string, id?: string) =>
  until(() =>
    receiver.received.find(
      ({ type: is, data }) =>
        is === type &&
        (id === undefined || (data.interaction as JsonObject | undefined)?.interactionId === id),
    ),
  );

const pathOf = (url: string) => new URL(url).pathname;
const answerPath = (webhook: ReceivedWebhook) => pathOf(webhook.data.answer?.url ?? '');

const answerTo = ({ data }: ReceivedWebhook) => ({
  answer: { decision: 'approve' },
  inputDigest: data.answer?.inputDigest ?? '',
});

it('[OUT-1] a session from beginning to end reaches its receiver, signed and in order', async () => {
  const session = freshSession();
  const target = await targetFor(session);
  await createSession(session);
  const id = await open(session);
  const path = `/v1/sessions/${session}/interactions/${id}/answer`;
  await ask(server, { method: 'POST', path, json: { decision: 'approve' } });
  await ask(server, { method: 'DELETE', path: `/v1/sessions/${session}` });
  await webhookFor(target, 'session.deleted');
  const { received } = target.receiver;
  expect(received.map(({ type }) => type)).toEqual([
    'session.created',
    'interaction.requested',
    'interaction.resolved',
    'session.deleted',
  ]);
  for (const { body, headers } of received) {
    expect(new Webhook(target.secret).verify(body, headers)).toBeDefined();
  }
  const seqs = received.map(({ data }) => data.seq ?? 0);
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
});

it('[OUT-4] a receiver answers in its response, and is named as the one who decided', async () => {
  const session = freshSession();
  const target = await targetFor(session, {
    audience: 'Policy service',
    handle({ type }, response) {
      const answer = { decision: 'deny', reason: 'Not on Fridays' };
      response.end(JSON.stringify(type === 'interaction.requested' ? { answer } : {}));
    },
  });
  await createSession(session);
  const id = await open(session);
  const settled = await until(async () => {
    const record = await interaction(session, id);
    return record.status === 'settled' ? record : undefined;
  });
  expect(settled).toMatchObject({
    outcome: 'denied',
    settledBy: { subject: 'Policy service', via: 'api', credential: target.id },
  });
  const path = `/v1/targets/${target.id}/deliveries`;
  await until(async () => {
    const { deliveries } = (await ask(server, { method: 'GET', path })) as {
      deliveries: JsonObject[];
    };
    const delivery = deliveries.find(({ type }) => type === 'interaction.requested');
    return (delivery?.last as JsonObject | null)?.answer === 'accepted' ? true : undefined;
  });
});

it('[OUT-4] a receiver posts its answer with a signature; a late one is 409 and says who was first', async () => {
  const session = freshSession();
  const target = await targetFor(session, { audience: 'Ops' });
  await createSession(session);
  const id = await open(session);
  const webhook = await webhookFor(target, 'interaction.requested', id);
  const json = {
    answer: { decision: 'approve' },
    inputDigest: webhook.data.answer?.inputDigest ?? '',
  };
  const body = JSON.stringify(json);
  const path = answerPath(webhook);
  const post = (headers: Record<string, string>) =>
    send(server, { method: 'POST', path, token: null, body, headers });
  const headers = signedHeaders(target.secret, body);
  const accepted = await post(headers);
  expect(accepted.status).toBe(200);
  expect(await interaction(session, id)).toMatchObject({
    outcome: 'approved',
    settledBy: { subject: 'Ops', credential: target.id },
  });
  expectRefused(await post(headers), 'message_repeated');
  const again = await post(signedHeaders(target.secret, body));
  expectRefused(again, 'already_settled');
  expect(JSON.parse(again.text).error.details).toMatchObject({ yours: true });
});

it('[OUT-4] a receiver answers with its key, and a rotation gives a new one', async () => {
  const session = freshSession();
  const target = await targetFor(session);
  await createSession(session);
  const id = await open(session);
  const webhook = await webhookFor(target, 'interaction.requested', id);
  const path = answerPath(webhook);
  const json = answerTo(webhook);
  expectRefused(
    await send(server, { method: 'POST', path, token: target.secret, json, headers: JSON_TYPE }),
    'unauthenticated',
  );
  const reply = await send(server, {
    method: 'POST',
    path,
    token: target.key,
    json,
    headers: JSON_TYPE,
  });
  expect(reply.status).toBe(200);
  const rotate = `/v1/targets/${target.id}/rotate`;
  const rotated = await ask(server, { method: 'POST', path: rotate });
  expect(rotated.secret).not.toBe(target.secret);
  expect(rotated.key).not.toBe(target.key);
});
const JSON_TYPE = { 'content-type': 'application/json' };

it('[OUT-4] the digest is checked: an answer to another input changes nothing', async () => {
  const session = freshSession();
  const target = await targetFor(session);
  await createSession(session);
  const id = await open(session);
  const path = answerPath(await webhookFor(target, 'interaction.requested', id));
  const body = JSON.stringify({ answer: { decision: 'approve' }, inputDigest: 'a'.repeat(64) });
  const headers = signedHeaders(target.secret, body);
  expectRefused(
    await send(server, { method: 'POST', path, token: null, body, headers }),
    'input_changed',
  );
  expect((await interaction(session, id)).status).toBe('open');
});

it('[OUT-4] a target may not answer what the credential that made it asked', async () => {
  const session = freshSession();
  const target = await targetFor(session);
  await createSession(session);
  const id = await open(session, ADMIN_KEY);
  const webhook = await webhookFor(target, 'interaction.requested', id);
  const path = answerPath(webhook);
  const body = JSON.stringify(answerTo(webhook));
  const headers = signedHeaders(target.secret, body);
  expectRefused(
    await send(server, { method: 'POST', path, token: null, body, headers }),
    'forbidden',
  );
  expect((await interaction(session, id)).status).toBe('open');
});

it('[OUT-4] a signed answer is good at the address of its own delivery alone', async () => {
  const session = freshSession();
  const target = await targetFor(session);
  await createSession(session);
  const [meant, other] = [await open(session), await open(session)];
  const webhook = await webhookFor(target, 'interaction.requested', meant);
  const path = answerPath(await webhookFor(target, 'interaction.requested', other));
  const post = (json: object) => {
    const body = JSON.stringify(json);
    const headers = signedHeaders(target.secret, body);
    return send(server, { method: 'POST', path, token: null, body, headers });
  };
  expectRefused(await post(answerTo(webhook)), 'input_changed');
  expectRefused(await post({ answer: { decision: 'approve' } }), 'invalid_request');
  expect((await interaction(session, other)).status).toBe('open');
});

/** Every way to send an answer that its receiver did not sign, or did not sign now, for this target, with these bytes. */
it('[OUT-4] accepts no forged message', async () => {
  const session = freshSession();
  const target = await targetFor(session);
  const other = await targetFor(`${session}-other`);
  await createSession(session);
  const first = await open(session);
  const firstWebhook = await webhookFor(target, 'interaction.requested', first);
  const firstPath = answerPath(firstWebhook);
  const id = await open(session);
  const webhook = await webhookFor(target, 'interaction.requested', id);
  const path = answerPath(webhook);
  const body = JSON.stringify(answerTo(webhook));
  const good = signedHeaders(target.secret, body);
  const at = (ms: number) => signedHeaders(target.secret, body, { at: new Date(Date.now() + ms) });
  const signature = good['webhook-signature'] ?? '';
  const firstBody = JSON.stringify(answerTo(firstWebhook));
  const used = signedHeaders(target.secret, firstBody);
  const answered = { method: 'POST', path: firstPath, token: null, body: firstBody, headers: used };
  expect((await send(server, answered)).status).toBe(200);
  const without = (name: string) =>
    Object.fromEntries(Object.entries(good).filter(([header]) => header !== name));
  const flipped = signature.replace(/.(=*)$/, (end) => (end[0] === 'A' ? 'B' : 'A') + end.slice(1));
  const forged: [
    string,
    Record<string, string>,
    { body?: string; path?: string; token?: string }?,
  ][] = [
    ['nothing at all', JSON_TYPE],
    ['no id', without('webhook-id')],
    ['no timestamp', without('webhook-timestamp')],
    ['no signature', without('webhook-signature')],
    ['an empty signature', { ...good, 'webhook-signature': '' }],
    ['the version alone', { ...good, 'webhook-signature': 'v1,' }],
    [
      'a signature of another version',
      { ...good, 'webhook-signature': signature.replace('v1', 'v2') },
    ],
    ['a changed signature', { ...good, 'webhook-signature': flipped }],
    ['the beginning of the signature', { ...good, 'webhook-signature': signature.slice(0, 20) }],
    [
      'the signature twice with a comma',
      { ...good, 'webhook-signature': `${signature}, ${signature}` },
    ],
    ['an id twice', { ...good, 'webhook-id': `${good['webhook-id']}, ${good['webhook-id']}` }],
    ['a timestamp twice', { ...good, 'webhook-timestamp': `${good['webhook-timestamp']}, 1` }],
    ['another id', { ...good, 'webhook-id': 'answer-other' }],
    ['an id with a dot', { ...good, 'webhook-id': `x.${good['webhook-id']}` }],
    [
      'another timestamp',
      { ...good, 'webhook-timestamp': String(Number(good['webhook-timestamp']) + 1) },
    ],
    ['a timestamp with a sign', { ...good, 'webhook-timestamp': `+${good['webhook-timestamp']}` }],
    ['six minutes old', at(-360_000)],
    ['six minutes of the future', at(360_000)],
    ['replayed', used, { body: firstBody, path: firstPath }],
    ['sent again to another delivery', used, { body: firstBody }],
    ['the secret of another target', signedHeaders(other.secret, body)],
    [
      'the address of another target',
      signedHeaders(other.secret, body),
      { path: path.replace(other.id, target.id) },
    ],
    ['the key of another target', JSON_TYPE, { token: other.key }],
    ['the secret as a key', JSON_TYPE, { token: target.secret }],
    ['the administrator', JSON_TYPE, { token: ADMIN_KEY }],
    ['the agent that asked', JSON_TYPE, { token: agent }],
    ['an altered body', good, { body: body.replace('approve', 'deny') }],
    ['a blank more', good, { body: `${body} ` }],
    ["the webhook's own signature", { ...JSON_TYPE, ...pick(webhook.headers) }],
    [
      "the webhook's own text and signature",
      { ...JSON_TYPE, ...pick(webhook.headers) },
      { body: webhook.body },
    ],
    ['another delivery', good, { path: path.replace(/_\d+$/, '_999') }],
    [
      'a key and a wrong signature',
      { ...good, 'webhook-signature': flipped },
      { token: 'whkey_x' },
    ],
  ];
  for (const [name, headers, changes = {}] of forged) {
    const request = { method: 'POST', path, body, headers, token: null, ...changes };
    const reply = await send(server, request);
    expect(reply.status, `${name}: ${reply.text}`).toBeGreaterThanOrEqual(400);
    expect(reply.status, `${name}: ${reply.text}`).toBeLessThan(500);
    expect((await interaction(session, id)).status, name).toBe('open');
  }
  // The unchanged message is accepted, so that none of these failed for another reason.
  const accepted = await send(server, { method: 'POST', path, token: null, body, headers: good });
  expect(accepted.status, accepted.text).toBe(200);
  await server.expectUnharmed();
});

function pick(headers: Record<string, string>): Record<string, string> {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return Object.fromEntries(names.map((name) => [name, headers[name] ?? '']));
}

it('[OUT-4] unknown and deleted targets are 404, and settle nothing', async () => {
  const body = JSON.stringify({ answer: { decision: 'approve' } });
  const post = (path: string, secret = target.secret) =>
    send(server, { method: 'POST', path, token: null, body, headers: signedHeaders(secret, body) });
  const session = freshSession();
  const target = await targetFor(session);
  await createSession(session);
  const id = await open(session);
  const path = answerPath(await webhookFor(target, 'interaction.requested', id));
  expectRefused(await post('/v1/inbound/tgt_never/msg_never_1'), 'not_found');
  await ask(server, {
    method: 'PATCH',
    path: `/v1/targets/${target.id}`,
    json: { enabled: false },
  });
  expectRefused(await post(path), 'forbidden');
  await ask(server, { method: 'DELETE', path: `/v1/targets/${target.id}` });
  expectRefused(await post(path), 'not_found');
  expect((await interaction(session, id)).status).toBe('open');
});

inLongRun(() => {
  it('[OUT-3] a slow receiver delays no other, and no answer', async () => {
    const session = freshSession();
    const slow = await targetFor(session, { handle: () => undefined });
    const quick = await targetFor(session);
    await createSession(session);
    for (let count = 0; count < 20; count += 1) await open(session);
    const before = Date.now();
    const id = await open(session);
    await webhookFor(quick, 'interaction.requested', id);
    const opened = Date.now();
    const path = `/v1/sessions/${session}/interactions/${id}/answer`;
    await ask(server, { method: 'POST', path, json: { decision: 'approve' } });
    const answered = Date.now();
    await webhookFor(quick, 'interaction.resolved', id);
    expect(opened - before).toBeLessThan(3_000);
    expect(answered - opened).toBeLessThan(2_000);
    expect(slow.receiver.received.length).toBeGreaterThan(0);
  });

  it('[OUT-1] receivers that fail, cut the response or redirect get the announcement again', async () => {
    const session = freshSession();
    const faults: WebhookHandler[] = [
      (_webhook, response) => response.writeHead(500).end('no'),
      (_webhook, response) =>
        response.writeHead(200, { 'content-length': '10' }).write('half', () => response.destroy()),
      (_webhook, response) => response.destroy(),
      (_webhook, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ];
    const targets = await Promise.all(
      faults.map((fault) => {
        let count = 0;
        return targetFor(session, {
          handle(webhook, response) {
            count += 1;
            if (count === 1) fault(webhook, response);
            else response.end('ok');
          },
        });
      }),
    );
    await createSession(session);
    for (const { receiver, id } of targets) {
      const [first, second] = await until(() =>
        receiver.received.length < 2 ? undefined : receiver.received,
      );
      expect(second?.id).toBe(first?.id);
      expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
      const path = `/v1/targets/${id}/deliveries`;
      const { deliveries } = await until(async () => {
        const page = (await ask(server, { method: 'GET', path })) as { deliveries: JsonObject[] };
        return page.deliveries[0]?.status === 'delivered' ? page : undefined;
      });
      expect(deliveries).toMatchObject([{ attempts: 2, last: { status: 200, body: 'ok' } }]);
    }
  });
});

it('[OUT-1] the test button says what became of the message', async () => {
  const target = await targetFor(freshSession());
  const path = `/v1/targets/${target.id}/test`;
  expect(await ask(server, { method: 'POST', path })).toMatchObject({
    delivery: { type: 'target.test', status: 'delivered', last: { status: 200, body: 'ok' } },
  });
  target.receiver.handle = (_webhook, response) => response.writeHead(418).end('teapot');
  expect(await ask(server, { method: 'POST', path })).toMatchObject({
    delivery: { status: 'dead', last: { status: 418, body: 'teapot' } },
  });
});

inLongRun(() => {
  it('[OUT-1] a target and what is left to send survive a restart', async () => {
    const session = freshSession();
    let isUp = false;
    const target = await targetFor(session, {
      handle: (_webhook, response) => response.writeHead(isUp ? 200 : 500).end(),
    });
    await createSession(session);
    await until(() => (target.receiver.received.length > 0 ? true : undefined));
    // Before the restart: on a slow machine the second attempt comes before the restart returns, and the third is late.
    isUp = true;
    await server.restart('kill');
    const path = `/v1/targets/${target.id}/deliveries`;
    await until(async () => {
      const page = (await ask(server, { method: 'GET', path })) as { deliveries: JsonObject[] };
      return page.deliveries[0]?.status === 'delivered' ? true : undefined;
    });
  });
});
