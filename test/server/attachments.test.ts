/**
 * [ATT-1, ATT-3] Files of people over HTTP: sent, named, read, exported, erased and refused.
 *
 * A bug here looks like a page of a stranger that runs in the browser of an approver, a file that another session can read,
 * or half of a file that a model takes for all of it.
 */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { fileNameParameters } from '../../src/http/routes/attachments.ts';
import { ask, expectRefused, type Reply, send } from '../support/http/call.ts';
import { keyWith, sessionToken, sign } from '../support/http/credentials.ts';
import { startRoutes } from '../support/http/local-app.ts';
import { ADMIN_KEY, sharedServer } from '../support/http/server.ts';
import { openSocket } from '../support/http/web-socket.ts';
import { ONE_PIXEL, pngBytes } from '../support/sample-files.ts';
import { inLongRun } from '../support/run-length.ts';

const server = await startRoutes();
const agent = await keyWith('agent');
let sessions = 0;

async function begin(): Promise<string> {
  sessions += 1;
  const id = `files-${sessions}`;
  await ask(server, { method: 'POST', path: '/v1/sessions', json: { id } });
  return `/v1/sessions/${id}`;
}

interface Upload {
  readonly name?: string;
  readonly type?: string;
  readonly token?: string;
  readonly headers?: Record<string, string>;
}

function upload(at: string, body: Uint8Array<ArrayBuffer> | string, how: Upload = {}) {
  const { name = 'file.bin', type, token, headers } = how;
  return send(server, {
    method: 'POST',
    path: `${at}/attachments?name=${encodeURIComponent(name)}`,
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    headers: { ...(type !== undefined && { 'Content-Type': type }), ...headers },
    ...(token !== undefined && { token }),
  });
}

const attachmentOf = ({ text }: Reply) =>
  (JSON.parse(text) as { attachment: JsonObject }).attachment as JsonObject & {
    attachmentId: string;
    path: string;
  };

async function attach(at: string, body: Uint8Array<ArrayBuffer> | string, how?: Upload) {
  const reply = await upload(at, body, how);
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  return attachmentOf(reply);
}

const download = (path: string, token: string = ADMIN_KEY, headers: Record<string, string> = {}) =>
  (server.fetch ?? fetch)(`${server.url}${path}`, {
    headers: { Authorization: `Bearer ${token}`, ...headers },
  });

const PIXEL = new Uint8Array(ONE_PIXEL);

describe('[ATT-1] a file', () => {
  it('is stored with what its bytes and its sender say', async () => {
    const at = await begin();
    expect(await attach(at, PIXEL, { name: 'Bild – 1.png', type: 'text/html' })).toMatchObject({
      attachmentId: expect.stringMatching(/^att_[0-9a-f]{32}$/),
      name: 'Bild – 1.png',
      mediaType: 'image/png',
      bytes: PIXEL.byteLength,
      width: 1,
      height: 1,
    });
    const page = { name: 'a.png', type: 'image/png; charset=utf-8' };
    const lie = await attach(at, '<script>alert(1)</script>', page);
    expect(lie).toMatchObject({ mediaType: 'application/octet-stream' });
    expect(lie).not.toHaveProperty('width');
    expect(await attach(at, '<svg/>', { type: 'image/svg+xml' })).toMatchObject({
      mediaType: 'image/svg+xml',
    });
    for (const type of ['no type', 'a/b/c', `a/${'b'.repeat(80)}`, '']) {
      expect(await attach(at, `for ${type}`, { type })).toMatchObject({
        mediaType: 'application/octet-stream',
      });
    }
  });

  it('that is sent again has the same id, and another name, type or content another one', async () => {
    const at = await begin();
    const first = await attach(at, 'a', { name: 'a', type: 'text/plain' });
    expect(await attach(at, 'a', { name: 'a', type: 'Text/Plain; charset=utf-8' })).toEqual(first);
    const others = [
      await attach(at, 'b', { name: 'a', type: 'text/plain' }),
      await attach(at, 'a', { name: 'b', type: 'text/plain' }),
      await attach(at, 'a', { name: 'a', type: 'text/css' }),
    ];
    const ids = new Set([first, ...others].map(({ attachmentId }) => attachmentId));
    expect(ids.size).toBe(4);
  });

  it.each([
    ['empty', '', {}, 'invalid_request'],
    ['encoded', 'x', { headers: { 'Content-Encoding': 'gzip' } }, 'unsupported_media_type'],
    ['of a name with a folder', 'x', { name: '../x' }, 'invalid_request'],
    ['of a name that turns its text', 'x', { name: 'a\u202Egnp.exe' }, 'invalid_request'],
    ['of a blank name', 'x', { name: ' ' }, 'invalid_request'],
    ['of a long name', 'x', { name: 'x'.repeat(201) }, 'invalid_request'],
  ] as const)('is refused: %s', async (_, body, how, code) => {
    expectRefused(await upload(await begin(), body, how), code);
  });

  it('is refused above 5 MiB with what it may have, and taken at 5 MiB', async () => {
    const at = await begin();
    const large = new Uint8Array(LIMITS.attachmentBytes + 1);
    const refused = await upload(at, large);
    expectRefused(refused, 'too_large');
    expect(JSON.parse(refused.text)).toMatchObject({
      error: { details: { maxBytes: LIMITS.attachmentBytes } },
    });
    const { path } = await attach(at, large.subarray(1).slice());
    const bytes = new Uint8Array(await (await download(path)).arrayBuffer());
    expect(bytes.byteLength).toBe(LIMITS.attachmentBytes);
  });

  it('is refused to those who neither send nor answer, and to other sessions and workspaces', async () => {
    const at = await begin();
    const id = at.split('/').at(-1) ?? '';
    for (const token of [agent, await keyWith('read'), await sessionToken(id, 'read')]) {
      expectRefused(await upload(at, 'x', { token }), 'forbidden');
    }
    const other = (await begin()).split('/').at(-1) ?? '';
    const elsewhere = await sessionToken(other, 'read', 'answer', 'send');
    const stranger = await sign({ scopes: ['admin'], workspace: 'other' });
    for (const token of [elsewhere, stranger]) {
      expectRefused(await upload(at, 'x', { token }), 'not_found');
    }
    expectRefused(await upload('/v1/sessions/never-was', 'x'), 'not_found');
    for (const scope of ['send', 'answer'] as const) {
      expect((await upload(at, 'x', { token: await keyWith(scope) })).status).toBe(201);
    }
  });
});

describe('[ATT-3] a download', () => {
  it.each([
    ['a picture', PIXEL, 'image/png', 'inline', 'image/png'],
    ['a page', '<script>1</script>', 'text/html', 'attachment', 'application/octet-stream'],
    ['a vector image', '<svg/>', 'image/svg+xml', 'attachment', 'application/octet-stream'],
    ['a document', '%PDF-1.7', 'application/pdf', 'attachment', 'application/octet-stream'],
    [
      'a page that calls itself a picture',
      '<b>',
      'image/png',
      'attachment',
      'application/octet-stream',
    ],
    [
      'a script behind the mark of a picture',
      'GIF89a=1;alert(1)',
      'image/gif',
      'inline',
      'image/gif',
    ],
  ])(
    'of %s is byte for byte, and nothing that a browser runs',
    async (_, body, type, how, sent) => {
      const file = await attach(await begin(), body, { name: 'päge "1".html', type });
      const response = await download(file.path);
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': sent,
        'content-disposition': `${how}; filename="p_ge _1_.html"; filename*=UTF-8''p%C3%A4ge%20%221%22.html`,
        'content-security-policy': "sandbox; default-src 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-cache',
        etag: `"${file.attachmentId}"`,
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(Buffer.from(bytes).equals(Buffer.from(body))).toBe(true);
    },
  );

  it('is 304 for a copy, and asks for the right to read it all the same', async () => {
    const at = await begin();
    const { path, attachmentId } = await attach(at, PIXEL);
    const tag = { 'If-None-Match': `W/"x", "${attachmentId}"` };
    const copy = await download(path, ADMIN_KEY, tag);
    expect([copy.status, await copy.text()]).toEqual([304, '']);
    expect((await download(path, await keyWith('send'), tag)).status).toBe(403);
    expect((await download(path, agent, { 'If-None-Match': '"another"' })).status).toBe(200);
  });

  it('is 404 in another session, of another id, and after the session is gone', async () => {
    const at = await begin();
    const { path, attachmentId } = await attach(at, PIXEL);
    const other = await begin();
    const paths = [
      `${other}/attachments/${attachmentId}`,
      `${at}/attachments/att_${'0'.repeat(32)}`,
      `${at}/attachments/..%2f..%2fevents`,
      path.replace(/attachments\/.*/, 'attachments/x'),
    ];
    for (const wrong of paths) expect((await download(wrong)).status).toBe(404);
    await ask(server, { method: 'DELETE', path: at });
    expect((await download(path)).status).toBe(404);
  });

  it.each([
    ['plain.txt', `filename="plain.txt"; filename*=UTF-8''plain.txt`],
    ['a"b\\c%.txt', `filename="a_b_c_.txt"; filename*=UTF-8''a%22b%5Cc%25.txt`],
    ["it's (1)*.txt", `filename="it's (1)*.txt"; filename*=UTF-8''it%27s%20%281%29%2A.txt`],
    ['日本.txt', `filename="__.txt"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.txt`],
  ])('names %s for old and new readers', (name, parameters) => {
    expect(fileNameParameters(name)).toBe(parameters);
  });
});

describe('[ATT-4, ATT-5] a file is named', () => {
  it('by a message over HTTP and in a frame, and is in the export', async () => {
    const at = await begin();
    const file = await attach(at, pngBytes(8, 6), { name: 'a.png' });
    const attachments = [file.attachmentId];
    await ask(server, {
      method: 'POST',
      path: `${at}/messages`,
      json: { text: 'Hi', attachments },
    });
    const exported = await send(server, { method: 'GET', path: `${at}/export` });
    const lines = exported.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonObject);
    expect(lines.at(-3)).toMatchObject({ payload: { text: 'Hi', attachments: [file] } });
    expect(lines.at(-2)).toEqual({
      attachmentId: file.attachmentId,
      part: 0,
      base64: Buffer.from(pngBytes(8, 6)).toString('base64'),
    });
  });

  it('by the answers of a batch and of the inbox', async () => {
    const at = await begin();
    const sessionId = at.split('/').at(-1) ?? '';
    const file = await attach(at, PIXEL);
    const attachments = [file.attachmentId];
    const call = { kind: 'approval', toolName: 'Bash', input: { command: 'ls' } };
    for (const toolCallId of ['one', 'two']) {
      const json = { ...call, toolCallId };
      await ask(server, { method: 'POST', path: `${at}/interactions`, json, token: agent });
    }
    const answer = { decision: 'deny', reason: 'See', attachments };
    const batch = await ask(server, {
      method: 'POST',
      path: `${at}/interactions/decide`,
      json: { decisions: [{ toolCallId: 'one', answer }] },
    });
    expect(batch).toMatchObject({ results: [{ ok: true, interaction: { attachments: [file] } }] });
    const inbox = await ask(server, {
      method: 'POST',
      path: '/v1/inbox/decide',
      json: { decisions: [{ sessionId, interactionId: 'two~1', answer }] },
    });
    expect(inbox).toMatchObject({ results: [{ ok: true, interaction: { attachments: [file] } }] });
    const waited = await ask(server, {
      method: 'GET',
      path: `${at}/interactions/two~1`,
      token: agent,
    });
    expect(waited).toMatchObject({ interaction: { reply: { attachments: [file] } } });
    expect((await download(file.path, agent)).status).toBe(200);
  });

  it('by a text for AG-UI too, which says where it is', async () => {
    const at = await begin();
    const file = await attach(at, PIXEL, { name: 'a.png' });
    const json = { text: 'Look', attachments: [file.attachmentId] };
    await ask(server, { method: 'POST', path: `${at}/messages`, json });
    const { text } = await send(server, { method: 'GET', path: `${at}/agui` });
    expect(text).toContain(`a.png (image/png, 70 B): GET ${file.path}`);
  });
});

describe('on a server', () => {
  inLongRun(() => {
    it('[ATT-1, LIM-4] a body that is cut off or lies about its length leaves nothing', async () => {
      const real = await sharedServer();
      const id = 'files-on-a-server';
      await ask(real, { method: 'POST', path: '/v1/sessions', json: { id } });
      const { port } = new URL(real.url);
      const raw = (length: number, content: string) =>
        new Promise<string>((resolve, reject) => {
          const socket = connect(Number(port), '127.0.0.1', () => {
            socket.write(
              `POST /v1/sessions/${id}/attachments?name=a.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
                `Authorization: Bearer ${ADMIN_KEY}\r\nContent-Length: ${length}\r\n\r\n${content}`,
            );
            if (length > content.length) socket.end();
          });
          let reply = '';
          socket.on('data', (data) => void (reply += String(data)));
          socket.on('close', () => resolve(reply));
          socket.on('error', reject);
        });
      expect(await raw(4, 'four')).toContain(' 201 ');
      const cut = await raw(1_000, 'only this much');
      expect(cut).not.toContain(' 201 ');
      await real.expectUnharmed();
    });
  });

  it('[ATT-3, ATT-4] a frame names a file of several parts, which is read as it was', async () => {
    const real = await sharedServer();
    const id = 'large-file-on-a-server';
    await ask(real, { method: 'POST', path: '/v1/sessions', json: { id } });
    const at = `/v1/sessions/${id}`;
    const content = Uint8Array.from({ length: 900_000 }, (_, index) => (index * 31) % 251);
    const reply = await send(real, {
      method: 'POST',
      path: `${at}/attachments?name=a.bin`,
      body: content,
    });
    const file = attachmentOf(reply);
    const socket = await openSocket(real, { session: id, token: ADMIN_KEY });
    const attachments = [file.attachmentId];
    socket.send({ type: 'message', id: '1', text: 'Look', attachments });
    const result = await socket.until((frame) => frame['type'] === 'result');
    expect(result).toMatchObject({ ok: true });
    const log = await ask(real, { method: 'GET', path: `${at}/events?last=1` });
    expect(log).toMatchObject({ events: [{ payload: { text: 'Look', attachments: [file] } }] });
    socket.send({ type: 'message', id: '2', text: 'Look', attachments: ['att_x'] });
    const refused = await socket.until(
      (frame) => frame['type'] === 'result' && frame['id'] === '2',
    );
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
    socket.close();
    const response = await fetch(`${real.url}${file.path}`, {
      headers: { Authorization: `Bearer ${ADMIN_KEY}` },
    });
    // Without it workerd ends a download that broke off as if it were whole.
    expect(response.headers.get('Content-Length')).toBe('900000');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.equals(Buffer.from(content))).toBe(true);
    await real.expectUnharmed();
  });
});
