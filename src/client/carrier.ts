/** What carries a session's frames: told where to begin, it says what it hears, and can be dropped. */
import type { ConnectionEvent } from './connection-state.ts';

export interface Carrier {
  /** Asks whether the other side is there, where that can be asked. */
  ping(): void;
  drop(): void;
}

export interface CarrierAsk {
  readonly sessionId: string;
  readonly after: number;
  readonly token: string;
}

/** Says `closed` exactly once if it was not dropped, and nothing after it. */
export type OpenCarrier = (ask: CarrierAsk, tell: (event: ConnectionEvent) => void) => Carrier;
