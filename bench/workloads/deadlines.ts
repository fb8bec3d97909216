/**
 * Thousands of deadlines in one second, each in a session of its own, and what the requests of others feel of it.
 *
 * There is no floor: it has no deadlines. The others are one agent who goes on asking, one person who goes on answering, and
 * a reader of the inbox; a request that finds the server busy with deadlines waits for its turn.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpConnection } from '../client/http-connection.ts';
import { type BenchServer, createSession, withServer } from '../lib/bench-server.ts';
import type { Metrics } from '../lib/interleave.ts';
import { processUsage } from '../lib/process-usage.ts';
import { percentile, spreadOf } from '../lib/statistics.ts';
import type { Bench, Workload } from '../lib/workload.ts';
import { approval } from './trip-actor.ts';

const AGENTS = 16;
/** Ten seconds after its last request an object leaves memory: a deadline finds its session on disk. */
const ASLEEP_MS = 13_000;
/** To open a question takes as long as to create its session; the deadline is later than that by half, and by this. */
const SPARE_MS = 5_000;
const PAUSE_MS = 10;
const POLL_MS = 250;
const SAMPLE = 500;
const GIVE_UP_MS = 120_000;
const ID = 'late~1';

interface Ended {
  readonly interaction: {
    readonly outcome: string | null;
    readonly settledAt: number;
    readonly expiresAt: number;
  };
}

function block(bench: Bench, sessions: number): Promise<Metrics> {
  return withServer('product', bench, async (server) => {
    const start = Date.now();
    await forEach(server, sessions, (agent, session) => createSession(server, agent, session));
    const deadline = Date.now() + (Date.now() - start) * 1.5 + SPARE_MS + ASLEEP_MS;
    await forEach(server, sessions, async (agent, session) => {
      // In whole seconds: those opened in the course of a second end in the course of one.
      const timeoutSeconds = Math.ceil((deadline - Date.now()) / 1_000);
      const body = { ...approval('late'), timeoutSeconds };
      await agent.json('POST', `/v1/sessions/${session}/interactions`, 201, { body });
    });
    if (Date.now() > deadline - ASLEEP_MS) throw new Error('The last was opened too late');
    const calm = await others(server, deadline - 1_000);
    await sleep(deadline - Date.now());

    const before = processUsage(server.pid)?.cpuMs ?? 0;
    const watched = { isOver: false };
    const asked = others(server, deadline + GIVE_UP_MS, watched);
    const looks = await untilEmpty(server, deadline, watched);
    const cpu = (processUsage(server.pid)?.cpuMs ?? 0) - before;
    const during = await asked;
    const reader = await server.connect('person');
    const late = await lateness(reader, sessions);
    reader.close();
    return {
      seconds: (looks.at(-1)?.at ?? 0) / 1_000,
      calmP99: percentile(calm, 0.99),
      p50: percentile(during, 0.5),
      p99: percentile(during, 0.99),
      max: Math.max(...during),
      inboxMax: Math.max(...looks.map(({ took }) => took)),
      lateP50: percentile(late, 0.5),
      lateMax: Math.max(...late),
      cpuMs: cpu / sessions,
      requests: during.length,
    };
  });
}

async function forEach(
  server: BenchServer,
  sessions: number,
  work: (agent: HttpConnection, session: string) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: AGENTS }, async () => {
      const agent = await server.connect('agent');
      while (next < sessions) {
        const session = `late-${next}`;
        next += 1;
        await work(agent, session);
      }
      agent.close();
    }),
  );
}

/** An agent that asks and a person who answers, again and again until it is over; the time of each request. */
async function others(
  server: BenchServer,
  until: number,
  watched: { readonly isOver: boolean } = { isOver: false },
): Promise<number[]> {
  const times: number[] = [];
  const timed = async (as: 'agent' | 'person', path: string, body: object) => {
    // A new one each time: the server closes a connection without a request for five seconds, and one may wait longer.
    const connection = await server.connect(as);
    const start = performance.now();
    await connection.json('POST', path, [200, 201], { body });
    times.push(performance.now() - start);
    connection.close();
  };
  const session = `others-${(othersMade += 1)}`;
  const path = `/v1/sessions/${session}/interactions`;
  const agent = await server.connect('agent');
  await createSession(server, agent, session);
  agent.close();
  for (let trip = 1; Date.now() < until && !watched.isOver; trip += 1) {
    await timed('agent', path, approval(`call-${trip}`));
    await timed('person', `${path}/call-${trip}~1/answer`, { decision: 'approve' });
    await sleep(PAUSE_MS);
  }
  return times;
}
let othersMade = 0;

/** Looks at the inbox until it is empty but for the trip of the others. */
async function untilEmpty(
  server: BenchServer,
  deadline: number,
  watched: { isOver: boolean },
): Promise<{ readonly at: number; readonly took: number }[]> {
  const looks: { at: number; took: number }[] = [];
  for (;;) {
    const start = performance.now();
    const reader = await server.connect('person');
    const { total } = await reader.json<{ total: number }>('GET', '/v1/inbox?limit=1', 200);
    reader.close();
    looks.push({ at: Date.now() - deadline, took: performance.now() - start });
    if (total <= othersMade) break;
    if (Date.now() > deadline + GIVE_UP_MS) throw new Error(`${total} deadlines are still open`);
    await sleep(POLL_MS);
  }
  watched.isOver = true;
  return looks;
}

/** How long after its deadline an interaction was ended, of some hundred spread over all. */
async function lateness(reader: HttpConnection, sessions: number): Promise<number[]> {
  const step = Math.max(1, Math.floor(sessions / SAMPLE));
  const late: number[] = [];
  for (let n = 0; n < sessions; n += step) {
    const path = `/v1/sessions/late-${n}/interactions/${ID}`;
    const { interaction } = await reader.json<Ended>('GET', path, 200);
    if (interaction.outcome !== 'expired') throw new Error(`late-${n} is ${interaction.outcome}`);
    late.push(interaction.settledAt - interaction.expiresAt);
  }
  return late;
}

export const expiring: Workload = {
  name: 'deadlines',
  async run(bench) {
    const sessions = bench.quick ? 1_000 : 5_000;
    const what = `${sessions.toLocaleString('en')} deadlines in one second`;
    bench.log(`  ${what}`);
    const blocks: Metrics[] = [];
    for (let round = 0; round < (bench.rounds ?? 1); round += 1) {
      const metrics = await block(bench, sessions);
      bench.log(`    ${JSON.stringify(metrics)}`);
      blocks.push(metrics);
    }
    const finding = (name: string, metric: string, unit: string, atMost?: number) => ({
      what: `${what}: ${name}`,
      unit,
      product: spreadOf(blocks.map((one) => one[metric] ?? 0)),
      goals: atMost === undefined ? [] : [{ of: 'product' as const, atMost }],
    });
    return {
      findings: [
        finding('until the inbox has heard of all', 'seconds', 's'),
        finding('requests of others, p50', 'p50', 'ms'),
        finding('requests of others, p99', 'p99', 'ms', 300),
        finding('requests of others, the slowest', 'max', 'ms'),
        finding('trips of others just before, p99', 'calmP99', 'ms'),
        finding('ended after the deadline, the latest', 'lateMax', 'ms'),
        finding('server CPU a deadline, with the requests of others', 'cpuMs', 'ms'),
      ],
      raw: blocks,
    };
  },
};
