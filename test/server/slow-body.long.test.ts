/**
 * A sender of the real server that stops in the middle of its body: the runtime hands over the refusal, and frees what the
 * body took.
 */
import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { LIMITS } from '../../src/protocol/limits.ts';
import { residentBytes } from '../fuzz/resident-memory.ts';
import { ADMIN_KEY, startServer } from '../support/http/server.ts';

const MIB = 2 ** 20;
const SENT_BYTES = 6 * MIB;
/** The limit itself, and far more for a busy machine. */
const PATIENCE_MS = 600_000;

it(
  '[LIM-6] refuses and forgets eight large bodies that stop in the middle',
  async () => {
    const server = await startServer();
    const before = residentBytes(server.pid()) ?? 0;
    const replies = Array.from({ length: LIMITS.largeBodies }, () => sendHalf(server.port));
    for (const text of await Promise.all(replies)) {
      expect(text).toMatch(/^HTTP\/1\.1 408 /);
      expect(text).toContain('"code":"too_slow"');
    }
    const after = residentBytes(server.pid()) ?? 0;
    expect(after - before).toBeLessThan(2 * LIMITS.largeBodies * SENT_BYTES);
    await server.expectUnharmed();
  },
  PATIENCE_MS,
);

/** The response to a body of which a part never comes. */
async function sendHalf(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', autoSelectFamily: false });
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (data) => (text += data.toString('latin1')));
  const lines = [
    'POST /v1/sessions/none/interactions HTTP/1.1',
    'Host: test',
    `Authorization: Bearer ${ADMIN_KEY}`,
    `Content-Length: ${LIMITS.wholeInputBytes}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  socket.write(Buffer.alloc(SENT_BYTES, 0x20));
  await expect.poll(() => text, { timeout: PATIENCE_MS / 2 }).toContain('too_slow');
  socket.destroy();
  return text;
}
