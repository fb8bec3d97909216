/**
 * Frames from a client. A bug would look like an answer that counts on the socket but not over HTTP, a client that
 * waits without end for its result, or a garbling peer that is never disconnected.
 */
import { describe, expect, it } from 'vitest';
import { answer, askApproval, askQuestion, sendMessage, COLOR } from '../support/asks.ts';
import { agent, holding, person, reader, sender } from '../support/callers.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { attachmentIdOf, attachSample } from '../support/sample-files.ts';
import { sessionAfter, startedSession } from '../support/session-storage.ts';
import type { Caller } from '../../src/protocol/caller.ts';
import { type Command, openBatchCommand } from '../../src/protocol/schema/command.ts';
import type { SessionWorld } from '../support/session-world.ts';

const APPROVE = { decision: 'approve' };
const QUESTION = {
  toolCallId: 'call-2',
  toolName: 'AskUserQuestion',
  kind: 'question',
  questions: [COLOR],
};

/** The frames that the socket received besides the log. */
async function said(world: SessionWorld, caller: Caller, frame: object) {
  const socket = world.connect({ caller, after: world.log().length });
  await world.receive(socket, frame);
  return socket.frames.filter((one) => one.type === 'result' || one.type === 'error');
}

/** A frame, its command, and the scope that may send it. */
const FRAMES: readonly [string, object, Command, Caller][] = [
  ['open', { type: 'open', ...QUESTION }, askQuestion({ toolCallId: 'call-2' }), agent()],
  [
    'batch',
    { type: 'batch', requests: [QUESTION, { kind: 'question' }] },
    openBatchCommand({ requests: [QUESTION, { kind: 'question' }] }),
    agent(),
  ],
  [
    'answer',
    { type: 'answer', interactionId: 'call-1~1', answer: APPROVE },
    answer('call-1~1', APPROVE),
    person(),
  ],
  ['message', { type: 'message', text: 'Hello' }, sendMessage('Hello'), sender()],
  [
    'message with replyTo',
    { type: 'message', text: 'yes', replyTo: 'call-1~1' },
    sendMessage('yes', 'call-1~1'),
    person(),
  ],
  [
    'cancel of one',
    { type: 'cancel', interactionId: 'call-1~1', reason: 'Too late' },
    { type: 'interaction.cancel', interactionId: 'call-1~1', reason: 'Too late' },
    agent(),
  ],
  ['cancel of all', { type: 'cancel' }, { type: 'interactions.cancel' }, person()],
  ['interrupt', { type: 'interrupt' }, { type: 'turn.interrupt' }, sender()],
];

describe.each(FRAMES)('%s', (_, frame, command, caller) => {
  it('[WS-2] gets one result with its id and the command’s body', async () => {
    const world = await sessionAfter(askApproval());
    const other = await sessionAfter(askApproval());
    other.connect({ caller });
    expect(await said(world, caller, { ...frame, id: 'frame-7' })).toEqual([
      { type: 'result', id: 'frame-7', ok: true, value: other.must(command, { caller }).body },
    ]);
    expect(world.log()).toEqual(other.log());
  });

  it('[WS-2, AUTH-6] is refused to a reader, as the command is', async () => {
    const world = await sessionAfter(askApproval());
    const log = world.log();
    const [result] = await said(world, reader(), { ...frame, id: 'frame-7' });
    expect(result).toMatchObject({ type: 'result', id: 'frame-7', ok: false });
    expect(result?.error?.code).toBe('forbidden');
    const refused = world.handle(command, { caller: reader() });
    expect(refused).toMatchObject(result?.error ?? {});
    expect(world.log()).toEqual(log);
  });
});

describe('a result', () => {
  it('[WS-2, AUTH-6] an agent may not answer its own request, and a reader may not cancel', async () => {
    const world = await sessionAfter(askApproval());
    const frame = { type: 'answer', id: 'f-1', interactionId: 'call-1~1', answer: APPROVE };
    expect(await said(world, agent(), frame)).toMatchObject([{ error: { code: 'forbidden' } }]);
    const cancel = { type: 'cancel', id: 'f-2' };
    const onlySend = holding('read', 'send');
    expect(await said(world, onlySend, cancel)).toMatchObject([{ error: { code: 'forbidden' } }]);
    expect(world.record('call-1~1').status).toBe('open');
  });

  it('[WS-2, INT-7] names the first answer', async () => {
    const world = await sessionAfter(askApproval(), answer('call-1~1', { decision: 'deny' }));
    const frame = { type: 'answer', id: 'f-1', interactionId: 'call-1~1', answer: APPROVE };
    expect(await said(world, person('bob'), frame)).toMatchObject([
      {
        id: 'f-1',
        ok: false,
        error: {
          code: 'already_settled',
          details: { outcome: 'denied', settledBy: { subject: 'ada', via: 'web' } },
        },
      },
    ]);
  });

  it('[WS-2] follows the event that it caused', async () => {
    const world = await sessionAfter(askApproval());
    const socket = world.connect({ after: 3 });
    const frame = { type: 'answer', id: 'f-1', interactionId: 'call-1~1', answer: APPROVE };
    await world.receive(socket, frame);
    expect(socket.frames.map((one) => one.type)).toEqual(['welcome', 'events', 'result']);
  });

  it('[WS-2, ATT-4] of a message has its files, and names one that the session does not have', async () => {
    const world = await startedSession();
    const file = attachSample(world);
    const frame = { type: 'message', id: 'f-1', text: 'Look' };
    const [sent] = await said(world, sender(), { ...frame, attachments: [file.attachmentId] });
    expect(sent).toMatchObject({ ok: true });
    expect(world.log().at(-1)?.payload).toMatchObject({ text: 'Look', attachments: [file] });
    const gone = attachmentIdOf(777_777);
    const [refused] = await said(world, sender(), { ...frame, attachments: [gone] });
    expect(refused).toMatchObject({ ok: false, error: { code: 'unknown_attachment' } });
  });

  it('[WS-2, API-2] of a repeated frame is that of the first, and it is done once', async () => {
    const world = await startedSession();
    const frame = { type: 'message', id: 'f-1', idempotencyKey: 'key-00001', text: 'Hello' };
    const first = await said(world, sender(), frame);
    const again = await said(world, sender(), { ...frame, id: 'f-2' });
    expect(again).toEqual([{ ...first[0], id: 'f-2' }]);
    const other = await said(world, sender(), { ...frame, text: 'Bye' });
    expect(other).toMatchObject([{ error: { code: 'idempotency_key_reused' } }]);
    const messages = () => world.log().filter((event) => event.type === 'user_message').length;
    expect(messages()).toBe(1);
    await said(world, sender(), { ...frame, idempotencyKey: 'key-00002' });
    expect(messages()).toBe(2);
  });

  it('[WS-2, OUT-2] of a detached opening waits for the report', async () => {
    const world = await startedSession();
    const socket = world.connect({ caller: agent(), after: 1 });
    world.workspace.hold();
    const received = world.receive(socket, {
      type: 'open',
      id: 'f-1',
      ...QUESTION,
      detached: true,
    });
    expect(socket.frames.slice(-2).map(({ type }) => type)).toEqual(['events', 'agents']);
    world.workspace.release();
    await received;
    expect(socket.last).toMatchObject({ type: 'result', id: 'f-1', ok: true });
    expect([...world.workspace.open.keys()]).toEqual(['call-2~1']);
  });

  it('[WS-5, WS-2] without a socket to send to does no harm; the command is done', async () => {
    const world = await sessionAfter(askApproval());
    const socket = world.connect();
    socket.gone = true;
    const frame = { type: 'answer', id: 'f-1', interactionId: 'call-1~1', answer: APPROVE };
    await world.receive(socket, frame);
    expect(world.record('call-1~1').outcome).toBe('approved');
  });
});

const MALFORMED: readonly [string, string | ArrayBuffer][] = [
  ['no JSON', '{"type":'],
  ['bytes', new ArrayBuffer(4)],
  ['no object', '[]'],
  ['an unknown type', '{"type":"session.delete","id":"f-1"}'],
  ['no id', '{"type":"interrupt"}'],
  ['the same key twice', '{"type":"interrupt","id":"f-1","id":"f-2"}'],
];

const SENSELESS: readonly [string, object][] = [
  ['an unknown field', { type: 'interrupt', really: true }],
  ['an answer that is no object', { type: 'answer', interactionId: 'call-1~1', answer: 1 }],
  ['an id that is none', { type: 'answer', interactionId: 'call-1', answer: APPROVE }],
  ['an opening without time', { type: 'open', ...QUESTION, timeoutSeconds: 0 }],
  ['an opening without a question', { type: 'open', ...QUESTION, questions: [] }],
  ['a blank message', { type: 'message', text: ' ' }],
];

describe('a frame that makes no sense', () => {
  it.each(SENSELESS)(
    '[WS-2, LIM-1] %s: refused with its id, and nothing is done',
    async (_, frame) => {
      const world = await sessionAfter(askApproval());
      const log = world.log();
      const socket = world.connect({ caller: holding('agent', 'answer', 'send'), after: 3 });
      for (let time = 1; time <= 4; time += 1) {
        await world.receive(socket, { ...frame, id: `f-${time}` });
        expect(socket.last).toMatchObject({
          type: 'result',
          id: `f-${time}`,
          ok: false,
          error: { code: 'invalid_request' },
        });
      }
      expect(socket.closed).toBeNull();
      expect(world.log()).toEqual(log);
    },
  );
});

describe('a malformed frame', () => {
  it.each(MALFORMED)('[WS-3, LIM-1] %s: an error, and nothing is done', async (_, data) => {
    const world = await sessionAfter(askApproval());
    const log = world.log();
    const socket = world.connect();
    await world.receive(socket, data);
    expect(socket.last?.type).toBe('error');
    expect(socket.last?.error?.code).toMatch(/^invalid_(json|request)$/);
    expect(socket.closed).toBeNull();
    expect(world.log()).toEqual(log);
  });

  it('[WS-3] the third in a row ends the connection', async () => {
    const world = await startedSession();
    const socket = world.connect();
    await world.receive(socket, 'one');
    await world.receive(socket, 'two');
    expect(socket.closed).toBeNull();
    await world.receive(socket, 'three');
    expect(socket.frames.filter((frame) => frame.type === 'error')).toHaveLength(3);
    expect(socket.closed).toMatchObject({ code: 1008 });
  });

  it('[WS-3, INT-9] also when the object slept in between', async () => {
    const world = await startedSession();
    const socket = world.connect();
    for (const text of ['one', 'two', 'three']) {
      await world.quiet();
      world.evict();
      await world.receive(socket, text);
    }
    expect(socket.closed).toMatchObject({ code: 1008 });
  });

  it('[WS-3] a good one in between starts the count anew, even a refused one', async () => {
    const world = await startedSession();
    const socket = world.connect();
    const good = { type: 'cancel', id: 'f-1', interactionId: 'call-9~1' };
    for (const data of ['one', 'two', good, 'one', 'two', good]) await world.receive(socket, data);
    expect(socket.closed).toBeNull();
    expect(socket.frames.filter((frame) => frame.type === 'error')).toHaveLength(4);
    expect(socket.last).toMatchObject({ type: 'result', ok: false, error: { code: 'not_found' } });
  });

  it('[WS-3, WS-5] from a client that is gone does no harm', async () => {
    const world = await startedSession();
    const socket = world.connect();
    await world.receive(socket, 'one');
    await world.receive(socket, 'two');
    const send = socket.send.bind(socket);
    socket.send = (text) => {
      socket.gone = true;
      send(text);
    };
    await expect(world.receive(socket, 'three')).resolves.toBeUndefined();
  });
});

describe('a frame with U+FFFD', () => {
  const input = (text: string) =>
    `{"type":"open","id":"f-1","kind":"approval","toolName":"Bash","input":{"command":"${text}"}}`;

  it('[WS-2, INT-12] may be one whose bytes were none, and is refused with its id', async () => {
    const world = await startedSession();
    const socket = world.connect({ caller: agent(), after: 1 });
    await world.receive(socket, input('rm a\ufffd'));
    expect(socket.last).toMatchObject({ type: 'result', id: 'f-1', ok: false });
    expect(socket.last?.error).toMatchObject({ code: 'invalid_json' });
    expect(socket.last?.error?.message).toContain('write that character as \\ufffd');
    expect(world.log()).toHaveLength(1);
    await world.receive(socket, '{"type":"\ufffd","id":"f-1"}');
    expect(socket.last).toMatchObject({ type: 'error', error: { code: 'invalid_json' } });
  });

  it('[WS-2, INT-12] says what it means when that character is escaped', async () => {
    const world = await startedSession();
    const socket = world.connect({ caller: agent(), after: 1 });
    await world.receive(socket, input('rm a\\ufffd'));
    expect(socket.last).toMatchObject({
      ok: true,
      value: { interaction: { request: { input: { command: 'rm a\ufffd' } } } },
    });
  });
});

describe('a frame that is too large', () => {
  const padded = (bytes: number, filler: string) => {
    const frame = (text: string) => JSON.stringify({ type: 'message', id: 'f-1', text });
    const size = new TextEncoder().encode(filler).byteLength;
    return frame(filler.repeat(Math.ceil((bytes - frame('').length) / size)));
  };

  it.each([
    ['letters', padded(LIMITS.inboundFrameBytes + 1, 'x')],
    ['wide letters', padded(LIMITS.inboundFrameBytes + 1, '\u20ac')],
    ['letters of four octets', padded(LIMITS.inboundFrameBytes + 1, '\u{1f600}')],
    ['bytes', new ArrayBuffer(LIMITS.inboundFrameBytes + 1)],
  ])('[WS-3] of %s ends the connection at once', async (_, data) => {
    const world = await startedSession();
    const socket = world.connect({ after: 1 });
    await world.receive(socket, data);
    expect(socket.last).toMatchObject({ type: 'error', error: { code: 'too_large' } });
    expect(socket.closed).toMatchObject({ code: 1009 });
    expect(world.log()).toHaveLength(1);
  });

  it('[WS-3] at the limit is judged by its content', async () => {
    const world = await startedSession();
    const socket = world.connect({ after: 1 });
    await world.receive(socket, padded(LIMITS.inboundFrameBytes, 'x'));
    expect(socket.last).toMatchObject({ id: 'f-1', error: { code: 'invalid_request' } });
    expect(socket.closed).toBeNull();
  });
});

describe('a connection that only waits', () => {
  it('[WS-4, INT-9] is not listened to', async () => {
    const world = await sessionAfter(askApproval());
    const waiter = world.waitFor('call-1~1');
    const frame = { type: 'answer', id: 'f-1', interactionId: 'call-1~1', answer: APPROVE };
    await world.receive(waiter, frame);
    expect(waiter.texts).toEqual([]);
    expect(world.record('call-1~1').status).toBe('open');
  });
});

it('[INT-12, WS-2] an answer may carry the digest of the shown input, and is refused with another', async () => {
  const world = await sessionAfter(askApproval());
  const { inputDigest } = world.record('call-1~1');
  const frame = { type: 'answer', id: 'a', interactionId: 'call-1~1' };
  const stale = { ...APPROVE, inputDigest: 'f'.repeat(64) };
  const [refused] = await said(world, person(), { ...frame, answer: stale });
  expect(refused).toMatchObject({
    ok: false,
    error: { code: 'input_changed', details: { interactionId: 'call-1~1', inputDigest } },
  });
  const [given] = await said(world, person(), { ...frame, answer: { ...APPROVE, inputDigest } });
  expect(given).toMatchObject({ ok: true, value: { interaction: { outcome: 'approved' } } });
});
