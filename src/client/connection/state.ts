/** The states, events and actions of a connection, and the port to the link that carries its frames. */
import type { ClientError } from '../errors.ts';
import type { ConnectionStatus, Delta, PauseReason } from '../transport.ts';
import type {
  AgentState,
  JsonObject,
  Presence,
  SessionEvent,
  Snapshot,
} from '../../protocol/types.ts';

/** A WebSocket, or server-sent events where no WebSocket can be had. */
export type LinkKind = 'socket' | 'stream';

/** The payloads of a connection; the machine itself reads only the head of the log. */
export interface Stream {
  readonly snapshot: { readonly head: number };
  readonly delta: unknown;
}

export interface SessionStream extends Stream {
  readonly snapshot: Snapshot;
  readonly delta: Delta;
}

/** State that outlives one connection. */
export interface ConnectionMemory {
  /** The `seq` of the last event that was delivered. */
  readonly cursor: number;
  /** Lost connections in a row that delivered nothing. */
  readonly attempt: number;
  /** Connections in a row that began with an unreadable frame. */
  readonly nonsense: number;
  /** Sockets in a row that closed before a welcome. */
  readonly unopened: number;
  readonly hasSockets: boolean;
  /** The server refused a token, and the new one has not yet kept a connection open for `stableMs`. */
  readonly isRenewed: boolean;
  readonly isOnline: boolean;
  readonly isVisible: boolean;
}

interface Connected {
  readonly link: LinkKind;
  readonly since: number;
  /** When the silence becomes too long. */
  readonly dueAt: number;
  /** A ping was sent after a silence. */
  readonly isProbed: boolean;
  readonly refusal?: ServerRefusal | undefined;
}

export type Phase =
  | {
      readonly type: 'connecting';
      readonly link: LinkKind;
      readonly dueAt: number;
      readonly refusal?: ServerRefusal | undefined;
    }
  | ({ readonly type: 'replaying'; readonly head: number } & Connected)
  | ({ readonly type: 'live' } & Connected)
  | { readonly type: 'waiting'; readonly dueAt: number }
  | { readonly type: 'paused'; readonly reason: PauseReason }
  | { readonly type: 'closed'; readonly error?: ClientError };

export interface ConnectionState {
  readonly memory: ConnectionMemory;
  readonly phase: Phase;
}

/** The `error` frame that the server sends before it closes. */
export interface ServerRefusal {
  readonly code: string;
  readonly message: string;
  readonly details?: JsonObject | undefined;
}

export type ConnectionEvent<Carried extends Stream = SessionStream> =
  | { readonly type: 'opened' }
  | { readonly type: 'welcome'; readonly snapshot: Carried['snapshot'] }
  /** A welcome of another protocol version. */
  | { readonly type: 'foreign'; readonly protocol: string }
  | { readonly type: 'events'; readonly events: readonly SessionEvent[] }
  | { readonly type: 'delta'; readonly delta: Carried['delta'] }
  | { readonly type: 'presence'; readonly presence: Presence }
  | { readonly type: 'agents'; readonly agents: readonly AgentState[] }
  /** Any other sign of life: a pong, a comment, a frame of a newer server. */
  | { readonly type: 'alive' }
  | { readonly type: 'refusal'; readonly refusal: ServerRefusal }
  /** Not JSON, or not a frame. */
  | { readonly type: 'nonsense' }
  /** 1006: lost without a close frame. */
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
  /** Later messages of this connection are ignored. */
  | { readonly type: 'drop' }
  | { readonly type: 'ping' }
  | { readonly type: 'welcome'; readonly snapshot: Carried['snapshot'] }
  | { readonly type: 'deliver'; readonly events: readonly SessionEvent[] }
  | { readonly type: 'delta'; readonly delta: Carried['delta'] }
  | { readonly type: 'presence'; readonly presence: Presence }
  | { readonly type: 'agents'; readonly agents: readonly AgentState[] };

export interface ConnectionStep<Carried extends Stream = SessionStream> {
  readonly state: ConnectionState;
  readonly actions: readonly ConnectionAction<Carried>[];
}

/** When the machine needs a `due` event, if it does. */
export function dueAt({ phase }: ConnectionState): number | undefined {
  return 'dueAt' in phase ? phase.dueAt : undefined;
}

export function connectionStatusOf({ memory, phase }: ConnectionState): ConnectionStatus {
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

/** One socket or stream. */
export interface Link {
  /** Sends a frame, or `ping`. A stream sends nothing. */
  send?(text: string): void;
  drop(): void;
}

export interface LinkStart {
  readonly after: number;
  readonly token: string;
}

/** Opens a link that sends `closed` exactly once unless it is dropped, and no event after it. */
export type OpenLink<Carried extends Stream = SessionStream> = (
  request: LinkStart,
  send: (event: ConnectionEvent<Carried>) => void,
) => Link;

/** Turns a frame into an event of the machine, whatever the text is. */
export type ReadFrame<Carried extends Stream = SessionStream> = (
  text: unknown,
) => ConnectionEvent<Carried>;
