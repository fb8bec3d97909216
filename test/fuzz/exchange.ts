/** Sends bytes to the server and reads the response, without a client that would correct either. */
import { connect } from 'node:net';
import { AnswerReader } from './answer-reader.ts';
import type { Reply } from '../support/http/call.ts';

export type Exchanged =
  | { readonly type: 'answered'; readonly reply: Reply; readonly ms: number }
  /** The connection ended, or was reset, before a response. */
  | { readonly type: 'closed' }
  | { readonly type: 'hung'; readonly received: string };

export interface ExchangeOptions {
  readonly port: number;
  readonly bytes: Buffer;
  /** The response to HEAD has no body, whatever its headers claim. */
  readonly isHead: boolean;
  readonly giveUpAfterMs: number;
  /** Ends the client's side after writing, without the rest of the body. */
  readonly ends: boolean;
}

export function exchange(options: ExchangeOptions): Promise<Exchanged> {
  const { port, bytes, isHead, giveUpAfterMs, ends } = options;
  return new Promise((resolve) => {
    const from = performance.now();
    const reader = new AnswerReader(isHead);
    const socket = connect({ port, host: '127.0.0.1', autoSelectFamily: false });
    const done = (result: Exchanged) => {
      clearTimeout(timeout);
      socket.destroy();
      resolve(result);
    };
    const look = (isOver: boolean) => {
      const reply = reader.reply(isOver);
      if (reply !== undefined) {
        done({ type: 'answered', reply, ms: performance.now() - from });
      } else if (isOver) done({ type: 'closed' });
    };
    const timeout = setTimeout(
      () => done({ type: 'hung', received: reader.received.slice(0, 300) }),
      giveUpAfterMs,
    );
    socket.on('data', (chunk) => {
      reader.add(chunk);
      look(false);
    });
    socket.on('close', () => look(true));
    socket.on('error', () => look(true));
    socket.on('connect', () => {
      if (ends) socket.end(bytes);
      else socket.write(bytes);
    });
  });
}
