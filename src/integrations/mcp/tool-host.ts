/** For whom the tools run, and where they ask: a credential over HTTP, or the process that serves stdio. */
import type { Away } from '../../client/agent/away.ts';
import type { Deciding } from '../../protocol/deciding.ts';
import type { Transport } from '../../client/transport.ts';
import type { OpenQuestion } from './round.ts';

export interface ToolHost {
  /** Sends every request with the credential of the caller, whose rights are thus checked as everywhere. */
  readonly transport: Transport;
  /** The session that the caller named for all its calls, or the way to find it. */
  readonly session?: string | (() => Promise<string>) | undefined;
  /** Without a named one. If it was deleted or is full, the next one is `<id>:2`. */
  readonly defaultSession?: string | undefined;
  /** Of a session that is created. */
  readonly title?: string | undefined;
  /** Whose state it must be that a round goes on with. */
  readonly holder: string;
  /** Signs the state that a client carries from one round to the next; at least 32 bytes. */
  readonly stateKey: Uint8Array;
  /** How long requests may fail before a call ends with an error. Default: that of the client. */
  readonly giveUpAfterSeconds?: number | undefined;
  /** The memory of the process for the calls after one that reached no server. */
  readonly away?: Away | undefined;
  /** The argument `input` of this call, where strict JSON refuses it (INT-18); the arguments have an empty object in its place. */
  readonly inputText?: string | undefined;
  /** Lets a call end in order although its client has gone away, where a platform would stop it. */
  readonly keepRunning?: ((call: Promise<unknown>) => void) | undefined;
  /** For a client that cancels a call with another request; the returned function ends that. */
  readonly onRunning?:
    | ((call: {
        readonly question: () => OpenQuestion | undefined;
        isCancelled: boolean;
      }) => () => void)
    | undefined;
  /** For every request that a tool opens; a call may ask for more. */
  readonly deciding?: Deciding | undefined;
  /** For tests; default: 50 seconds. */
  readonly roundMs?: number | undefined;
  /** Receives what no client can help, for the log of the server. */
  readonly warn: (message: string, evidence: unknown) => void;
}
