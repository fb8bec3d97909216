/** Frames a session sends, as text; events are put in as the text they are stored as. */
import { countBytes } from '../protocol/bytes.ts';
import type { Rejection } from '../protocol/errors.ts';
import { errorPart, PROTOCOL } from '../protocol/frames.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { LogChunk } from './ports.ts';
import type { Snapshot } from '../protocol/types.ts';

/** How much of the log one frame carries; what stands around the events counts as well. */
export const FRAME_FIT = {
  maxEvents: LIMITS.eventsPerFrame,
  maxBytes: LIMITS.eventFrameBytes - countBytes(eventsFrame({ json: '' })),
};

export function welcomeFrame(snapshot: Snapshot): string {
  return JSON.stringify({ type: 'welcome', protocol: PROTOCOL, ...snapshot });
}

export function eventsFrame(chunk: Pick<LogChunk, 'json'>): string {
  return `{"type":"events","events":[${chunk.json}]}`;
}

/** To a held stream, last: its reader gets what was sent before, and comes again for the rest. */
export const PAUSED_FRAME = JSON.stringify({ type: 'paused' });

export function deltaFrame(delta: {
  readonly turnId: string;
  readonly responseId: string;
  readonly text: string;
}): string {
  return JSON.stringify({ type: 'delta', ...delta });
}

export function resultFrame(id: string, value: unknown): string {
  return JSON.stringify({ type: 'result', id, ok: true, value });
}

export function refusedFrame(id: string, rejection: Rejection): string {
  return JSON.stringify({ type: 'result', id, ok: false, error: errorPart(rejection) });
}

/** What a held waiter is sent, once: the record as it is when there is nothing more to wait for. */
export function settledFrame(interaction: unknown): string {
  return JSON.stringify({ type: 'settled', interaction });
}
