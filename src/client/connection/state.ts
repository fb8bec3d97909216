/** What a connection can be, what can happen to it, and what it then wants done. */
import type { ClientError } from '../errors.ts';
import type { ConnectionStatus, Delta, PauseReason } from '../subscription.ts';
import type { JsonObject, SessionEvent, Snapshot } from '../../protocol/types.ts';

/** A WebSocket, or server-sent events where no WebSocket can be had. */
export type LinkKind = 'socket' | 'stream';

/** What travels on a connection; to the machine only the head of the log counts. */
export interface Stream {
  readonly snapshot: { readonly head: number };
  readonly delta: unknown;
}

export interface SessionStream extends Stream {
  readonly snapshot: Snapshot;
  readonly delta: Delta;
}

/** What outlives one connection. */
export interface Memory {
  /** The `seq` of the last event that was delivered. */
  readonly cursor: number;
  /** Connections lost in a row that brought nothing new. */
  readonly attempt: number;
  /** Connections in a row whose first words were no frames of ours. */
  readonly nonsense: number;
  /** Sockets in a row that never got as far as a welcome. */
  readonly unopened: number;
  readonly hasSockets: boolean;
  /** A token was refused and asked for again, and the new one has not proved itself. */
  readonly isRenewed: boolean;
  readonly isOnline: boolean;
  readonly isVisible: boolean;
}

interface Connected {
  readonly link: LinkKind;
  readonly since: number;
  /** When silence has lasted too long. */
  readonly dueAt: number;
  /** It was silent before and was asked whether it is still there. */
  readonly isProbed: boolean;
  readonly refusal?: Refusal | undefined;
}

export type Phase =
  | {
      readonly type: 'connecting';
      readonly link: LinkKind;
      readonly dueAt: number;
      readonly refusal?: Refusal | undefined;
    }
  | ({ readonly type: 'replaying'; readonly head: number } & Connected)
  | ({ readonly type: 'live' } & Connected)
  | { readonly type: 'waiting'; readonly dueAt: number }
  | { readonly type: 'paused'; readonly reason: PauseReason }
  | { readonly type: 'closed'; readonly error?: ClientError };

export interface ConnectionState {
  readonly memory: Memory;
  readonly phase: Phase;
}

/** Why the server is about to close, in its words. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details?: JsonObject | undefined;
}

export type ConnectionEvent<Carried extends Stream = SessionStream> =
  | { readonly type: 'opened' }
  | { readonly type: 'welcome'; readonly snapshot: Carried['snapshot'] }
  /** A welcome in another version of the protocol. */
  | { readonly type: 'foreign'; readonly protocol: string }
  | { readonly type: 'events'; readonly events: readonly SessionEvent[] }
  | { readonly type: 'delta'; readonly delta: Carried['delta'] }
  /** Anything else that shows that somebody is there: a pong, a comment, a frame of a newer server. */
  | { readonly type: 'heard' }
  | { readonly type: 'refusal'; readonly refusal: Refusal }
  /** Not JSON, or not the shape of a frame. */
  | { readonly type: 'nonsense' }
  /** 1006 when it just broke. */
  | { readonly type: 'closed'; readonly code: number }
  | { readonly type: 'token-refused' }
  | { readonly type: 'due' }
  | { readonly type: 'online' }
  | { readonly type: 'offline' }
  | { readonly type: 'visible' }
  | { readonly type: 'hidden' }
  | { readonly type: 'reconnect' }
  | { readonly type: 'stop' };

export type ConnectionAction<Carried extends Stream = SessionStream> =
  | { readonly type: 'connect'; readonly link: LinkKind; readonly isRenewal: boolean }
  /** Whatever this connection still says is not listened to. */
  | { readonly type: 'drop' }
  | { readonly type: 'ping' }
  | { readonly type: 'welcome'; readonly snapshot: Carried['snapshot'] }
  | { readonly type: 'deliver'; readonly events: readonly SessionEvent[] }
  | { readonly type: 'delta'; readonly delta: Carried['delta'] };

export interface Step<Carried extends Stream = SessionStream> {
  readonly state: ConnectionState;
  readonly actions: readonly ConnectionAction<Carried>[];
}

/** When the machine wants to hear `due`, if ever. */
export function dueAt({ phase }: ConnectionState): number | undefined {
  return 'dueAt' in phase ? phase.dueAt : undefined;
}

export function statusOf({ memory, phase }: ConnectionState): ConnectionStatus {
  switch (phase.type) {
    case 'connecting':
    case 'replaying':
    case 'live':
      return { type: phase.type };
    case 'waiting':
      return { type: 'waiting', retryAt: phase.dueAt, attempt: memory.attempt };
    case 'paused':
    case 'closed':
      return phase;
  }
}

/** What carries frames: told where to begin, it says what it hears, and can be dropped. */
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
