/** The judge of killed clients finds planted errors; a judge that finds nothing proves nothing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { emptyReplica, foldLog } from '../../../src/client/state/replica.ts';
import { emptyTimeline, foldEvents } from '../../../src/client/timeline/index.ts';
import { asks, logOf, settles } from '../../client/client-events.ts';
import { snapshot } from '../../support/client/connection-cases.ts';
import { Findings } from '../../support/findings.ts';
import { judgeEnd, judgeJournal } from './client/judge.ts';

const LOG = logOf(asks('c1'), settles('c1', 'approved'));

function stored(events: typeof LOG) {
  const folded = foldLog(emptyReplica(), events);
  if (!folded.ok) throw new Error('The log has a gap');
  return {
    timeline: foldEvents(emptyTimeline(), events),
    replica: folded.replica,
    seqs: events.map(({ seq }) => seq),
  };
}

function judged(have: ReturnType<typeof stored>): string[] {
  const findings = new Findings();
  const truth = { session: 'demo', log: LOG, snapshot: snapshot(LOG.length) };
  judgeEnd(have, truth, findings);
  return findings.kept.map(({ rule }) => rule);
}

function journal(...lines: readonly object[]): { rules: string[]; deliveries: number } {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-judge-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'journal');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const findings = new Findings();
  const deliveries = judgeJournal(file, 'demo', findings);
  return { rules: findings.kept.map(({ rule }) => rule), deliveries };
}

it('accepts a repeated delivery only if the last process did not store it', () => {
  const life = [{ began: 0 }, { received: [1, 2] }, { began: 1 }, { received: [2, 3] }];
  expect(journal(...life)).toEqual({ rules: [], deliveries: 4 });
  expect(journal({ began: 0 }, { received: [1, 3] }).rules).toEqual(['WS-1']);
  expect(journal({ began: 0 }, { received: [1, 1] }).rules).toEqual(['WS-1']);
  expect(journal({ began: 0 }, { gap: {} }).rules).toEqual(['WS-1']);
});

it('finds a missing or repeated event, and a card that is open on the client alone', () => {
  expect(judged(stored(LOG))).toEqual([]);
  const whole = stored(LOG);
  expect(judged({ ...whole, seqs: [...whole.seqs, 2] })).toEqual(['WS-1']);
  const { timeline, replica } = stored(LOG.slice(0, -1));
  expect(judged({ ...whole, timeline })).toEqual(['TL-1', 'TL-9']);
  expect(judged({ ...whole, replica })).toEqual(['TL-9']);
});
