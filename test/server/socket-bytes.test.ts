/**
 * Text frames whose bytes are not UTF-8, over a real socket. The runtime replaces such bytes, so a bug here is an
 * approval of input that no agent sent.
 */
import { expect, it } from 'vitest';
import { ask } from '../support/http/call.ts';
import { ADMIN_KEY, sharedServer } from '../support/http/server.ts';
import { openSocket } from '../support/http/web-socket.ts';

const server = await sharedServer();
const at = '/v1/sessions/bytes';
await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: 'bytes' } });
const socket = await openSocket(server, { session: 'bytes', token: ADMIN_KEY, after: 1 });

const head = async () => (await ask(server, { method: 'GET', path: at })).head;

function openFrame(id: string, command: Buffer): Buffer {
  const call = `"kind":"approval","toolCallId":"${id}","toolName":"Bash"`;
  const start = `{"type":"open","id":"${id}",${call},"input":{"command":"rm `;
  return Buffer.concat([Buffer.from(start), command, Buffer.from('"}}')]);
}

const BROKEN: readonly [string, number[]][] = [
  ['a byte that occurs in no text', [0xff]],
  ['a byte that goes on with nothing', [0x80]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['an overlong slash in three', [0xe0, 0x80, 0xaf]],
  ['an overlong slash in four', [0xf0, 0x80, 0x80, 0xaf]],
  ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
  ['a surrogate pair in six', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
  ['a character beyond the last', [0xf4, 0x90, 0x80, 0x80]],
  ['five bytes for one', [0xf8, 0x88, 0x80, 0x80, 0x80]],
  ['two bytes of three', [0xe2, 0x82]],
  ['three bytes of four', [0xf0, 0x9f, 0x98]],
  ['Latin-1', [0xe9]],
];

it.each(BROKEN)('[WS-2, INT-12] %s in a frame opens nothing', async (what, bytes) => {
  const before = await head();
  const id = `f-${what.replaceAll(/[^a-zA-Z0-9]/g, '-')}`;
  socket.sendBytes(openFrame(id, Buffer.from([...bytes, 0x20, 0x61])));
  const result = await socket.until((frame) => frame.id === id);
  expect(result).toMatchObject({ type: 'result', ok: false, error: { code: 'invalid_json' } });
  expect(await head()).toBe(before);
});

it('[WS-2, INT-12] accepts the replacement character when it is escaped', async () => {
  socket.sendBytes(openFrame('unescaped', Buffer.from('\ufffd')));
  const refused = await socket.until((frame) => frame.id === 'unescaped');
  expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_json' } });
  socket.sendBytes(openFrame('escaped', Buffer.from('\\ufffd 😀')));
  const reply = await socket.until((frame) => frame.id === 'escaped');
  const request = { input: { command: 'rm \ufffd 😀' } };
  expect(reply).toMatchObject({ ok: true, value: { interaction: { request } } });
});

it('[LIM-4] is unharmed by all of it', async () => {
  socket.close();
  await server.expectUnharmed();
});
