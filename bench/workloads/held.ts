/**
 * Ten thousand sessions, each with one open question: the cost of holding them, and how soon after a start that follows kill -9 a
 * returning agent has its answer.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DroppedConnection, type HttpConnection } from '../client/http-connection.ts';
import { type BenchServer, createSession, type Side, withServer } from '../lib/bench-server.ts';
import { diskMb } from '../lib/disk-use.ts';
import { findingFrom } from '../lib/finding.ts';
import { interleave, type Metrics } from '../lib/interleave.ts';
import { processUsage } from '../lib/process-usage.ts';
import { median } from '../lib/statistics.ts';
import type { Bench, Workload } from '../lib/workload.ts';
import { approval } from './trip-actor.ts';
import { readWorkspacePages, SMALL_WORKSPACE, workspaceFindings } from './workspace-pages.ts';

const AGENTS = 16;
/**
 * Sessions made without a rest. An object in memory has three files open, and a server that is busy without a pause may keep
 * its objects: ten thousand in a row could need a limit of 30,000 files.
 */
const BATCH = 2_500;
/** The last sessions report to the workspace a quarter of a second later. */
const QUIET_MS = 1_000;
/** Objects leave memory after ten seconds without a request, and their write-ahead logs are then removed. */
const AT_REST_MS = 13_000;
/** How many questions are looked up after the last crash: every one must still be open. */
const SAMPLE = 200;
const ID = 'held~1';

interface Held {
  readonly interaction: { readonly status: string; readonly outcome: string | null };
}

function block(bench: Bench, side: Side, sessions: number): Promise<Metrics> {
  return withServer(side, bench, async (server) => {
    const opened = await openInBatches(server, sessions);
    await sleep(QUIET_MS);
    const usage = processUsage(server.pid);
    if (!bench.quick) await sleep(AT_REST_MS);
    const disk = diskMb(path.join(server.dataDir, 'storage'));

    const pages = side === 'product' ? await comparePages(bench, server) : {};

    const person = await server.connect('person');
    await person.json('POST', `${pathOf(0)}/answer`, 200, { body: { decision: 'approve' } });
    person.close();
    const crashes: number[] = [];
    for (let crash = 1; crash <= (bench.quick ? 3 : 7); crash += 1) {
      const spawned = await server.crash();
      await answerAgain(server, crash);
      crashes.push(performance.now() - spawned);
      await expectStatus(server, [0, crash], 'settled');
    }
    const first = sessions - Math.min(SAMPLE, sessions / 2);
    await expectStatus(
      server,
      Array.from({ length: sessions - first }, (_, n) => first + n),
      'open',
    );
    return {
      ...opened,
      ...(usage !== undefined && { rssMb: usage.rssMb }),
      diskMb: disk,
      ...pages,
      crashMs: median(crashes),
      worstCrashMs: Math.max(...crashes),
    };
  });
}

/** Against a small workspace on a server of its own. */
function comparePages(bench: Bench, large: BenchServer): Promise<Metrics> {
  return withServer('product', bench, async (small) => {
    await openAll(small, SMALL_WORKSPACE);
    await sleep(QUIET_MS);
    return await readWorkspacePages(large, small);
  });
}

interface Opened {
  /** Connections that the server closed during a request; the agent connects again and repeats the request. */
  readonly dropped: number;
  /** The longest time that an agent waited for its session and its question. */
  readonly slowestMs: number;
}

/** Objects leave memory between two batches; `seconds` counts the batches alone. */
async function openInBatches(
  server: BenchServer,
  sessions: number,
): Promise<Opened & { readonly seconds: number }> {
  let dropped = 0;
  let slowestMs = 0;
  let seconds = 0;
  for (let first = 0; first < sessions; first += BATCH) {
    if (first > 0) await sleep(AT_REST_MS);
    const start = performance.now();
    const opened = await openAll(server, Math.min(first + BATCH, sessions), first);
    seconds += (performance.now() - start) / 1_000;
    dropped += opened.dropped;
    slowestMs = Math.max(slowestMs, opened.slowestMs);
  }
  return { seconds, dropped, slowestMs };
}

/** Makes the sessions from `first` up to `end`, each with one open question. */
export async function openAll(server: BenchServer, end: number, first = 0): Promise<Opened> {
  let next = first;
  let dropped = 0;
  let slowestMs = 0;
  const openNext = async (agent: HttpConnection, session: string) => {
    await createSession(server, agent, session);
    const path = `/v1/sessions/${session}/interactions`;
    await agent.json('POST', path, [200, 201], { body: approval('held') });
  };
  await Promise.all(
    Array.from({ length: AGENTS }, async () => {
      let agent = await server.connect('agent');
      while (next < end) {
        const session = `held-${next}`;
        next += 1;
        const start = performance.now();
        for (let isOpen = false; !isOpen; ) {
          try {
            await openNext(agent, session);
            isOpen = true;
          } catch (error) {
            if (!(error instanceof DroppedConnection)) throw error;
            dropped += 1;
            agent = await server.connect('agent');
          }
        }
        slowestMs = Math.max(slowestMs, performance.now() - start);
      }
      agent.close();
    }),
  );
  return { dropped, slowestMs };
}

function pathOf(session: number): string {
  return `/v1/sessions/held-${session}/interactions/${ID}`;
}

/** The agent repeats its question, and a person answers. */
export async function answerAgain(server: BenchServer, session: number): Promise<void> {
  const agent = await server.connect('agent');
  const person = await server.connect('person');
  const waited = agent.json<Held>('GET', `${pathOf(session)}?wait=55`, 200);
  await person.json('POST', `${pathOf(session)}/answer`, 200, { body: { decision: 'approve' } });
  const { interaction } = await waited;
  if (interaction.outcome !== 'approved') throw new Error('A wrong answer after the crash');
  agent.close();
  person.close();
}

async function expectStatus(
  server: BenchServer,
  sessions: readonly number[],
  status: string,
): Promise<void> {
  const person = await server.connect('person');
  for (const session of sessions) {
    const { interaction } = await person.json<Held>('GET', pathOf(session), 200);
    if (interaction.status !== status) {
      throw new Error(`held-${session} is ${interaction.status} after kill -9`);
    }
  }
  person.close();
}

export const holding: Workload = {
  name: 'held',
  async run(bench) {
    const sessions = bench.quick ? 500 : 10_000;
    const what = `${sessions.toLocaleString('en')} sessions, each with one open question`;
    bench.log(`  ${what}`);
    const compared = await interleave({
      floor: { name: 'floor', run: () => block(bench, 'floor', sessions) },
      others: [{ name: 'product', run: () => block(bench, 'product', sessions) }],
      rounds: bench.rounds ?? 1,
      steadyBy: 'seconds',
      // Each retry takes a minute and a half; the report says if none succeeded.
      redo: 0,
      log: bench.log,
    });
    const within = (atMost: number) => ({ goals: [{ of: 'ratio', atMost }] }) as const;
    return {
      comparisons: { [what]: compared },
      findings: [
        findingFrom(compared, {
          ...within(1.25),
          what: `${what}: time to make them`,
          unit: 's',
          metric: 'seconds',
        }),
        findingFrom(compared, {
          what: `${what}: the slowest to be made`,
          unit: 'ms',
          metric: 'slowestMs',
          isDetail: true,
        }),
        findingFrom(compared, {
          what: `${what}: connections the server dropped meanwhile`,
          unit: '',
          metric: 'dropped',
          isCount: true,
          isDetail: true,
        }),
        findingFrom(compared, {
          ...within(1.1),
          what: `${what}: memory`,
          unit: 'MB',
          metric: 'rssMb',
        }),
        findingFrom(compared, {
          ...within(1.2),
          what: `${what}: disk`,
          unit: 'MB',
          metric: 'diskMb',
        }),
        findingFrom(compared, {
          key: 'crash',
          what: `Start after kill -9 with ${sessions.toLocaleString('en')} held: until the first right answer`,
          unit: 'ms',
          metric: 'crashMs',
          goals: [
            { of: 'ratio', atMost: 2.5 },
            { of: 'product', atMost: 100 },
          ],
        }),
        findingFrom(compared, {
          what: 'The same, the slowest of its crashes',
          unit: 'ms',
          metric: 'worstCrashMs',
        }),
        ...workspaceFindings(compared, sessions.toLocaleString('en')),
      ],
    };
  },
};
