/** Calls of a socket whose client may be gone. */
import type { Attachment, Socket } from './ports.ts';

/** False if the client is gone. The sender need not act: a close event follows, or has come. */
export function trySend(socket: Socket, frame: string): boolean {
  try {
    socket.send(frame);
    return true;
  } catch {
    return false;
  }
}

export function tryClose(socket: Socket, code: number, reason: string): void {
  try {
    socket.close(code, reason);
  } catch {
    // The socket is closing already.
  }
}

export function tryAttach(socket: Socket, attachment: Attachment): void {
  try {
    socket.attach(attachment);
  } catch {
    // The socket is gone and sends no more frames.
  }
}
