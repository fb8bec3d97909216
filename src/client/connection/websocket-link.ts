/** Frames over a WebSocket, a browser's or one like it. */
import type { OpenLink, ReadFrame, Stream } from './state.ts';
import { PROTOCOL, TOKEN_SUBPROTOCOL } from '../../protocol/frames.ts';

interface SocketEvent {
  readonly data?: unknown;
  readonly code?: number;
}

export interface SocketLike {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: string, listener: (event: SocketEvent) => void): void;
}

/** As `globalThis.WebSocket`; Node before 22 has none, and takes one from the package `ws`. */
export type SocketClass = new (url: string, protocols: string[]) => SocketLike;

/** What has a log is asked for the part of it after a cursor. */
export function openWebSocketLink<Carried extends Stream>(
  Socket: SocketClass,
  address: (after: number) => string,
  read: ReadFrame<Carried>,
): OpenLink<Carried> {
  return ({ after, token }, tell) => {
    const url = address(after).replace(/^http/, 'ws');
    let isOver = false;
    const end = (code: number) => {
      if (isOver) return;
      isOver = true;
      tell({ type: 'closed', code });
    };
    let socket: SocketLike;
    try {
      // A token with characters that no subprotocol may have fails here; a stream can carry it.
      socket = new Socket(url, [PROTOCOL, TOKEN_SUBPROTOCOL + token]);
    } catch {
      end(1006);
      return { ping: () => undefined, drop: () => undefined };
    }
    const ping = () => quietly(() => socket.send('ping'));
    socket.addEventListener('open', () => {
      // workerd ends a connection that never sent anything about ten seconds after its close frame (WS-3).
      ping();
      if (!isOver) tell({ type: 'opened' });
    });
    socket.addEventListener('message', ({ data }) => {
      if (!isOver) tell(read(data));
    });
    socket.addEventListener('close', ({ code }) => end(code ?? 1006));
    socket.addEventListener('error', () => {
      // Some say only that, and never that they closed; but a close that follows has a code.
      setTimeout(() => end(1006));
    });
    return {
      ping,
      drop() {
        isOver = true;
        quietly(() => socket.close(1000));
      },
    };
  };
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The socket is gone already, or was never there; its close says so.
  }
}
