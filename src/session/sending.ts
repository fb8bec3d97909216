/** Sending to a connection that may be gone already, which is never the sender's problem. */
import type { Socket } from './ports.ts';

/** False when the other side is gone; its close event will come, or already has. */
export function deliver(socket: Socket, frame: string): boolean {
  try {
    socket.send(frame);
    return true;
  } catch {
    return false;
  }
}

export function close(socket: Socket, code: number, reason: string): void {
  try {
    socket.close(code, reason);
  } catch {
    // It is closing already, which is what was wanted.
  }
}
