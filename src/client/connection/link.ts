/** What carries frames: told where to begin, it says what it hears, and can be dropped. */
import type { ConnectionEvent, SessionTalk, Talk } from './state.ts';

export interface Carrier {
  /** Asks whether the other side is there, where that can be asked. */
  ping(): void;
  drop(): void;
}

export interface CarrierAsk {
  readonly after: number;
  readonly token: string;
}

/** Says `closed` exactly once if it was not dropped, and nothing after it. */
export type OpenCarrier<Says extends Talk = SessionTalk> = (
  ask: CarrierAsk,
  tell: (event: ConnectionEvent<Says>) => void,
) => Carrier;

/** What a frame means to the connection; whatever came, it is one of the events the machine knows. */
export type ReadFrame<Says extends Talk = SessionTalk> = (text: unknown) => ConnectionEvent<Says>;
