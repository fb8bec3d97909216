/**
 * A TCP proxy that breaks connections at a chosen byte, and never the order of bytes.
 *
 * Each direction is a queue: bytes leave in the order of their arrival, also after a stall. A proxy that delays each
 * chunk separately lets a later chunk overtake, and then reports gaps that no network would make.
 *
 * What can happen to a connection, counted in bytes from the server to the client:
 * - `reset`: RST to both sides; bytes in transit may be lost;
 * - `end`: the client receives everything up to that byte, and then a proper FIN in the middle of a frame;
 * - `half-open`: no byte moves any more and neither side is notified, until the client gives up;
 * - `stall`: no byte moves for a while, and then all bytes move in order.
 */
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { once } from 'node:events';

type Cut = 'reset' | 'end' | 'half-open';

export type Mishap =
  | { readonly kind: Cut; readonly atByte: number }
  | { readonly kind: 'stall'; readonly atByte: number; readonly ms: number };

export interface CuttingProxyOptions {
  readonly target: { readonly host: string; readonly port: number };
  /** The cuts of the next connection, in order of `atByte`; called once per connection. Default: none. */
  readonly plan?: () => readonly Mishap[];
}

export interface CuttingProxy {
  readonly port: number;
  readonly cuts: Readonly<Record<Cut, number>>;
  readonly stalls: number;
  readonly connections: number;
  /** Cuts all current connections. */
  cutAll(cut: Cut): void;
  /** While down, new connections are reset before a byte is exchanged. */
  down(isDown: boolean): void;
  /** Stops all failures; half-open connections are reset. */
  heal(): void;
  stop(): Promise<void>;
}

export async function startCuttingProxy(options: CuttingProxyOptions): Promise<CuttingProxy> {
  const links = new Set<Link>();
  const cuts = { reset: 0, end: 0, 'half-open': 0 };
  const count = { stalls: 0, connections: 0 };
  let isDown = false;
  let plan = options.plan ?? (() => []);
  const server: Server = createServer({ noDelay: true }, (client) => {
    client.on('error', () => {});
    if (isDown) {
      client.resetAndDestroy();
      return;
    }
    count.connections += 1;
    const upstream = connect({ ...options.target, noDelay: true, autoSelectFamily: false });
    const link = new Link(client, upstream, [...plan()], {
      cut: (kind) => (cuts[kind] += 1),
      stall: () => (count.stalls += 1),
      gone: () => links.delete(link),
    });
    links.add(link);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cuts,
    get stalls() {
      return count.stalls;
    },
    get connections() {
      return count.connections;
    },
    cutAll(kind) {
      for (const link of links) link.cut(kind);
    },
    down(next) {
      isDown = next;
    },
    heal() {
      isDown = false;
      plan = () => [];
      for (const link of links) link.heal();
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const link of links) link.drop();
      await closed;
    },
  };
}

interface LinkPorts {
  readonly cut: (kind: Cut) => void;
  readonly stall: () => void;
  readonly gone: () => void;
}

/** One client, its connection to the server, and the cuts of both. */
class Link {
  readonly #client: Socket;
  readonly #upstream: Socket;
  readonly #ports: LinkPorts;
  readonly #down: Lane;
  readonly #up: Lane;
  #mishaps: Mishap[];
  #isCut = false;

  constructor(client: Socket, upstream: Socket, mishaps: Mishap[], ports: LinkPorts) {
    this.#client = client;
    this.#upstream = upstream;
    this.#ports = ports;
    this.#mishaps = mishaps;
    this.#down = new Lane(upstream, client, () => this.#mishap());
    this.#up = new Lane(client, upstream, () => {});
    this.#expect();
    upstream.on('error', () => this.drop());
    upstream.on('end', () => this.#down.end());
    client.on('end', () => this.#up.end());
    client.on('close', () => this.drop());
    upstream.on('close', () => {
      // The server's last bytes may still be in transit to the client.
      if (!this.#isCut) this.#down.end();
    });
  }

  cut(kind: Cut): void {
    if (this.#isCut) return;
    this.#isCut = true;
    this.#ports.cut(kind);
    this.#down.hold();
    this.#up.hold();
    if (kind === 'half-open') return;
    this.#upstream.resetAndDestroy();
    if (kind === 'reset') {
      this.#client.resetAndDestroy();
      return;
    }
    this.#client.end();
    // Further bytes are discarded, but its own FIN comes after them.
    this.#client.resume();
  }

  heal(): void {
    this.#mishaps = [];
    if (this.#isCut) this.drop();
    else {
      this.#expect();
      this.#down.release();
    }
  }

  drop(): void {
    this.#isCut = true;
    this.#client.destroy();
    this.#upstream.destroy();
    this.#ports.gone();
  }

  #expect(): void {
    this.#down.stopAt = this.#mishaps[0]?.atByte ?? Number.POSITIVE_INFINITY;
  }

  #mishap(): void {
    const mishap = this.#mishaps.shift();
    if (mishap === undefined) return;
    if (mishap.kind !== 'stall') return this.cut(mishap.kind);
    this.#ports.stall();
    this.#down.hold();
    setTimeout(() => {
      if (this.#isCut) return;
      this.#expect();
      this.#down.release();
    }, mishap.ms);
  }
}

/** One direction: bytes leave in the order of their arrival, up to the byte of the next cut. */
class Lane {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #reached: () => void;
  #queue: Buffer[] = [];
  #sent = 0;
  #isHeld = false;
  #ends = false;
  stopAt = Number.POSITIVE_INFINITY;

  constructor(from: Socket, to: Socket, reached: () => void) {
    this.#from = from;
    this.#to = to;
    this.#reached = reached;
    from.on('data', (chunk: Buffer) => {
      this.#queue.push(chunk);
      this.#pump();
    });
    to.on('drain', () => {
      if (!this.#isHeld) from.resume();
    });
  }

  hold(): void {
    this.#isHeld = true;
    this.#from.pause();
  }

  release(): void {
    this.#isHeld = false;
    this.#from.resume();
    this.#pump();
  }

  /** The sender has ended; the receiver learns of that after all earlier bytes. */
  end(): void {
    this.#ends = true;
    this.#pump();
  }

  #pump(): void {
    while (!this.#isHeld) {
      const chunk = this.#queue.shift();
      if (chunk === undefined) break;
      const room = this.stopAt - this.#sent;
      const part = chunk.subarray(0, room);
      if (part.length < chunk.length) this.#queue.unshift(chunk.subarray(part.length));
      this.#sent += part.length;
      if (this.#to.writable && !this.#to.write(part)) this.#from.pause();
      if (this.#sent >= this.stopAt) this.#reached();
    }
    if (this.#ends && !this.#isHeld && this.#to.writable) this.#to.end();
  }
}
