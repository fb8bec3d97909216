/** Sockets at the edge of the platform: one held for somebody else, one accepted only to be closed. */
import type { ClientSocket, RejectedUpgrade } from '../../http/ports.ts';

export function clientSocket(webSocket: WebSocket): ClientSocket {
  let isAccepted = false;
  let isOver = false;
  const accept = () => {
    if (!isAccepted) webSocket.accept();
    isAccepted = true;
  };
  return {
    listen(heard, ended) {
      const over = () => {
        if (isOver) return;
        isOver = true;
        ended();
      };
      webSocket.addEventListener('message', ({ data }) => heard(String(data)));
      webSocket.addEventListener('close', over);
      webSocket.addEventListener('error', over);
      accept();
    },
    /** Closing what is closed already is an error to the platform, and none to us. */
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
