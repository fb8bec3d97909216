/** What carries frames: told where to begin, it says what it hears, and can be dropped. */
import type { ConnectionEvent, SessionStream, Stream } from './state.ts';

export interface Link {
  /** Asks whether the other side is there, where that can be asked. */
  ping(): void;
  drop(): void;
}

export interface LinkRequest {
  readonly after: number;
  readonly token: string;
}

/** Carried `closed` exactly once if it was not dropped, and nothing after it. */
export type OpenLink<Carried extends Stream = SessionStream> = (
  ask: LinkRequest,
  tell: (event: ConnectionEvent<Carried>) => void,
) => Link;

/** What a frame means to the connection; whatever came, it is one of the events the machine knows. */
export type ReadFrame<Carried extends Stream = SessionStream> = (
  text: unknown,
) => ConnectionEvent<Carried>;
