/**
 * The accepted bodies: unencoded JSON in UTF-8, under the media types that clients send.
 *
 * A bug here looks like "not UTF-8" for a compressed body, a form that is refused as broken JSON, or a refusal of
 * JSON from curl, which labels every body as a form.
 */
import { expect, it } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { ErrorBody } from '../../src/protocol/schema/rejection.ts';
import { fakePorts, GOOD } from '../support/http/fake-ports.ts';
import { requestTo } from '../support/http/request-to.ts';

async function send(headers: Record<string, string>, body: RequestInit['body'] = '{"text":"a"}') {
  const ports = fakePorts();
  const response = await createApp(ports).fetch(
    requestTo('/v1/sessions/one/messages', {
      method: 'POST',
      headers: { ...GOOD, ...headers },
      ...(body !== undefined && { body }),
    }),
  );
  const { error } = ErrorBody.parse(await response.json());
  return { status: response.status, error, asked: ports.asked };
}

it.each([
  'application/json',
  'Application/JSON; Charset="UTF-8"',
  'application/vnd.example+json;charset=utf-8',
  'application/problem+json',
  'text/json',
  'text/plain;charset=UTF-8',
  'application/x-www-form-urlencoded',
  'application/json; charset=us-ascii',
  '',
])('[LIM-1] reads JSON that is sent as %j', async (type) => {
  expect((await send({ 'Content-Type': type })).asked).toHaveLength(1);
});

it('[LIM-1] reads JSON whose encoding is `identity`', async () => {
  expect((await send({ 'Content-Encoding': 'identity' })).asked).toHaveLength(1);
});

it.each([
  ['application/xml', 'application/json'],
  ['multipart/form-data; boundary=x', 'application/json'],
  ['text/html', 'application/json'],
  ['application/octet-stream', 'application/json'],
  ['application/json, text/plain', 'application/json'],
  ['json', 'application/json'],
  ['application/json; charset=utf-16', 'UTF-8'],
  ['application/json; charset=latin1', 'UTF-8'],
  ['text/plain; charset=utf-16le', 'UTF-8'],
  [`text/${'x'.repeat(500)}`, 'application/json'],
])('[LIM-1] refuses %j, and says what to send', async (type, advice) => {
  const { status, error, asked } = await send({ 'Content-Type': type });
  expect([status, error.code]).toEqual([415, 'unsupported_media_type']);
  expect(error.message).toContain(advice);
  expect(error.message.length).toBeLessThan(200);
  expect(asked).toEqual([]);
});

it.each(['gzip', 'br', 'deflate, gzip', 'aes128gcm'])(
  '[LIM-1] refuses a body encoded as %s without reading it',
  async (encoding) => {
    const { status, error } = await send({ 'Content-Encoding': encoding }, '\u001f\u008b');
    expect([status, error.code]).toEqual([415, 'unsupported_media_type']);
    expect(error.message).toContain(encoding);
  },
);

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

it('[LIM-1] distinguishes a form from JSON that curl labels as a form', async () => {
  const form = await send(FORM, 'text=a&more=1');
  expect([form.status, form.error.code]).toEqual([415, 'unsupported_media_type']);
  expect(form.error.message).toContain('"Content-Type: application/json"');
  for (const broken of ['{"text":', '[1,', '"text', '']) {
    expect((await send(FORM, broken)).error.code).toBe('invalid_json');
  }
});
