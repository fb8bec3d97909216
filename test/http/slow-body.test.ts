/**
 * [LIM-6] Senders that take their time, with the clock in the hands of the test.
 *
 * A bug here looks like a stranger who fills the memory of the server with bodies that never end, or a slow line whose file
 * is refused although it arrives.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { fakePorts, GOOD } from '../support/http/fake-ports.ts';

const { bodyQuietMs, bodyMs, bodyBytes, smallBodyBytes, smallBodyMs } = LIMITS;
const CREATE = '/v1/sessions';
const OPENING = '/v1/sessions/one/interactions';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A body in pieces, each so long after the one before, which ends only if it is given an end. */
function slowly(pieces: readonly string[], everyMs: number, hasEnd = false) {
  const left = [...pieces];
  let isCancelled = false;
  const body = new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      if (left.length < pieces.length) await new Promise((resolve) => setTimeout(resolve, everyMs));
      if (isCancelled) return;
      const piece = left.shift();
      if (piece !== undefined) return controller.enqueue(new TextEncoder().encode(piece));
      if (!hasEnd) return new Promise(() => undefined);
      controller.close();
      controller.byobRequest?.respond(0);
    },
    cancel: () => void (isCancelled = true),
  });
  return { body, isCancelled: () => isCancelled };
}

async function post(path: string, body: ReadableStream, named: Record<string, string> = {}) {
  const ports = fakePorts();
  const headers = { ...GOOD, ...named };
  const init = { method: 'POST', headers, body, duplex: 'half' as const };
  const request = new Request(`http://hold.example${path}`, init);
  const response = await createApp(ports).fetch(request);
  const { error } = (await response.json()) as { error?: { code: string; details?: object } };
  return { status: response.status, error, ports };
}

it.each([
  ['a command', CREATE, '{"id":'],
  ['an opening', OPENING, 'x'.repeat(bodyBytes + 1)],
  ['a route that takes no body', '/v1/sessions/one/clear', '{'],
])('[LIM-6] gives up %s once nothing more of its body comes', async (_name, path, start) => {
  const sender = slowly([start], 0);
  const replied = vi.fn<() => void>();
  const reply = post(path, sender.body).finally(replied);
  await vi.advanceTimersByTimeAsync(bodyQuietMs);
  expect(replied).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(bodyQuietMs);
  const { status, error, ports } = await reply;
  expect(status).toBe(408);
  expect(error).toMatchObject({ code: 'too_slow', details: { quietSeconds: 30, seconds: 300 } });
  expect(ports.asked).toEqual([]);
  expect(sender.isCancelled()).toBe(true);
});

describe('a small body that names its length', () => {
  const named = { 'Content-Length': String(smallBodyBytes) };
  const text = `{"id":"s"}`.padEnd(smallBodyBytes);
  const halves = [text.slice(0, 10), text.slice(10)];

  it('[LIM-6] is given up after a minute, whatever has come of it', async () => {
    const replied = vi.fn<() => void>();
    const reply = post(CREATE, slowly(halves, smallBodyMs + 1, true).body, named).finally(replied);
    await vi.advanceTimersByTimeAsync(smallBodyMs - 1);
    expect(replied).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    const { status, error, ports } = await reply;
    expect([status, error?.code, error?.details]).toEqual([408, 'too_slow', { seconds: 60 }]);
    expect(ports.asked).toEqual([]);
  });

  it('[LIM-6] is taken within a minute', async () => {
    const reply = post(CREATE, slowly(halves, smallBodyMs * 0.4, true).body, named);
    await vi.advanceTimersByTimeAsync(smallBodyMs);
    const { ports } = await reply;
    expect(ports.asked.map(({ command }) => command.type)).toEqual(['session.create']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('[LIM-6] gives up a body that goes on for ever', async () => {
  const pieces = Array.from({ length: 10_000 }, () => ' ');
  const reply = post(CREATE, slowly(pieces, 1_000).body);
  await vi.advanceTimersByTimeAsync(bodyMs);
  expect((await reply).status).toBe(408);
});

it('[LIM-6] takes a body that arrives slowly, and in time', async () => {
  const pieces = [...'{"id":"s"}'];
  const reply = post(CREATE, slowly(pieces, (bodyMs / pieces.length) * 0.8, true).body);
  await vi.advanceTimersByTimeAsync(bodyMs);
  const { ports } = await reply;
  expect(ports.asked.map(({ command }) => command.type)).toEqual(['session.create']);
});

it('[LIM-5, LIM-6] has room for other large bodies once slow ones are given up', async () => {
  const start = 'x'.repeat(bodyBytes + 1);
  const slow = Array.from({ length: LIMITS.largeBodies }, () =>
    post(OPENING, slowly([start], 0).body),
  );
  await vi.advanceTimersByTimeAsync(1);
  expect((await post(OPENING, slowly([start], 0, true).body)).error?.code).toBe('rate_limited');
  await vi.advanceTimersByTimeAsync(2 * bodyQuietMs);
  for (const reply of slow) expect((await reply).status).toBe(408);
  const next = post(OPENING, slowly([start], 0, true).body);
  await vi.advanceTimersByTimeAsync(1);
  expect((await next).error?.code).toBe('invalid_json');
});
