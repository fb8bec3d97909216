/** A subscriber that keeps every event, and waits for events to come. */
import { vi } from 'vitest';
import type {
  ConnectionStatus,
  Delta,
  Subscription,
  Transport,
} from '../../../src/client/transport.ts';
import type { SessionEvent, Snapshot } from '../../../src/protocol/types.ts';

/** Ends only a test that would never end. */
export const PATIENCE_MS = 30_000;

export interface Heard {
  readonly subscription: Subscription;
  readonly welcomes: Snapshot[];
  readonly events: SessionEvent[];
  readonly deltas: Delta[];
  readonly statuses: ConnectionStatus[];
  /** In which order the kinds of calls came. */
  readonly calls: string[];
  seqs(): number[];
  until(isSo: (heard: Heard) => boolean): Promise<void>;
}

export function listen(transport: Transport, sessionId: string, after?: number): Heard {
  const welcomes: Snapshot[] = [];
  const events: SessionEvent[] = [];
  const deltas: Delta[] = [];
  const statuses: ConnectionStatus[] = [];
  const calls: string[] = [];
  const subscription = transport.subscribe(
    sessionId,
    {
      welcome(snapshot) {
        calls.push('welcome');
        welcomes.push(snapshot);
      },
      events(some) {
        calls.push('events');
        events.push(...some);
      },
      delta(delta) {
        calls.push('delta');
        deltas.push(delta);
      },
      status: (status) => void statuses.push(status),
    },
    after,
  );
  const heard: Heard = {
    subscription,
    welcomes,
    events,
    deltas,
    statuses,
    calls,
    seqs: () => events.map(({ seq }) => seq),
    until: (isSo) =>
      vi.waitFor(
        () => {
          if (!isSo(heard)) throw new Error(`Not yet; heard ${calls.length} calls`);
        },
        { timeout: PATIENCE_MS, interval: 5 },
      ),
  };
  return heard;
}

/** The whole log, as a subscriber from the beginning sees it. */
export async function logOf(transport: Transport, sessionId: string): Promise<SessionEvent[]> {
  const { head } = await transport.snapshot(sessionId);
  const heard = listen(transport, sessionId);
  await heard.until(({ events }) => events.length >= head);
  heard.subscription.close();
  return heard.events;
}
