/** Counts the responses by route; a route without a response was not tested. */
import { ROUTES } from '../../src/http/routes/index.ts';
import type { HttpRoute } from '../../src/http/route.ts';
import type { SocketEnd } from './socket-play.ts';

interface RouteTally {
  asked: number;
  /** 2xx, 3xx and 101; for a route that only upgrades also "use a WebSocket client". */
  served: number;
  refused: number;
}

export class Tally {
  readonly routes = new Map<string, RouteTally>(
    ROUTES.map((route) => [keyOf(route), { asked: 0, served: 0, refused: 0 }]),
  );
  readonly statuses: Record<string, number> = {};
  readonly codes: Record<string, number> = {};
  readonly raws: Record<string, number> = {};
  readonly socketEnds: Record<string, number> = {};
  socketFrames = 0;
  /** Connections that ended without a response, where the rules allow that. */
  closed = 0;
  readonly ms: number[] = [];

  answer(route: HttpRoute | undefined, status: number, code: string, ms: number): void {
    count(this.statuses, String(status));
    if (code !== '') count(this.codes, code);
    this.ms.push(ms);
    const tally = route && this.routes.get(keyOf(route));
    if (tally === undefined) return;
    tally.asked += 1;
    if (status < 400 || status === 426) tally.served += 1;
    else tally.refused += 1;
  }

  raw(end: number | string): void {
    count(this.raws, String(end));
  }

  socket({ end, frames }: SocketEnd): void {
    count(this.socketEnds, end);
    this.socketFrames += frames;
  }

  get neverServed(): string[] {
    return [...this.routes].filter(([, { served }]) => served === 0).map(([key]) => key);
  }
}

function keyOf({ method, path }: HttpRoute): string {
  return `${method} ${path}`;
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
