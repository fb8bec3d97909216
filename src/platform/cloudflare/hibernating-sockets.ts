/**
 * Hibernating WebSockets as a session's sockets: they stay open while the object is not in memory.
 *
 * The platform is asked for them once, after waking; from then on they are counted here as they come
 * and go. Asking it every time made an object for each of a thousand listeners with every event.
 */
import type { Attachment, Socket, Sockets } from '../../session/ports.ts';

export class HibernatingSockets implements Sockets {
  readonly #ctx: DurableObjectState;
  readonly #known = new WeakMap<WebSocket, Socket>();
  #open: Set<Socket> | undefined;

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
  }

  all(): Socket[] {
    return [...this.#all()];
  }

  accept(webSocket: WebSocket, attachment: Attachment): Socket {
    const open = this.#all();
    this.#ctx.acceptWebSocket(webSocket);
    const socket = this.of(webSocket);
    socket.attach(attachment);
    open.add(socket);
    return socket;
  }

  /** The same socket object for the same connection, so that it can be a key in memory. */
  of(webSocket: WebSocket): Socket {
    const known = this.#known.get(webSocket);
    if (known !== undefined) return known;
    const made = this.#socketOver(webSocket);
    this.#known.set(webSocket, made);
    return made;
  }

  /** The other side has gone, or nothing can be heard of it any more. */
  gone(webSocket: WebSocket): Socket {
    const socket = this.of(webSocket);
    this.#open?.delete(socket);
    return socket;
  }

  /** Closing ones are still listed by the platform for a while; they are gone to us. */
  #all(): Set<Socket> {
    this.#open ??= new Set(
      this.#ctx
        .getWebSockets()
        .filter((webSocket) => webSocket.readyState === WebSocket.OPEN)
        .map((webSocket) => this.of(webSocket)),
    );
    return this.#open;
  }

  #socketOver(webSocket: WebSocket): Socket {
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
      close: (code, reason) => {
        this.gone(webSocket);
        webSocket.close(code, reason);
      },
    };
  }
}
