/**
 * Turns the frames of a client into commands, with the same checks as over HTTP.
 *
 * Each frame has an id and gets one `result` with it, also when its content is invalid: otherwise the client would wait
 * without end. A text that is not a frame gets an `error`, and three in a row end the connection.
 *
 * Frames count with the requests of the same root. Frames beyond the limit are refused; a client that keeps sending is
 * disconnected, and its next request counts too.
 */
import {
  openBatchCommand,
  openCommand,
  type Command,
  type Context,
} from '../protocol/schema/command.ts';
import { hashText } from '../core/digest.ts';
import { fitsInBytes } from '../protocol/bytes.ts';
import { actsAsAgent, rootOf } from '../protocol/caller.ts';
import { jsonRejection, type Rejection, reject } from '../protocol/errors.ts';
import { schemaRejection } from '../protocol/schema/rejection.ts';
import { errorFrame } from '../protocol/frames.ts';
import { ClientFrame, FrameName, type LookFrame, OpeningFrame } from '../protocol/schema/frame.ts';
import { type Json, type JsonObject, parseJson } from '../protocol/json.ts';
import { LIMITS } from '../protocol/limits.ts';
import { isObject } from '../protocol/types.ts';
import { withAudiences } from './audiences.ts';
import { refusedFrame, resultFrame } from './frames-out.ts';
import type { Overrun, Socket } from './ports.ts';
import type { HandleResult } from './command-result.ts';
import type { Session } from './session.ts';
import { tryClose, trySend } from './try-send.ts';

/**
 * The runtime gives the text of a frame, never its bytes, and has replaced bytes that are not UTF-8 by this character:
 * a person would see, and approve, another text than the client sent.
 */
const REPLACEMENT = '\ufffd';
const NOT_UTF8 = reject(
  'invalid_json',
  'The frame is not UTF-8. If it is meant to hold U+FFFD, write that character as \\ufffd',
);

const NOT_A_PERSON = reject('forbidden', 'This credential is for an agent, and only people look');

export async function receiveFrame(
  session: Session,
  socket: Socket,
  data: string | ArrayBuffer,
): Promise<void> {
  const { attachment } = socket;
  if (attachment.role !== 'subscriber') return;
  const { expiresAt } = attachment;
  if (expiresAt !== null && expiresAt <= session.ports.now()) {
    return disconnect(socket, reject('unauthenticated', 'This credential has expired'), 4401);
  }
  if (!fitsInFrame(data)) {
    return disconnect(socket, reject('too_large', 'A frame may hold 256 KiB'), 1009);
  }
  const overrun = session.ports.countFrame?.(rootOf(attachment.caller));
  if (overrun !== undefined) return refuseForRate(socket, data, overrun);
  const frame = parseFrame(data);
  if ('refused' in frame) {
    trySend(socket, refusedFrame(frame.id, frame.refused));
    return;
  }
  if ('ok' in frame) {
    const malformed = attachment.malformed + 1;
    if (malformed >= LIMITS.malformedFrames) return disconnect(socket, frame, 1008);
    socket.attach({ ...attachment, malformed });
    trySend(socket, errorFrame(frame));
    return;
  }
  if (attachment.malformed > 0) socket.attach({ ...attachment, malformed: 0 });
  if ('look' in frame) {
    if (actsAsAgent(attachment.caller)) {
      return void trySend(socket, refusedFrame(frame.id, NOT_A_PERSON));
    }
    trySend(socket, resultFrame(frame.id, {}));
    return session.subscribers.onlookers.look(socket, frame.look);
  }
  const handled = await handleInOrder(session, socket, frame.command, {
    caller: attachment.caller,
    timeouts: attachment.timeouts,
    ...(attachment.forbidSelfApproval !== undefined && {
      forbidSelfApproval: attachment.forbidSelfApproval,
    }),
    ...(frame.key !== undefined && {
      idempotency: {
        key: `frame ${frame.key}`,
        bodyHash: hashText(JSON.stringify(frame.command)),
      },
    }),
  });
  if (handled.ok && handled.mustReportFirst) await session.waitForReport();
  // A client that has disconnected by now finds the effects of its command in the log.
  const { id } = frame;
  trySend(socket, handled.ok ? resultFrame(id, handled.body) : refusedFrame(id, handled));
}

/** Of each socket, the frame that waits for the audiences of the workspace: the next frame must not overtake it. */
const READING = new WeakMap<Socket, Promise<unknown>>();

async function handleInOrder(
  session: Session,
  socket: Socket,
  command: Command,
  context: Context,
): Promise<HandleResult> {
  const read = () => withAudiences(session, [command], context);
  const earlier = READING.get(socket);
  const known = earlier === undefined ? read() : earlier.then(read);
  if (!(known instanceof Promise)) return session.rendezvous.handle(command, known);
  const done = known.then(() => undefined);
  READING.set(socket, done);
  const ready = await known;
  if (READING.get(socket) === done) READING.delete(socket);
  return 'ok' in ready ? ready : session.rendezvous.handle(command, ready);
}

function refuseForRate(
  socket: Socket,
  data: string | ArrayBuffer,
  { retryAfterSeconds, times }: Overrun,
): void {
  const message = 'Too many requests and frames with this credential and the others of its root';
  const refused = reject('rate_limited', message, { retryAfterSeconds });
  if (times > LIMITS.framesBeyondRate) return disconnect(socket, refused, 1013);
  const json = typeof data === 'string' ? parseJson(data) : undefined;
  const named = json?.ok === true ? withFrameId(json.value, refused) : refused;
  // A client that waits for the result of this frame would wait without end.
  if ('id' in named) trySend(socket, refusedFrame(named.id, refused));
  trySend(socket, errorFrame(refused));
}

interface ParsedFrame {
  readonly id: string;
  readonly key?: string;
  readonly command: Command;
}

interface ParsedLook {
  readonly id: string;
  readonly look: LookFrame;
}

interface RefusedFrame {
  readonly id: string;
  readonly refused: Rejection;
}

type IncomingFrame = ParsedFrame | ParsedLook | RefusedFrame | Rejection;

function parseFrame(data: string | ArrayBuffer): IncomingFrame {
  if (typeof data !== 'string') return reject('invalid_json', 'Send frames as text');
  const json = parseJson(data);
  if (!json.ok) return jsonRejection(json);
  if (data.includes(REPLACEMENT)) return withFrameId(json.value, NOT_UTF8);
  const isOpening = isObject(json.value) && json.value['type'] === 'open';
  const parsed = (isOpening ? OpeningFrame : ClientFrame).safeParse(json.value);
  if (!parsed.success) {
    return withFrameId(json.value, schemaRejection(parsed.error));
  }
  const frame = parsed.data;
  if (frame.type === 'look') return { id: frame.id, look: frame };
  const command = frameCommand(frame);
  const { id, idempotencyKey: key } = frame;
  if ('ok' in command) return { id, refused: command };
  return { id, command, ...(key !== undefined && { key }) };
}

function withFrameId(frame: Json, refused: Rejection): RefusedFrame | Rejection {
  const named = FrameName.safeParse(frame);
  return named.success ? { id: named.data.id, refused } : refused;
}

type CommandFrame = OpeningFrame | Exclude<ClientFrame, LookFrame | { type: 'open' }>;

function frameCommand(frame: CommandFrame): Command | Rejection {
  switch (frame.type) {
    case 'open': {
      const { type: _type, id: _id, idempotencyKey: _key, ...body } = frame;
      return openCommand(body as JsonObject);
    }
    case 'batch':
      return openBatchCommand(frame);
    case 'answer':
      return {
        type: 'interaction.answer',
        target: { interactionId: frame.interactionId },
        answer: frame.answer,
      };
    case 'message': {
      const { type: _type, id: _id, idempotencyKey: _key, ...message } = frame;
      return { type: 'message.send', ...message };
    }
    case 'cancel':
      return frame.interactionId === undefined
        ? { type: 'interactions.cancel', reason: frame.reason }
        : { type: 'interaction.cancel', interactionId: frame.interactionId, reason: frame.reason };
    case 'interrupt':
      return { type: 'turn.interrupt' };
  }
}

function fitsInFrame(data: string | ArrayBuffer): boolean {
  const { inboundFrameBytes } = LIMITS;
  return typeof data === 'string'
    ? fitsInBytes(data, inboundFrameBytes)
    : data.byteLength <= inboundFrameBytes;
}

function disconnect(socket: Socket, rejection: Rejection, code: number): void {
  trySend(socket, errorFrame(rejection));
  tryClose(socket, code, rejection.code);
}
