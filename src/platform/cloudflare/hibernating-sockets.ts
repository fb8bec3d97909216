/** Hibernating WebSockets as a session's sockets: they stay open while the object is not in memory. */
import type { Attachment, Socket, Sockets } from '../../session/ports.ts';

export class HibernatingSockets implements Sockets {
  readonly #ctx: DurableObjectState;
  readonly #known = new WeakMap<WebSocket, Socket>();

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
  }

  /** Closing ones are still listed by the platform for a while; they are gone to us. */
  all(): Socket[] {
    return this.#ctx
      .getWebSockets()
      .filter((webSocket) => webSocket.readyState === WebSocket.OPEN)
      .map((webSocket) => this.of(webSocket));
  }

  accept(webSocket: WebSocket, attachment: Attachment): Socket {
    this.#ctx.acceptWebSocket(webSocket);
    const socket = this.of(webSocket);
    socket.attach(attachment);
    return socket;
  }

  /** The same socket object for the same connection, so that it can be a key in memory. */
  of(webSocket: WebSocket): Socket {
    const known = this.#known.get(webSocket);
    if (known !== undefined) return known;
    const made = socketOver(webSocket);
    this.#known.set(webSocket, made);
    return made;
  }
}

function socketOver(webSocket: WebSocket): Socket {
  let attachment: Attachment | undefined;
  return {
    get attachment() {
      attachment ??= webSocket.deserializeAttachment() as Attachment;
      return attachment;
    },
    attach(next) {
      attachment = next;
      webSocket.serializeAttachment(next);
    },
    send: (text) => webSocket.send(text),
    close: (code, reason) => webSocket.close(code, reason),
  };
}
