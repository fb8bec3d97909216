/** The frames that a session sends, as text. Events keep the text in which they are stored. */
import { countBytes } from '../protocol/bytes.ts';
import type { Rejection } from '../protocol/errors.ts';
import { errorPart, PROTOCOL } from '../protocol/frames.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { AgentState, Presence } from '../protocol/schema/frame.ts';
import type { LogChunk } from './ports.ts';
import type { Snapshot } from '../protocol/types.ts';

/** How much of the log one frame carries. The text around the events counts too. */
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

/** The final frame of a stream that the Worker holds: its reader reconnects for the rest of the log. */
export const PAUSED_FRAME = JSON.stringify({ type: 'paused' });

export function deltaFrame(delta: {
  readonly turnId: string;
  readonly responseId: string;
  readonly text: string;
}): string {
  return JSON.stringify({ type: 'delta', ...delta });
}

export function presenceFrame(presence: Presence): string {
  return JSON.stringify({ type: 'presence', ...presence });
}

export function agentsFrame(interactions: readonly AgentState[]): string {
  return JSON.stringify({ type: 'agents', interactions });
}

export function resultFrame(id: string, value: unknown): string {
  return JSON.stringify({ type: 'result', id, ok: true, value });
}

export function refusedFrame(id: string, rejection: Rejection): string {
  return JSON.stringify({ type: 'result', id, ok: false, error: errorPart(rejection) });
}

/** The one frame that a waiter receives: the settled record. */
export function settledFrame(interaction: unknown): string {
  return JSON.stringify({ type: 'settled', interaction });
}
