/** The findings of the fuzzer, each as its smallest case. */
import { expect, it } from 'vitest';
import { CLOSE, encodeFrame } from '../fuzz/frames.ts';
import { playSocketCase } from '../fuzz/socket-play.ts';
import { openSampleSession } from '../support/http/sample-session.ts';
import { ADMIN_KEY, sharedServer } from '../support/http/server.ts';

const server = await sharedServer();
const sample = await openSampleSession(server);
const GIVE_UP_AFTER_MS = 60_000;

/**
 * The server returns a close with the received code. The platform cannot send some codes: returning one of them threw,
 * and the client waited for the end of its connection until it gave up.
 */
it.each([
  [0, '1000'],
  [999, '1000'],
  [1000, '1000'],
  [1004, '1000'],
  [1005, '1000'],
  [1006, '1000'],
  [1015, '1000'],
  [3000, '3000'],
  [4999, '4999'],
  [5000, '1000'],
  [28_784, '1000'],
  [65_535, '1000'],
])('[LIM-4] a socket that is closed with %i closes in return', async (code, returned) => {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  const { end } = await playSocketCase(
    server.port,
    {
      target: `/v1/sessions/${sample.session}/socket`,
      protocols: `holdpoint.v1, holdpoint.token.${ADMIN_KEY}`,
      extensions: undefined,
      steps: [encodeFrame({ opcode: CLOSE, payload })],
    },
    GIVE_UP_AFTER_MS,
  );
  expect(end).toBe(returned);
});

it('[LIM-4] is unharmed by all of it', async () => {
  await server.expectUnharmed();
});
