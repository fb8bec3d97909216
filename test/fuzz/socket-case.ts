/** A case on a session's socket: a list of bytes to send, one after the other. */
import { deflateRawSync } from 'node:zlib';
import { ClientFrame } from '../../src/protocol/schema/frame.ts';
import type { Json } from '../../src/protocol/json.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { Random } from '../support/random.ts';
import { BINARY, CLOSE, COMPRESSED, encodeFrame, TEXT } from './frames.ts';
import { mutateJson } from './mutate-json.ts';
import { mutateBytes, mutateText } from './mutate-text.ts';
import { anyJson, oddText } from './odd-values.ts';
import { type Plot, pickCredential } from './plot.ts';
import { schemaOf, valueOf } from './values-of-schema.ts';

export interface SocketCase {
  readonly target: string;
  readonly protocols: string;
  readonly extensions: string | undefined;
  readonly steps: readonly Buffer[];
}

const FRAMES = schemaOf(ClientFrame);
const MAX_STEPS = 12;
const FLOOD = 200;
/** Each frame is generated separately, so that a reader needs no earlier frames. */
const DEFLATE = 'permessage-deflate; server_no_context_takeover';

export function makeSocketCase(plot: Plot, random: Random): SocketCase {
  const sample = random.chance(0.8) ? plot.samples[0] : plot.samples[1];
  const session = random.chance(0.95)
    ? sample.session
    : random.pick([plot.deleted, 'nobody', '.x']);
  const query = random.chance(0.6) ? '' : `?after=${random.pick([0, 1, 5, 99_999, '-1', ''])}`;
  const token = random.chance(0.5)
    ? plot.credentials.session
    : plot.credentials[pickCredential(random)];
  const protocols = ['holdpoint.v1', ...(token === null ? [] : [`holdpoint.token.${token}`])];
  const isCompressed = random.chance(0.15);
  const count = random.int(1, MAX_STEPS);
  return {
    target: `/v1/sessions/${session}/socket${query}`,
    protocols: random.chance(0.05) ? protocols.toReversed().join(',') : protocols.join(', '),
    extensions: isCompressed ? DEFLATE : undefined,
    steps: Array.from({ length: count }, () => makeStep(plot, random, isCompressed)),
  };
}

function makeStep(plot: Plot, random: Random, isCompressed: boolean): Buffer {
  const text = (value: string | Buffer) =>
    encodeFrame({ opcode: TEXT, payload: Buffer.from(value) });
  const frame = () => JSON.stringify(valueOf(FRAMES, random, plot.hints));
  switch (
    random.weighted({
      valid: 30,
      mutated: 22,
      spoiled: 14,
      ping: 4,
      binary: 3,
      odd: 4,
      parts: 5,
      flood: 2,
      large: 2,
      control: 3,
      broken: 3,
      bomb: isCompressed ? 3 : 0,
    })
  ) {
    case 'valid':
      return text(frame());
    case 'mutated':
      return text(JSON.stringify(mutateJson(JSON.parse(frame()) as Json, random)));
    case 'spoiled':
      return text(mutateText(frame(), random));
    case 'ping':
      return text('ping');
    case 'binary':
      return encodeFrame({ opcode: BINARY, payload: Buffer.from(frame()) });
    case 'odd':
      return text(
        random.pick([
          oddText(random),
          JSON.stringify(anyJson(random)),
          Buffer.from('\xff', 'latin1'),
        ]),
      );
    case 'parts':
      return inParts(Buffer.from(frame()), random);
    case 'flood':
      return flood(random.pick([text('ping'), text(frame()), text('{'), text('')]), random);
    case 'large':
      return text(
        'y'.repeat(
          random.pick([LIMITS.inboundFrameBytes, LIMITS.inboundFrameBytes + 1, 2 ** 20, 2 ** 22]),
        ),
      );
    case 'control':
      return encodeFrame({
        opcode: random.pick([9, 10, CLOSE]),
        payload: Buffer.from(
          random.pick([
            '',
            'x',
            '\x03\xe8bye',
            '\x03\xee',
            '\xff\xff',
            'p'.repeat(125),
            'p'.repeat(126),
          ]),
          'latin1',
        ),
      });
    case 'broken':
      return broken(frame(), random);
    case 'bomb':
      return encodeFrame({
        opcode: TEXT,
        reserved: COMPRESSED,
        payload: bomb(random.pick([2 ** 20, 2 ** 23])),
      });
  }
}

function inParts(payload: Buffer, random: Random): Buffer {
  const at = random.int(0, payload.length);
  const last = encodeFrame({ opcode: 0, payload: payload.subarray(at) });
  return Buffer.concat([
    encodeFrame({ opcode: TEXT, payload: payload.subarray(0, at), isLast: false }),
    ...(random.chance(0.3) ? [encodeFrame({ opcode: 9, payload: Buffer.from('between') })] : []),
    ...(random.chance(0.8) ? [last] : []),
  ]);
}

function flood(frame: Buffer, random: Random): Buffer {
  return Buffer.concat(Array.from({ length: random.int(20, FLOOD) }, () => frame));
}

/** Bytes that break the frame format of WebSocket. */
function broken(text: string, random: Random): Buffer {
  const payload = Buffer.from(text);
  return random.pick([
    () => encodeFrame({ opcode: TEXT, payload, isMasked: false }),
    () => encodeFrame({ opcode: random.pick([3, 7, 11, 15]), payload }),
    () => encodeFrame({ opcode: TEXT, payload, reserved: random.pick([1, 2, 4, 7]) }),
    () => encodeFrame({ opcode: 0, payload }),
    () => encodeFrame({ opcode: CLOSE, payload: payload.subarray(0, 100), isLast: false }),
    () => mutateBytes(encodeFrame({ opcode: TEXT, payload }), random),
    () => Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4]),
    () => Buffer.from('GET / HTTP/1.1\r\n\r\n'),
  ])();
}

const bombs = new Map<number, Buffer>();

/** Small on the wire, large for the receiver that unpacks it. */
function bomb(size: number): Buffer {
  const known = bombs.get(size) ?? deflateRawSync(Buffer.alloc(size, 'y'));
  bombs.set(size, known);
  return known;
}
