/**
 * Records every event that any reader saw: the same `seq` must always be the same bytes.
 *
 * Subscribers and readers report every event here. An event that was shown before it was durable
 * is detected after a crash, when another event gets its number.
 */
import { hash } from 'node:crypto';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import type { Findings } from './findings.ts';

interface Sight {
  readonly print: string;
  readonly by: string;
}

export class SeenEvents {
  readonly #findings: Findings;
  readonly #seen = new Map<string, Sight[]>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  see(session: string, event: SessionEvent, by: string): void {
    let log = this.#seen.get(session);
    if (log === undefined) this.#seen.set(session, (log = []));
    const text = JSON.stringify(event);
    const print = fingerprint(text);
    const before = log[event.seq];
    if (before === undefined) {
      log[event.seq] = { print, by };
    } else if (before.print !== print) {
      this.#findings.add(
        'I5',
        session,
        `seq ${event.seq} is another event for ${by} than it was for ${before.by}: ${text}`,
      );
    }
  }

  /** The highest `seq` that any reader saw. */
  head(session: string): number {
    return Math.max(0, (this.#seen.get(session)?.length ?? 1) - 1);
  }

  forget(session: string): void {
    this.#seen.delete(session);
  }
}

export function fingerprint(text: string): string {
  return hash('sha256', text, 'base64').slice(0, 22);
}
