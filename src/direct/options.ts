/** What a `DirectTransport` may be told when it is made. */
import * as z from 'zod';
import { Timeouts } from '../protocol/schema/session.ts';
import { check } from './border.ts';
import { type Clock, systemClock } from './clock.ts';
import type { HostSettings } from './host.ts';
import { memory } from './memory.ts';
import type { DirectStorage } from './storage.ts';

export interface DirectOptions {
  /** Where sessions are kept; left out, in memory, for as long as the process lives. */
  readonly storage?: DirectStorage;
  /** Default deadlines in seconds by kind, for example `{ approval: 600 }`; null waits for ever. */
  readonly timeouts?: Timeouts;
  /** Left out, a role without `admin` does not answer what it asked itself; false lets it. */
  readonly forbidSelfApproval?: boolean;
  /** For tests that move the time by hand. */
  readonly clock?: Clock;
  /** Hears what went wrong without anybody having asked; left out, the console does. */
  readonly warn?: (message: string, evidence: unknown) => void;
}

export function settingsOf({
  storage,
  timeouts,
  forbidSelfApproval,
  clock,
  warn,
}: DirectOptions): HostSettings {
  return {
    storage: storage ?? memory,
    timeouts: check(Timeouts, timeouts ?? {}),
    forbidSelfApproval: check(z.boolean(), forbidSelfApproval ?? true),
    clock: clock ?? systemClock,
    warn: warn ?? ((message, evidence) => console.warn(`holdpoint: ${message}`, evidence)),
  };
}
