/**
 * One subscriber of a session, whatever it listens through: every event once, in order, for ever.
 *
 * It keeps the cursor, so that a new connection resumes after the last event that was heard whole.
 */
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import type { Findings } from './findings.ts';
import type { LogWitness } from './log-witness.ts';

export interface FollowerPorts {
  readonly findings: Findings;
  readonly witness: LogWitness;
  readonly onEvent?: (event: SessionEvent) => void;
}

/** What it wants of the one who keeps the connection for it. */
export interface Following {
  /** Resolves when the connection is given up for good. */
  stop(): Promise<void>;
}

export class Follower {
  readonly name: string;
  readonly session: string;
  readonly #ports: FollowerPorts;
  /** The cursor: the last event that was heard. */
  seq = 0;
  connects = 0;

  constructor(name: string, session: string, ports: FollowerPorts) {
    this.name = name;
    this.session = session;
    this.#ports = ports;
  }

  hear(event: SessionEvent): void {
    const { findings, witness, onEvent } = this.#ports;
    if (event.seq !== this.seq + 1) {
      const what = event.seq > this.seq ? 'a gap' : 'a double or a step back';
      findings.add(
        'I7',
        this.session,
        `${this.name} heard ${event.seq} after ${this.seq}: ${what}`,
      );
    }
    this.seq = event.seq;
    witness.see(this.session, event, this.name);
    onEvent?.(event);
  }

  /** A refusal that no new try would change: its cursor or its credential is not accepted. */
  refused(evidence: string): void {
    const text = `${this.name} was turned away at ${this.seq}: ${evidence}`;
    this.#ports.findings.add('I7', this.session, text);
  }
}
