/** A mail target against the running server and a provider on this machine that keeps every mail. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import * as z from 'zod';
import { ask, send } from '../support/http/call.ts';
import { keyWith } from '../support/http/credentials.ts';
import { startServer } from '../support/http/server.ts';

const Mail = z.object({
  to: z.array(z.string()),
  subject: z.string(),
  text: z.string(),
  headers: z.record(z.string(), z.string()),
});

const server = await startServer({ HOLDPOINT_PRIVATE_TOOLS: '1' }, { allowPrivateNetwork: true });
const mails: { mail: z.infer<typeof Mail>; authorization: string | undefined; key: unknown }[] = [];
let failures = 1;
const provider = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    failures -= 1;
    if (failures >= 0) return void response.writeHead(429, { 'Retry-After': '1' }).end();
    const mail = Mail.parse(JSON.parse(Buffer.concat(chunks).toString()));
    const { authorization, 'idempotency-key': key } = request.headers;
    mails.push({ mail, authorization, key });
    response.end('{"id": "one"}');
  });
});
provider.listen(0, '127.0.0.1');
await once(provider, 'listening');
afterAll(() => {
  provider.close();
  provider.closeAllConnections();
});
const { port } = provider.address() as AddressInfo;

it('[MAIL-1, LINK-1] sends a request by mail, takes the answer of its link, and says how it ended', async () => {
  const settings = {
    type: 'mail',
    to: ['mia@example.com'],
    from: 'holdpoint@example.org',
    audience: 'mia',
    retire: true,
    provider: { url: `http://127.0.0.1:${port}/send`, authorization: 'Bearer secret-of-mail' },
  };
  const made = await send(server, { method: 'POST', path: '/v1/targets', json: settings });
  expect(made.status, made.text).toBe(201);
  const { target } = z
    .object({ target: z.object({ id: z.string() }) })
    .parse(JSON.parse(made.text));
  const listed = await send(server, { method: 'GET', path: '/v1/targets' });
  for (const { text } of [made, listed]) expect(text).not.toContain('secret-of-mail');

  const token = await keyWith('agent', 'read');
  await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: 'mailed' }, token });
  const path = '/v1/sessions/mailed/interactions';
  const json = {
    kind: 'approval',
    toolCallId: 'call',
    toolName: 'Deploy\r\nBcc: evil@example.com',
    input: { to: 'production' },
  };
  await ask(server, { method: 'POST', path, json, token });
  await expect.poll(() => mails.length, { timeout: 60_000 }).toBe(1);
  const [first] = mails;
  expect(first).toMatchObject({ authorization: 'Bearer secret-of-mail' });
  expect(first?.mail).toMatchObject({
    to: ['mia@example.com'],
    subject: 'Approval: Deploy Bcc: evil@example.com',
  });
  const [link = ''] = /http:\S+\/links\/\S+/.exec(first?.mail.text ?? '') ?? [];
  const page = await fetch(link, { headers: { Accept: 'text/html' } });
  expect(page.status).toBe(200);
  const answered = await fetch(link, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ answer: { decision: 'deny', reason: 'not today' } }),
  });
  expect(answered.status).toBe(200);
  expect(await ask(server, { method: 'GET', path: `${path}/call~1` })).toMatchObject({
    interaction: {
      outcome: 'denied',
      settledBy: { subject: 'mia', via: 'link', credential: target.id },
    },
  });
  await expect.poll(() => mails.length, { timeout: 60_000 }).toBe(2);
  const [, second] = mails;
  expect(second?.mail.subject).toMatch(/^Re: Approval: Deploy/);
  expect(second?.mail.text).toContain('Denied by mia');
  expect(second?.mail.headers['References']).toBe(first?.mail.headers['References']);
  expect(second?.key).not.toBe(first?.key);
  const tested = await ask(server, { method: 'POST', path: `/v1/targets/${target.id}/test` });
  expect(tested).toMatchObject({ delivery: { status: 'delivered', last: { status: 200 } } });
});
