/**
 * Cuts a client's connections and kills the client itself, again and again, while agents ask and people answer. After
 * each kill the client must continue without a gap or a duplicate.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpTransport } from '../../../../src/client/http-transport.ts';
import type { SessionEvent } from '../../../../src/protocol/types.ts';
import { type Mishap, startCuttingProxy } from '../../../support/cutting-proxy.ts';
import { Findings } from '../../../support/findings.ts';
import { Random } from '../../../support/random.ts';
import { makeKey, makeToken } from '../../../support/server-credentials.ts';
import type { FaultRun } from '../../commands.ts';
import type { FaultReport } from '../../report.ts';
import { FaultServer } from '../../server.ts';
import { judgeEnd, judgeJournal } from './judge.ts';
import { readStored } from './stored.ts';
import { keepAsking } from './traffic.ts';

export interface KillOptions extends FaultRun {
  readonly kills: number;
}

export interface KillReport extends FaultReport {
  readonly durationMs: number;
  readonly kills: number;
  /** Processes that were killed before they received an event. */
  readonly silentLives: number;
  readonly cuts: number;
  readonly opened: number;
  readonly settled: number;
  readonly stillOpen: number;
  readonly events: number;
  /** More than the events: the next process receives an event again that the last one did not store. */
  readonly deliveries: number;
  readonly violations: number;
}

const CLIENT = path.join(import.meta.dirname, 'process.ts');
/** The delay of the kill after the first events or, for the shortest, after the start. */
const LIFE_MS = { 300: 20, 800: 40, 1_600: 40 } as const;
const FIRST_EVENT_MS = 60_000;
const CATCH_UP_MS = 60_000;

export async function runKills(options: KillOptions): Promise<KillReport> {
  const since = Date.now();
  const { kills, seed, dataDir, bundle } = options;
  const random = new Random(seed);
  const findings = new Findings();
  findings.when = `seed ${seed}`;
  const server = await FaultServer.start({ dataDir, bundle });
  const cuts = random.fork('cuts');
  const proxy = await startCuttingProxy({
    target: { host: '127.0.0.1', port: server.port },
    plan: () => plan(cuts),
  });
  const key = await makeKey(server.url, 'agent', ['agent', 'read']);
  const transport = new HttpTransport({ url: server.url, token: key });
  const answers = await makeToken(server.url, 'mia', ['read', 'answer']);
  const person = new HttpTransport({ url: server.url, token: answers });
  try {
    const { id: session } = await transport.createSession();
    const file = path.join(dataDir, 'client.stored');
    const journal = path.join(dataDir, 'client.journal');
    const through = `http://127.0.0.1:${proxy.port}`;
    const token = await makeToken(server.url, 'screen', ['read']);
    const live = () => startLife([through, token, session, file, journal]);
    const traffic = keepAsking({ agent: transport, person }, session, random.fork('traffic'));
    let silentLives = 0;
    for (let killed = 0; killed < kills; killed += 1) {
      const before = readStored(file).seqs.length;
      const child = live();
      const lifeMs = Number(random.weighted(LIFE_MS));
      if (lifeMs > Math.min(...Object.keys(LIFE_MS).map(Number)))
        await untilReceived(child, journal);
      await sleep(random.int(150, lifeMs));
      await kill(child);
      const after = readStored(file).seqs.length;
      if (after === before) silentLives += 1;
      if ((killed + 1) % 10 === 0) options.print?.(`${killed + 1} kills, ${after} events stored`);
    }
    await traffic.stop();
    proxy.heal();
    const snapshot = await transport.snapshot(session);
    const last = live();
    const until = Date.now() + CATCH_UP_MS;
    while (readStored(file).timeline.head < snapshot.head && Date.now() < until) await sleep(20);
    await kill(last);
    const log = await readLog(server.url, key, session);
    const deliveries = judgeJournal(journal, session, findings);
    judgeEnd(readStored(file), { session, log, snapshot }, findings);
    return {
      seed,
      durationMs: Date.now() - since,
      kills,
      silentLives,
      cuts: proxy.cuts.reset + proxy.cuts.end + proxy.cuts['half-open'],
      opened: traffic.opened,
      settled: traffic.settled,
      stillOpen: snapshot.open.length,
      events: log.length,
      deliveries,
      violations: findings.count,
      findings: findings.kept,
    };
  } finally {
    transport.close();
    person.close();
    await proxy.stop();
    await server.kill();
  }
}

function plan(random: Random): readonly Mishap[] {
  if (random.chance(0.4)) return [];
  const kind = random.weighted({ reset: 45, end: 45, 'half-open': 10 });
  return [{ kind, atByte: random.int(1, Number(random.weighted({ 600: 20, 12_000: 80 }))) }];
}

function startLife(args: readonly string[]): ChildProcess {
  const flags = ['--disable-warning=ExperimentalWarning'];
  return spawn(process.execPath, [...flags, CLIENT, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/**
 * Waits until this process of the client has received events, however busy the machine is, and cuts its connections.
 */
async function untilReceived(child: ChildProcess, journal: string): Promise<void> {
  const before = readJournal(journal).length;
  const until = Date.now() + FIRST_EVENT_MS;
  while (!readJournal(journal).includes('"received"', before) && child.exitCode === null) {
    if (Date.now() > until) return;
    await sleep(20);
  }
}

function readJournal(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  if (child.exitCode !== null) throw new Error(`The client ended by itself: ${child.exitCode}`);
  child.kill('SIGKILL');
  await gone;
}

async function readLog(origin: string, token: string, session: string): Promise<SessionEvent[]> {
  const log: SessionEvent[] = [];
  for (let more = true; more; ) {
    const after = log.at(-1)?.seq ?? 0;
    const url = `${origin}/v1/sessions/${session}/events?after=${after}&limit=1000`;
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    const page = (await response.json()) as { events: SessionEvent[]; more: boolean };
    log.push(...page.events);
    more = page.more;
  }
  return log;
}
