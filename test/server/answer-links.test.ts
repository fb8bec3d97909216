/**
 * Answer links against the running server: who makes them, who uses them, and what ends them.
 *
 * A bug here looks like an agent that approves itself under another name, a look that answers, a link that outlives its
 * maker, or one that answers something else than it showed.
 */
import { execFileSync } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { AnswerLink } from '../../src/core/answer-links/answer-link.ts';
import { answerLinkKey, writeLinkToken } from '../../src/core/answer-links/link-token.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import type { Scope } from '../../src/protocol/schema/actor.ts';
import { ask, expectRefused, type Reply, send } from '../support/http/call.ts';
import { keyWith, personToken, sessionToken, sign } from '../support/http/credentials.ts';
import { readVisibleState, settledSampleSession } from '../support/http/sample-session.ts';
import { ADMIN_KEY, SECRET, startServer } from '../support/http/server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const server = await startServer({ HOLDPOINT_PRIVATE_TOOLS: '1' }, { allowPrivateNetwork: true });
const agent = await keyWith('agent', 'read');
const mia = await personToken('read', 'answer', 'send');

let count = 0;

interface Asked {
  readonly session: string;
  readonly path: string;
  readonly inputDigest: string;
}

async function asks(more: JsonObject = {}, token = agent): Promise<Asked> {
  count += 1;
  const session = `linked-${count}`;
  await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: session }, token });
  const json = {
    kind: 'approval',
    toolCallId: 'call',
    toolName: 'Bash',
    input: { command: 'ls' },
    ...more,
  };
  const path = `/v1/sessions/${session}/interactions`;
  const { interaction } = await ask(server, { method: 'POST', path, json, token });
  const { interactionId, inputDigest } = interaction as {
    interactionId: string;
    inputDigest: string;
  };
  return { session, path: `${path}/${interactionId}`, inputDigest };
}

async function links({ path }: Asked, json: JsonObject = {}, token = mia): Promise<Reply> {
  return send(server, {
    method: 'POST',
    path: `${path}/links`,
    json: { subject: 'bo', ...json },
    token,
  });
}

/** The path of a link. */
async function linkTo(asked: Asked, json: JsonObject = {}, token = mia): Promise<string> {
  const reply = await links(asked, json, token);
  expect(reply.status, reply.text).toBe(201);
  const { url } = JSON.parse(reply.text) as { url: string };
  expect(url.startsWith(`${server.url}/links/hpl_`)).toBe(true);
  return url.slice(server.url.length);
}

const look = (path: string, method = 'GET') =>
  send(server, { method, path, token: null, headers: { Accept: 'text/html' } });
const giveJson = (path: string, json: JsonObject = { answer: { decision: 'approve' } }) =>
  send(server, { method: 'POST', path, json, token: null });
const giveForm = (path: string, fields: Record<string, string>) =>
  send(server, {
    method: 'POST',
    path,
    token: null,
    body: new URLSearchParams(fields),
    headers: { Accept: 'text/html' },
  });

async function recordOf({ path }: Asked): Promise<JsonObject> {
  const reply = await ask(server, { method: 'GET', path });
  return reply.interaction as JsonObject;
}

it('[LINK-1] is made with the scope answer, never with agent alone, and answers in its subject’s name', async () => {
  const asked = await asks();
  for (const scopes of [['agent'], ['agent', 'read', 'send'], ['read']] as const) {
    expectRefused(
      await links(asked, {}, await keyWith(...(scopes as readonly Scope[]))),
      'forbidden',
    );
  }
  const path = await linkTo(asked, {}, await sign({ id: 'key_maker', scopes: ['answer'] }));
  const reply = await giveJson(path);
  expect(reply.status, reply.text).toBe(200);
  expect(await recordOf(asked)).toMatchObject({
    outcome: 'approved',
    settledBy: { subject: 'bo', via: 'link', credential: 'key_maker', key: 'key_maker' },
  });
});

it('[LINK-1, AUTH-8] lets no agent approve itself under another name', async () => {
  const root = await sign({ id: 'key_both', scopes: ['agent', 'answer'] });
  const line = { scopes: ['answer'] as const, mintedBy: ['key_both'], root: 'key_both' };
  const child = await sign({
    ...line,
    kind: 'person',
    id: 'tok_child',
    expiresAt: Date.now() + 60_000,
  });
  const asked = await asks({}, root);
  for (const token of [root, child]) expectRefused(await links(asked, {}, token), 'forbidden');
  // Also by a link that was made while the setting allowed it.
  const settings = { method: 'PUT', path: '/v1/settings' };
  await ask(server, { ...settings, json: { timeouts: {}, forbidSelfApproval: false } });
  const path = await linkTo(asked, {}, child);
  await ask(server, { ...settings, json: { timeouts: {}, forbidSelfApproval: true } });
  expectRefused(await giveJson(path), 'forbidden');
  const form = { act: 'approve', inputDigest: asked.inputDigest };
  expect((await giveForm(path, form)).status).toBe(403);
  expect((await recordOf(asked)).status).toBe('open');
});

it('[LINK-1] changes nothing for a caller that only looks', async () => {
  const sample = await settledSampleSession(server);
  const open = Object.values(sample.open);
  const before = await readVisibleState(server, sample);
  for (const { id, inputDigest } of open) {
    const path = `/v1/sessions/${sample.session}/interactions/${id}`;
    const link = await linkTo({ session: sample.session, path, inputDigest });
    const seen = await Promise.all(
      ['GET', 'HEAD', 'GET', 'HEAD'].map((method) => look(link, method)),
    );
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(seen[0]?.text).toContain(inputDigest);
    expect(seen[1]?.text).toBe('');
    expect(seen[0]?.headers.get('x-robots-tag')).toContain('noindex');
    const style = /href="(\/assets\/answer-link-[A-Z0-9]+\.css)"/.exec(seen[0]?.text ?? '')?.[1];
    expect((await look(style ?? '')).headers.get('content-type')).toContain('text/css');
  }
  expect(await readVisibleState(server, sample)).toEqual(before);
});

it('[LINK-1] counts a look at a settled request as no delivery', async () => {
  const asked = await asks({}, ADMIN_KEY);
  const path = await linkTo(asked, {}, ADMIN_KEY);
  expect((await giveJson(path)).status).toBe(200);
  expect((await look(path)).text).toContain('by bo by an answer link');
  const token = await keyWith('read');
  const { interaction } = await ask(server, { method: 'GET', path: asked.path, token });
  expect(interaction).not.toHaveProperty('deliveredAt');
});

it('[LINK-1] answers once: a double click succeeds, and the second person sees the first', async () => {
  const asked = await asks();
  const [first, second] = [await linkTo(asked), await linkTo(asked, { subject: 'cy' })];
  const form = { act: 'deny', inputDigest: asked.inputDigest, reason: 'not now' };
  const twice = await Promise.all([giveForm(first, form), giveForm(first, form)]);
  expect(twice.map(({ status }) => status)).toEqual([200, 200]);
  const late = await giveForm(second, { act: 'approve', inputDigest: asked.inputDigest });
  expect(late.status).toBe(409);
  for (const part of ['Denied', 'by bo', 'not now', 'UTC']) expect(late.text).toContain(part);
  expectRefused(await giveJson(second), 'already_settled');
  expect(await recordOf(asked)).toMatchObject({ outcome: 'denied', settledBy: { subject: 'bo' } });
  expectRefused(await links(asked), 'already_settled');
});

it('[LINK-1] answers nothing after a reprompt, and shows the change', async () => {
  const asked = await asks();
  const path = await linkTo(asked);
  const changed = {
    kind: 'approval',
    toolCallId: 'call',
    toolName: 'Bash',
    input: { command: 'rm -rf /' },
  };
  const at = { method: 'POST', path: `/v1/sessions/${asked.session}/interactions`, token: agent };
  await ask(server, { ...at, json: changed });
  expect((await look(path)).text).toContain('added: </span>rm -rf /');
  const sent = await giveForm(path, { act: 'approve', inputDigest: asked.inputDigest });
  expect(sent.status).toBe(409);
  expect(sent.text).toContain('The agent changed its request');
  expectRefused(await giveJson(path), 'already_settled');
  const open = await ask(server, { method: 'GET', path: `/v1/sessions/${asked.session}` });
  expect(open).toMatchObject({ open: [{ interactionId: 'call~2', status: 'open' }] });
});

it('[LINK-1] requires the digest of the input on the page', async () => {
  const asked = await asks();
  const path = await linkTo(asked);
  const other = 'e'.repeat(64);
  expect((await giveForm(path, { act: 'approve', inputDigest: other })).status).toBe(409);
  expect((await giveForm(path, { act: 'approve' })).status).toBe(400);
  const json = { answer: { decision: 'approve' }, inputDigest: other };
  expectRefused(await giveJson(path, json), 'input_changed');
  expect((await recordOf(asked)).status).toBe('open');
});

it('[LINK-1] ends with its time and with its maker', async () => {
  const asked = await asks();
  const key = (await ask(server, {
    method: 'POST',
    path: '/v1/keys',
    json: { name: 'maker', scopes: ['answer'] },
  })) as { key: { id: string }; secret: string };
  const minted = (await ask(server, {
    method: 'POST',
    path: '/v1/tokens',
    json: { scopes: ['answer'], ttlSeconds: 60 },
    token: key.secret,
  })) as { token: string; id: string; expiresAt: number };
  const made = await links(asked, { ttlSeconds: 3_600 }, minted.token);
  expect(JSON.parse(made.text)).toMatchObject({ expiresAt: minted.expiresAt });
  const byKey = await linkTo(asked, {}, key.secret);
  const byToken = await linkTo(asked, {}, minted.token);
  await ask(server, { method: 'DELETE', path: `/v1/tokens/${minted.id}` });
  expect((await look(byToken)).status).toBe(410);
  expect((await look(byKey)).status).toBe(200);
  await ask(server, { method: 'DELETE', path: `/v1/keys/${key.key.id}` });
  expectRefused(await giveJson(byKey), 'link_expired');
  expect((await giveForm(byKey, { act: 'approve', inputDigest: asked.inputDigest })).status).toBe(
    410,
  );
  const brief = await linkTo(asked, { ttlSeconds: 1 });
  await expect.poll(() => look(brief).then(({ status }) => status), { timeout: 60_000 }).toBe(410);
  expectRefused(await giveJson(brief), 'link_expired');
  expect((await recordOf(asked)).status).toBe('open');
});

it('[LINK-1] belongs to one request: no other session, workspace or deployment', async () => {
  const [asked, other] = [await asks(), await asks()];
  const claims: AnswerLink = {
    workspace: 'main',
    sessionId: asked.session,
    interactionId: 'call~1',
    inputDigest: asked.inputDigest,
    subject: 'bo',
    answers: ['approve'],
    expiresAt: Date.now() + 60_000,
    credential: 'key_forged',
    chain: ['key_forged'],
  };
  const forged = answerLinkKey('another secret of a deployment, long enough');
  const own = answerLinkKey(SECRET);
  const token = writeLinkToken(own, claims);
  const unlike: Record<string, string> = {
    'another secret': writeLinkToken(forged, claims),
    'the secret without its purpose': writeLinkToken(new TextEncoder().encode(SECRET), claims),
    'another workspace': writeLinkToken(own, { ...claims, workspace: 'other' }),
    'an unknown session': writeLinkToken(own, { ...claims, sessionId: 'never-was' }),
    'an unknown interaction': writeLinkToken(own, { ...claims, interactionId: 'call~7' }),
    'an altered signature': `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`,
    'its beginning': token.slice(0, 40),
    'a person’s token': mia,
    'the admin key': ADMIN_KEY,
    'a long text': `hpl_${'a'.repeat(9_000)}.${'a'.repeat(43)}`,
  };
  for (const [what, text] of Object.entries(unlike)) {
    const path = `/links/${text}`;
    const replies = [await look(path), await giveJson(path), await look(path, 'HEAD')];
    expect(
      replies.map(({ status }) => status),
      what,
    ).toEqual([404, 404, 404]);
    expect(replies[0]?.text, what).not.toContain('command');
  }
  const swapped = writeLinkToken(own, { ...claims, sessionId: other.session });
  await ask(server, { method: 'DELETE', path: `/v1/sessions/${other.session}` });
  expect((await look(`/links/${swapped}`)).status).toBeGreaterThanOrEqual(404);
  expect((await recordOf(asked)).status).toBe('open');
  // The same claims, signed by this deployment, do answer: the refusals above are not refusals of everything.
  expect((await giveJson(`/links/${token}`)).status).toBe(200);
});

it('[LINK-1] is no credential, and no credential of a session makes a link to another', async () => {
  const [asked, other] = [await asks(), await asks()];
  const path = await linkTo(asked);
  const token = path.slice('/links/'.length);
  expectRefused(await send(server, { method: 'GET', path: asked.path, token }), 'unauthenticated');
  const ofOther = await sessionToken(other.session, 'read', 'answer');
  expectRefused(await links(asked, {}, ofOther), 'not_found');
  const foreign = await sign({ scopes: ['answer'], workspace: 'other' });
  expectRefused(await links(asked, {}, foreign), 'not_found');
});

it('[LINK-1, OUT-4] of a target answers as the target does, and ends with it', async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  const events = ['interaction.requested'];
  const filter = { tools: ['Linked'] };
  const json = { type: 'webhook', url: receiver.url, events, filter, audience: 'Ops' };
  const { target } = (await ask(server, { method: 'POST', path: '/v1/targets', json })) as {
    target: { id: string };
  };
  const linkOf = async (asked: Asked): Promise<string> => {
    const find = () =>
      receiver.received.find(({ data }) => data.sessionId === asked.session)?.data['link'];
    await expect.poll(find, { timeout: 30_000 }).toBeDefined();
    const { url } = z.object({ url: z.string() }).parse(find());
    return url.slice(server.url.length);
  };
  const [first, second, third] = [
    await asks({ toolName: 'Linked' }),
    await asks({ toolName: 'Linked' }),
    await asks({ toolName: 'Linked' }, ADMIN_KEY),
  ];
  const [toFirst, toSecond, toThird] = [
    await linkOf(first),
    await linkOf(second),
    await linkOf(third),
  ];
  expect((await giveJson(toFirst)).status).toBe(200);
  const settledBy = { subject: 'Ops', via: 'link', credential: target.id, key: 'admin' };
  expect(await recordOf(first)).toMatchObject({ settledBy });
  // The administrator's key has made the target, so no answer of the target counts for what that key asks.
  expectRefused(await giveJson(toThird), 'forbidden');
  const change = (changes: JsonObject) =>
    ask(server, { method: 'PATCH', path: `/v1/targets/${target.id}`, json: changes });
  const status = () => look(toSecond).then((reply) => reply.status);
  expect(await status()).toBe(200);
  for (const [changes, wanted] of [
    [{ enabled: false }, 410],
    [{ enabled: true }, 200],
    [{ audience: 'Others' }, 410],
    [{ audience: 'Ops' }, 200],
  ] as const) {
    await change(changes);
    await expect.poll(status, { timeout: 30_000 }).toBe(wanted);
  }
  await ask(server, { method: 'DELETE', path: `/v1/targets/${target.id}` });
  await expect.poll(status, { timeout: 30_000 }).toBe(410);
  expectRefused(await giveJson(toSecond), 'link_expired');
});

it('[LINK-1] gives a rule only where its maker named it, and edits nothing', async () => {
  const asked = await asks({ offers: ['once', 'session'], allowEdit: true });
  const [usual, wide] = [
    await linkTo(asked),
    await linkTo(asked, { answers: ['allow_for_session'] }),
  ];
  const rule = { answer: { decision: 'approve', offer: 'session', everyCommand: true } };
  expectRefused(await giveJson(usual, rule), 'not_offered');
  const edited = { answer: { decision: 'approve', updatedInput: { command: 'rm' } } };
  expectRefused(await giveJson(usual, edited), 'not_offered');
  expectRefused(await giveJson(wide, { answer: { decision: 'deny' } }), 'not_offered');
  expect((await giveJson(wide, rule)).status).toBe(200);
});

it('[LINK-1] refuses a body that is no form of its page', async () => {
  const asked = await asks();
  const path = await linkTo(asked);
  const post = { method: 'POST', path, token: null };
  const html = { Accept: 'text/html' };
  const big = new URLSearchParams({
    act: 'deny',
    inputDigest: asked.inputDigest,
    reason: 'x'.repeat(300_000),
  });
  const tooLarge = await send(server, { ...post, body: big, headers: html });
  expect(tooLarge.status).toBe(413);
  expect(tooLarge.headers.get('content-type')).toContain('text/html');
  const upload = new FormData();
  upload.set('act', 'approve');
  expect((await send(server, { ...post, body: upload, headers: html })).status).toBe(415);
  expect(
    (await giveForm(path, { act: 'approve_all', inputDigest: asked.inputDigest })).status,
  ).toBe(422);
  expect((await recordOf(asked)).status).toBe('open');
});

it.runIf(process.platform === 'linux')(
  '[LINK-2, LOG-8] keeps what was typed when the disk is full, and takes it once there is space',
  async () => {
    const asked = await asks({ input: { command: 'x'.repeat(60_000) } });
    const path = await linkTo(asked);
    const limitFiles = (bytes: string) =>
      execFileSync('prlimit', ['--pid', String(server.pid()), `--fsize=${bytes}:unlimited`]);
    limitFiles('40000');
    const form = { act: 'deny', inputDigest: asked.inputDigest, reason: 'too long for me' };
    const refused = await giveForm(path, form);
    limitFiles('unlimited');
    expect(refused.status).toBe(503);
    expect(refused.headers.get('content-type')).toContain('text/html');
    expect(refused.text).toContain('nothing changed');
    expect(refused.text).toContain('too long for me</textarea>');
    expect((await giveForm(path, form)).status).toBe(200);
    expect(await recordOf(asked)).toMatchObject({ outcome: 'denied', reason: 'too long for me' });
  },
);
