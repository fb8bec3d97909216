/**
 * The hibernating WebSockets of an object: they stay open while the object is not in memory.
 *
 * The platform lists the sockets once, after a wake; from then on they are tracked here. Listing them for every event
 * would create an object for each of a thousand subscribers.
 */

/** `Kept` is the value that the platform keeps with a connection through hibernation. */
interface HibernatingSocket<Kept> {
  readonly attachment: Kept;
  attach(attachment: Kept): void;
  send(text: string): void;
  close(code: number, reason: string): void;
}

export class HibernatingSockets<Kept> {
  readonly #ctx: DurableObjectState;
  readonly #known = new WeakMap<WebSocket, HibernatingSocket<Kept>>();
  #open: Set<HibernatingSocket<Kept>> | undefined;
  #closing: Set<HibernatingSocket<Kept>> | undefined;

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
  }

  all(): HibernatingSocket<Kept>[] {
    return [...this.#all()];
  }

  /** Closed on this side and not yet by the peer. */
  closing(): HibernatingSocket<Kept>[] {
    return [...this.#allClosing()];
  }

  accept(webSocket: WebSocket, attachment: Kept): HibernatingSocket<Kept> {
    const open = this.#all();
    this.#ctx.acceptWebSocket(webSocket);
    const socket = this.socketFor(webSocket);
    socket.attach(attachment);
    open.add(socket);
    return socket;
  }

  /** Counts a caller that has no connection among the sockets, until the result is called. */
  hold(caller: HibernatingSocket<Kept>): () => void {
    const open = this.#all();
    open.add(caller);
    return () => open.delete(caller);
  }

  /** Always the same object for the same connection, so that it can be a key in memory. */
  socketFor(webSocket: WebSocket): HibernatingSocket<Kept> {
    const known = this.#known.get(webSocket);
    if (known !== undefined) return known;
    const made = new PlatformSocket<Kept>(webSocket, (socket) => this.#moveToClosing(socket));
    this.#known.set(webSocket, made);
    return made;
  }

  /** Call it when the peer closed the connection, or the connection failed. */
  remove(webSocket: WebSocket): HibernatingSocket<Kept> {
    const socket = this.socketFor(webSocket);
    this.#open?.delete(socket);
    this.#closing?.delete(socket);
    return socket;
  }

  #moveToClosing(socket: HibernatingSocket<Kept>): void {
    this.#all().delete(socket);
    this.#allClosing().add(socket);
  }

  /** The platform lists closing sockets too; they are kept apart here. */
  #all(): Set<HibernatingSocket<Kept>> {
    return (this.#open ??= this.#socketsIn(WebSocket.OPEN));
  }

  #allClosing(): Set<HibernatingSocket<Kept>> {
    return (this.#closing ??= this.#socketsIn(WebSocket.CLOSING));
  }

  #socketsIn(readyState: number): Set<HibernatingSocket<Kept>> {
    const sockets = this.#ctx.getWebSockets().filter((one) => one.readyState === readyState);
    return new Set(sockets.map((webSocket) => this.socketFor(webSocket)));
  }
}

/** A class: V8 looks a getter up anew for each of a thousand object literals that have one. */
class PlatformSocket<Kept> implements HibernatingSocket<Kept> {
  readonly #webSocket: WebSocket;
  readonly #onClose: (socket: HibernatingSocket<Kept>) => void;
  #attachment: Kept | undefined;

  constructor(webSocket: WebSocket, onClose: (socket: HibernatingSocket<Kept>) => void) {
    this.#webSocket = webSocket;
    this.#onClose = onClose;
  }

  get attachment(): Kept {
    this.#attachment ??= this.#webSocket.deserializeAttachment() as Kept;
    return this.#attachment;
  }

  attach(next: Kept): void {
    this.#attachment = next;
    this.#webSocket.serializeAttachment(next);
  }

  send(text: string): void {
    this.#webSocket.send(text);
  }

  close(code: number, reason: string): void {
    this.#onClose(this);
    this.#webSocket.close(code, reason);
  }
}

/** Codes that describe how a connection ended without a close frame; the platform refuses to send them. */
const UNSENDABLE_CODES = [1004, 1005, 1006, 1015];

/** The code of the close frame in return: the peer's own, or 1000 where that code cannot be sent. */
export function replyCloseCode(code: number): number {
  const canBeSent = code >= 1000 && code < 5000 && !UNSENDABLE_CODES.includes(code);
  return canBeSent ? code : 1000;
}
