/**
 * A delivery that only the alarm of its target can make.
 *
 * The receivers are down when a request opens, and the server is killed after their first failure. Nothing is requested
 * from it afterwards: no announcement, no other delivery and no row of the outbox of the workspace can send what waits.
 * W6: it is delivered all the same, before the alarm of the workspace would hand it over once more.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Findings } from '../../support/findings.ts';

/** The alarm of a workspace removes confirmed rows of the outbox after so long, or hands over what a crash left. */
const OUTBOX_MS = 60_000;
/** The second attempt is due after 6 seconds at most; an attempt that the kill cut off, after 20. */
const IN_TIME_MS = 45_000;

export interface AlarmRound {
  readonly findings: Findings;
  /** When the workspace received its last announcement, or later. */
  readonly quietSince: number;
  setReceivers(mood: 'calm' | 'down'): void;
  /** Opens one request, and names it. */
  open(): Promise<string>;
  /** How many targets had no delivery of this request; with `isOk` false, no failed one. */
  missing(request: string, isOk: boolean): number;
  killAndRestart(): Promise<void>;
}

/** Resolves with the time from the restart to the last delivery; undefined if one did not come. */
export async function playAlarmRound(round: AlarmRound): Promise<number | undefined> {
  const { findings, quietSince } = round;
  await sleep(Math.max(quietSince + OUTBOX_MS + 5_000 - Date.now(), 0));
  round.setReceivers('down');
  const request = await round.open();
  const opened = Date.now();
  const isSoon = () => Date.now() < opened + IN_TIME_MS;
  while (round.missing(request, false) > 0 && isSoon()) await sleep(20);
  await round.killAndRestart();
  round.setReceivers('calm');
  const restarted = Date.now();
  while (round.missing(request, true) > 0 && isSoon()) await sleep(50);
  const missing = round.missing(request, true);
  if (missing === 0) return Date.now() - restarted;
  findings.add('W6', request, `${missing} targets got nothing within ${IN_TIME_MS} ms`);
  return undefined;
}
