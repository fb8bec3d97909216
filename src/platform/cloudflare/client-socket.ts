/** Sockets at the edge: one that the Worker reads on behalf of a client, and one accepted only to be closed. */
import type { ClientSocket, RejectedUpgrade } from '../../http/ports.ts';

export function clientSocket(webSocket: WebSocket): ClientSocket {
  let isAccepted = false;
  let isOver = false;
  const accept = () => {
    if (!isAccepted) webSocket.accept();
    isAccepted = true;
  };
  return {
    listen(onText, onEnd) {
      const end = () => {
        if (isOver) return;
        isOver = true;
        onEnd();
      };
      webSocket.addEventListener('message', ({ data }) => onText(String(data)));
      webSocket.addEventListener('close', end);
      webSocket.addEventListener('error', end);
      accept();
    },
    /** The platform throws when a closed socket is closed again. */
    close(code, reason) {
      if (isOver) return;
      isOver = true;
      accept();
      webSocket.close(code, reason);
    },
  };
}

export function rejectUpgrade({ frame, code, reason, subprotocol }: RejectedUpgrade): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  server.send(frame);
  server.close(code, reason);
  const headers = new Headers();
  if (subprotocol !== undefined) headers.set('Sec-WebSocket-Protocol', subprotocol);
  return new Response(null, { status: 101, webSocket: client, headers });
}
