/** The streams of AG-UI over a socket of the test. A bug here looks like a run that never ends, or that ends without a reason. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { createProjectionStream, createRunStream } from '../../../src/http/agui/agui-streams.ts';
import { LogProjection } from '../../../src/http/agui/log-projection.ts';
import { RunFollower } from '../../../src/http/agui/run-follower.ts';
import { listOpenInteractions, viewSession } from '../../../src/core/state.ts';
import { answer, askApproval } from '../../support/asks.ts';
import { worldAfter } from '../../support/core-world.ts';

const RUN = { threadId: 'session-1', runId: 'run-a' };

function fakeSocket() {
  let receive = (_text: string): void => undefined;
  let end = (): void => undefined;
  let isClosed = false;
  return {
    listen: (received: typeof receive, ended: typeof end) => {
      receive = received;
      end = ended;
    },
    close: () => void (isClosed = true),
    send: (frame: object) => receive(JSON.stringify(frame)),
    end: () => end(),
    get isClosed() {
      return isClosed;
    },
  };
}

function startRun(idleMs: number) {
  const session = worldAfter(askApproval());
  const { live, now } = session;
  const open = listOpenInteractions(live);
  const before = { session: viewSession(live), head: live.head, open, now };
  const follower = new RunFollower(RUN, before);
  session.run(answer('call-1~1', { decision: 'approve' }));
  follower.expectAnswer(session.record('call-1~1'));
  const socket = fakeSocket();
  const first = follower.begin([]);
  const response = createRunStream({ socket, follower, first, idleMs });
  const events = session.log.filter(({ seq }) => seq > before.head);
  return { socket, response, answered: () => socket.send({ type: 'events', events }) };
}

it('[AGUI-2] an idle run ends after its time, and its connection with it', async () => {
  const { socket, response, answered } = startRun(20);
  answered();
  const text = await response.text();
  expect(text).toMatch(/^data: {"type":"RUN_STARTED".*\n\ndata: {"type":"RUN_FINISHED".*\n\n$/);
  expect(text).toContain('"outcome":{"type":"success"}');
  await vi.waitFor(() => expect(socket.isClosed).toBe(true), { timeout: 20_000 });
});

it.each([
  [
    'a refusal',
    { type: 'error', error: { code: 'unauthenticated', message: 'Revoked' } },
    'Revoked',
  ],
  ['a pause', { type: 'paused' }, 'ended early'],
  ['nothing', undefined, 'ended early'],
])('[AGUI-2] a stream that breaks with %s is a run that failed', async (_name, frame, said) => {
  const { socket, response } = startRun(60_000);
  if (frame === undefined) socket.end();
  else socket.send(frame);
  const text = await response.text();
  expect(text).toContain('"type":"RUN_ERROR"');
  expect(text).toContain(said);
});

it('[AGUI-1] a reader that is paused comes back with the last id', async () => {
  const { log } = worldAfter(askApproval());
  const socket = fakeSocket();
  const response = createProjectionStream(socket, new LogProjection('session-1'));
  socket.send({ type: 'welcome' });
  socket.send({ type: 'events', events: log });
  socket.send({ type: 'paused' });
  const text = await response.text();
  const request = log.find(({ type }) => type === 'interaction_request');
  expect([...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id)).toEqual([String(request?.seq)]);
  expect(text).not.toMatch(/^event:/m);
});

const KEEP_ALIVE_MS = 15_000;

/** As many texts as fill the backlog of a stream many times over. */
function longLog(socket: ReturnType<typeof fakeSocket>): number {
  const text = 'x'.repeat(1_000_000);
  let seq = 0;
  while (seq < 1_000 && !socket.isClosed) {
    seq += 1;
    const event = { seq, type: 'assistant_text', at: seq, eventId: `e${seq}`, payload: { text } };
    socket.send({ type: 'events', events: [event] });
  }
  return seq;
}

it('[AGUI-1, WS-6] a reader of the log that does not read is dropped before its backlog fills the memory', () => {
  const socket = fakeSocket();
  const { body } = createProjectionStream(socket, new LogProjection('session-1'));
  const sent = longLog(socket);
  expect(socket.isClosed).toBe(true);
  expect(sent).toBeLessThan(60);
  expect(body).not.toBeNull();
});

it('[AGUI-2, WS-6] a reader of a run that does not read is dropped before its backlog fills the memory', () => {
  const { socket } = startRun(60_000);
  const sent = longLog(socket);
  expect(socket.isClosed).toBe(true);
  expect(sent).toBeLessThan(60);
});

it('[AGUI-1, WS-6] a reader that accepts nothing between two comments is dropped', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const socket = fakeSocket();
  createProjectionStream(socket, new LogProjection('session-1'));
  await vi.advanceTimersByTimeAsync(KEEP_ALIVE_MS);
  expect(socket.isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(2 * KEEP_ALIVE_MS);
  expect(socket.isClosed).toBe(true);
});
