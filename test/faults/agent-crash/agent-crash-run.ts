/**
 * Kills a server at every boundary of a turn, a given number of times at each, and checks how each turn ends.
 *
 * Several servers run trials in parallel, because most of a trial is waiting. All trials of a boundary use one server,
 * so that later kills hit a data folder that earlier kills have left.
 */
import path from 'node:path';
import { Random } from '../../support/random.ts';
import type { FaultRun } from '../commands.ts';
import { BOUNDARIES, type Boundary } from './boundaries.ts';
import { approvedAgain, askedAgain, judge } from './judge.ts';
import { TrialWorker } from './trial-worker.ts';
import { playTrial } from './play-trial.ts';
import { type AgentCrashReport, type BoundaryFigures, reportOf } from './report.ts';
import { Trial } from './trial.ts';

export interface AgentCrashOptions extends FaultRun {
  /** Kills at each boundary. */
  readonly kills: number;
  readonly workers: number;
  /** Only boundaries whose name holds this. */
  readonly only?: string | undefined;
}

/** A kill can narrowly miss its boundary; the trial is then repeated, up to this many times. */
const TRIES_FOR_ONE = 3;
const EVIDENCE_CHARS = 600;
/** Enough findings to see the fault. */
const FINDINGS = 3;

export async function runAgentCrashTest(options: AgentCrashOptions): Promise<AgentCrashReport> {
  const { only = '', workers } = options;
  const left = BOUNDARIES.filter(({ name }) => name.includes(only));
  const figures: BoundaryFigures[] = [];
  const since = Date.now();
  const work = async (_: unknown, number: number) => {
    const worker = await TrialWorker.begin({
      dataDir: path.resolve(options.dataDir, String(number)),
      bundle: options.bundle,
    });
    try {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        figures.push(await killAt(next, worker, options));
      }
    } finally {
      await worker.end();
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  const order = BOUNDARIES.map(({ name }) => name);
  figures.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  return reportOf(options.seed, Date.now() - since, figures);
}

async function killAt(
  boundary: Boundary,
  worker: TrialWorker,
  { kills, seed, print }: AgentCrashOptions,
): Promise<BoundaryFigures> {
  const index = BOUNDARIES.indexOf(boundary);
  const random = new Random(seed).fork(boundary.name);
  const figures = emptyFigures(boundary.name);
  for (let number = 0; figures.kills < kills && number < kills * TRIES_FOR_ONE; number += 1) {
    const id = `${index}-${number}`;
    const trial = new Trial(id, boundary, number, { random, kill: worker.kill });
    const played = await playTrial(worker, trial);
    judge(trial, played);
    figures.kills += trial.isHit ? 1 : 0;
    figures.missed += trial.isHit ? 0 : 1;
    count(figures, trial, played.tookMs);
    if (figures.findings.length >= FINDINGS) break;
  }
  if (figures.kills < kills && figures.findings.length === 0) {
    const evidence = `${figures.kills} of ${kills}`;
    figures.findings.push({ rule: 'NOT HIT', session: '', evidence, when: boundary.name });
  }
  print?.(`${boundary.name}: ${figures.kills} kills, ${figures.findings.length} violations`);
  return figures;
}

function emptyFigures(name: string): BoundaryFigures {
  return {
    name,
    kills: 0,
    missed: 0,
    resumed: 0,
    alone: 0,
    askedAgain: 0,
    effects: 0,
    repeats: 0,
    duplicates: 0,
    requests: 0,
    invalid: 0,
    slowestMs: 0,
    findings: [],
  };
}

function count(figures: BoundaryFigures, trial: Trial, tookMs: number): void {
  const { effects, requests, problems } = trial;
  const serious = problems.filter(({ rule }) => rule !== 'NOT HIT');
  const ended = trial.events.filter(({ type }) => type === 'turn_ended').length > 0;
  if (trial.isHit && ended && !serious.some(({ rule }) => rule === 'HANGS')) figures.resumed += 1;
  figures.alone += trial.isAlone && trial.isHit ? 1 : 0;
  figures.askedAgain += askedAgain(trial);
  figures.effects += effects.length;
  figures.repeats += effects.filter(({ isRepeat }) => isRepeat).length;
  const mails = effects.filter(({ tool }) => tool === 'Mail').length;
  figures.duplicates += Math.max(0, mails - 1 - approvedAgain(trial));
  figures.requests += requests.length;
  figures.invalid += requests.filter(({ faults }) => faults.length > 0).length;
  figures.slowestMs = Math.max(figures.slowestMs, trial.isHit ? tookMs : 0);
  for (const { rule, evidence } of serious) {
    const { session, boundary } = trial;
    const short = evidence.slice(0, EVIDENCE_CHARS);
    figures.findings.push({ rule, session, evidence: short, when: boundary.name });
  }
}
