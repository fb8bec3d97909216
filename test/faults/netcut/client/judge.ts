/**
 * Compares the state of a repeatedly killed client with the server.
 *
 * - No gap and no duplicate: each process starts at the stored position of the one before and receives the next events
 *   in order; in the end every event was folded once.
 * - No ghost: the timeline and the server have the same open interactions.
 */
import { readFileSync } from 'node:fs';
import { foldEvents, emptyTimeline, type Timeline } from '../../../../src/client/timeline/index.ts';
import type { SessionEvent, Snapshot } from '../../../../src/protocol/types.ts';
import type { Findings } from '../../../support/findings.ts';
import type { Stored } from './stored.ts';

interface Truth {
  readonly session: string;
  readonly log: readonly SessionEvent[];
  readonly snapshot: Snapshot;
}

type Line =
  | { readonly began: number }
  | { readonly received: readonly number[] }
  | { readonly gap: object }
  | { readonly closed: string };

/** The number of deliveries in the journal. */
export function judgeJournal(file: string, session: string, findings: Findings): number {
  const text = readFileSync(file, 'utf8');
  // A kill may have cut the last line of a process.
  const lines = text.split('\n').filter((line) => line.endsWith('}'));
  let last = 0;
  let deliveries = 0;
  for (const line of lines.map((text) => JSON.parse(text) as Line)) {
    if ('began' in line) last = line.began;
    else if ('received' in line) {
      for (const seq of line.received) {
        if (seq !== last + 1) findings.add('WS-1', session, `${seq} was received after ${last}`);
        last = seq;
        deliveries += 1;
      }
    } else findings.add('WS-1', session, JSON.stringify(line));
  }
  return deliveries;
}

export function judgeEnd(
  { timeline, replica, seqs }: Stored,
  { session, log, snapshot }: Truth,
  findings: Findings,
): void {
  const wrong = log.findIndex(({ seq }, index) => seqs[index] !== seq);
  if (wrong >= 0 || seqs.length !== log.length) {
    findings.add('WS-1', session, `${seqs.length} of ${log.length} folded, wrong at ${wrong}`);
  }
  const whole = foldEvents(emptyTimeline(), log);
  if (JSON.stringify(timeline.turns) !== JSON.stringify(whole.turns)) {
    findings.add('TL-1', session, 'Its timeline is not the one of the whole log');
  }
  const open = snapshot.open.map((interaction) => interaction.interactionId).toSorted();
  const shown = {
    timeline: openIn(timeline),
    replica: replica.open.map((interaction) => interaction.interactionId).toSorted(),
  };
  for (const [where, ids] of Object.entries(shown)) {
    const ghosts = ids.filter((id) => !open.includes(id));
    const missing = open.filter((id) => !ids.includes(id));
    if (ghosts.length > 0)
      findings.add('TL-9', session, `Ghosts in the ${where}: ${ghosts.join()}`);
    if (missing.length > 0)
      findings.add('TL-9', session, `Missing in the ${where}: ${missing.join()}`);
  }
}

function openIn({ turns }: Timeline): string[] {
  return turns
    .flatMap(({ containers }) => containers.flatMap(({ blocks }) => blocks))
    .flatMap((block) => {
      if (block.type === 'questionnaire') return [block.step];
      return block.type === 'tool' ? block.steps : [];
    })
    .filter(({ status }) => status === 'open')
    .map(({ interactionId }) => interactionId)
    .toSorted();
}
