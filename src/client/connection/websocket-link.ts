/** A link over a WebSocket of the browser, or one with the same interface. */
import type { OpenLink, ReadFrame, Stream } from './state.ts';
import { COOKIE } from '../../protocol/credential-headers.ts';
import { PROTOCOL, TOKEN_SUBPROTOCOL } from '../../protocol/frames.ts';

interface SocketEvent {
  readonly data?: unknown;
  readonly code?: number;
}

export interface SocketLike {
  readonly readyState?: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: string, listener: (event: SocketEvent) => void): void;
}

/** Like `globalThis.WebSocket`. Node before 22 has none; the package `ws` provides one. */
export type SocketClass = new (url: string, protocols: string[]) => SocketLike;

/** The ready state of a socket that is being closed; that of a closed one is greater. */
const CLOSING = 2;

/** `address` gets the cursor after which events are wanted. */
export function openWebSocketLink<Carried extends Stream>(
  Socket: SocketClass,
  address: (after: number) => string,
  read: ReadFrame<Carried>,
): OpenLink<Carried> {
  return ({ after, token }, send) => {
    const url = address(after).replace(/^http/, 'ws');
    let isOver = false;
    const end = (code: number) => {
      if (isOver) return;
      isOver = true;
      send({ type: 'closed', code });
    };
    let socket: SocketLike;
    try {
      // Throws for a token with characters that a subprotocol may not have; a stream can send such a token.
      socket = new Socket(
        url,
        token === COOKIE ? [PROTOCOL] : [PROTOCOL, TOKEN_SUBPROTOCOL + token],
      );
    } catch {
      end(1006);
      return { drop: () => undefined };
    }
    const sendText = (text: string) => {
      // A browser does not throw for it, and writes an error to its console.
      if ((socket.readyState ?? 0) < CLOSING) ignoreErrors(() => socket.send(text));
    };
    socket.addEventListener('open', () => {
      // workerd ends a socket whose client never sent a frame about ten seconds after the close frame (WS-3).
      sendText('ping');
      if (!isOver) send({ type: 'opened' });
    });
    socket.addEventListener('message', ({ data }) => {
      if (!isOver) send(read(data));
    });
    socket.addEventListener('close', ({ code }) => end(code ?? 1006));
    socket.addEventListener('error', () => {
      // Some sockets fire no `close` after `error`. The timeout lets a `close` that follows win, because it has a code.
      setTimeout(() => end(1006));
    });
    return {
      send: sendText,
      drop() {
        isOver = true;
        ignoreErrors(() => socket.close(1000));
      },
    };
  };
}

function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    // The socket is closed or never opened; its `close` event reports that.
  }
}
