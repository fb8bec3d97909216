/**
 * The request to an HTTP tool, and the signature that proves its sender.
 *
 * A bug here looks like a receiver that refuses every call, or a receiver that accepts calls of another
 * sender.
 */
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { httpTools } from '../../../src/platform/http-tools/http-tools.ts';
import { toolSigningSecret } from '../../../src/platform/http-tools/tool-signature.ts';
import { type ReceivedCall, startToolReceiver } from '../../support/tool-receiver.ts';
import { CALL, type Circumstances, SECRET, callReceiver } from './calls.ts';

async function received(circumstances: Circumstances = {}): Promise<ReceivedCall> {
  const { receiver } = await callReceiver((response) => response.end('ok'), circumstances);
  const [only, ...more] = receiver.received;
  if (only === undefined || more.length > 0) throw new Error('Not exactly one request came');
  return only;
}

async function webhook(workspace = CALL.workspace): Promise<Webhook> {
  return new Webhook(await toolSigningSecret(SECRET, workspace));
}

describe('[RUN-8] the request of a call', () => {
  it('names the call and its turn', async () => {
    const { path, method, headers, body } = await received();
    expect([method, path]).toEqual(['POST', '/run']);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': 'toolu_01',
      'webhook-id': 'toolu_01',
    });
    expect(JSON.parse(body)).toEqual({
      tool: 'deploy',
      input: CALL.input,
      sessionId: 'session-1',
      turnId: 'turn-1',
      toolCallId: 'toolu_01',
      isRepeat: false,
    });
  });

  it('carries a signature that a library of Standard Webhooks accepts', async () => {
    const { headers, body } = await received();
    expect((await webhook()).verify(body, headers)).toEqual(JSON.parse(body));
  });

  it('is refused after a change of one letter, of its time or of its id', async () => {
    const { headers, body } = await received();
    const checker = await webhook();
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(() => checker.verify(body.replace('1.2', '1.3'), headers)).toThrow();
    expect(() => checker.verify(body, { ...headers, 'webhook-timestamp': later })).toThrow();
    expect(() => checker.verify(body, { ...headers, 'webhook-id': 'toolu_02' })).toThrow();
  });

  it('is valid for one workspace alone', async () => {
    const { headers, body } = await received({ call: { workspace: 'other' } });
    expect((await webhook('other')).verify(body, headers)).toBeDefined();
    await expect(webhook().then((checker) => checker.verify(body, headers))).rejects.toThrow();
  });

  it('is signed for its own workspace when those of others are between', async () => {
    const receiver = await startToolReceiver((response) => response.end('ok'));
    const tools = httpTools({
      signingSecret: SECRET,
      fetch: (url, init) => fetch(url, init),
      now: Date.now,
      allowPrivate: true,
    });
    const workspaces = ['main', 'main', 'other', 'main'];
    for (const workspace of workspaces) {
      await tools.call({ ...CALL, workspace, url: receiver.url }, new AbortController().signal);
    }
    expect(receiver.received).toHaveLength(workspaces.length);
    for (const [index, { headers, body }] of receiver.received.entries()) {
      const checker = await webhook(workspaces[index]);
      expect(checker.verify(body, headers)).toBeDefined();
    }
  });

  it('is, when sent again, the same call at a later time, and marked as a repeat', async () => {
    const at = (now: number, isRepeat: boolean) =>
      received({ call: { isRepeat }, options: { now: () => now } });
    const first = await at(1_800_000_000_999, false);
    const second = await at(1_800_000_060_000, true);
    expect(second.headers['idempotency-key']).toBe(first.headers['idempotency-key']);
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(first.headers['webhook-timestamp']).toBe('1800000000');
    expect(second.headers['webhook-timestamp']).toBe('1800000060');
    expect(JSON.parse(second.body)).toEqual({ ...JSON.parse(first.body), isRepeat: true });
  });

  it('holds no secret', async () => {
    const { headers, body } = await received();
    const sent = JSON.stringify([headers, body]);
    const derived = (await toolSigningSecret(SECRET, CALL.workspace)).slice('whsec_'.length);
    expect(sent).not.toContain(SECRET);
    expect(sent).not.toContain(derived);
  });
});

describe('[RUN-8] the secret of a receiver', () => {
  it('is derived as documented, in every version: receivers store it', async () => {
    const expected = createHmac('sha256', SECRET).update('holdpoint http tools\nmain');
    expect(await toolSigningSecret(SECRET, 'main')).toBe(`whsec_${expected.digest('base64')}`);
  });

  it('signs as Standard Webhooks specifies', async () => {
    const { headers, body } = await received({ options: { now: () => 1_800_000_000_000 } });
    const key = Buffer.from((await toolSigningSecret(SECRET, 'main')).slice(6), 'base64');
    const signed = createHmac('sha256', key).update(`toolu_01.1800000000.${body}`);
    expect(headers['webhook-signature']).toBe(`v1,${signed.digest('base64')}`);
  });
});
