/**
 * One subscriber of a session over any transport: it must receive every event once, in order.
 *
 * It keeps the cursor, so that a new connection resumes after the last event that arrived completely.
 */
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import type { Findings } from './findings.ts';
import type { SeenEvents } from './seen-events.ts';

export interface FollowerPorts {
  readonly findings: Findings;
  readonly seenEvents: SeenEvents;
  readonly onEvent?: (event: SessionEvent) => void;
}

/** The connection that a follower needs. */
export interface Following {
  /** Resolves when the connection has ended and will not be retried. */
  stop(): Promise<void>;
}

export class Follower {
  readonly name: string;
  readonly session: string;
  readonly #ports: FollowerPorts;
  /** The cursor: the last received event. */
  seq = 0;
  connects = 0;

  constructor(name: string, session: string, ports: FollowerPorts) {
    this.name = name;
    this.session = session;
    this.#ports = ports;
  }

  receive(event: SessionEvent): void {
    const { findings, seenEvents, onEvent } = this.#ports;
    if (event.seq !== this.seq + 1) {
      const what = event.seq > this.seq ? 'a gap' : 'a double or a step back';
      findings.add(
        'I7',
        this.session,
        `${this.name} received ${event.seq} after ${this.seq}: ${what}`,
      );
    }
    this.seq = event.seq;
    seenEvents.see(this.session, event, this.name);
    onEvent?.(event);
  }

  /** A refusal that a retry would not change: the server does not accept the cursor or the credential. */
  refused(evidence: string): void {
    const text = `${this.name} was refused at ${this.seq}: ${evidence}`;
    this.#ports.findings.add('I7', this.session, text);
  }
}
